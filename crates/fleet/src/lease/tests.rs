//! Collectors that claim a lease in a simulated world: they die, end and start, their clocks differ, messages are slow,
//! and the server stands still, is cut off and loses its data. No real time passes.

use patchwork_engine::util::rng::{Rng, below, stream};

use super::*;

const TERM: Duration = Duration::from_secs(8);
const PATIENCE: Duration = Duration::from_secs(30);
/// Time after which a request counts as failed. It may still have an effect.
const ANSWER: Duration = Duration::from_secs(5);
const TICK: Duration = Duration::from_millis(50);
/// Time for which faults happen, and time in which all must be well again.
const TROUBLE: Duration = Duration::from_secs(300);
const PEACE: Duration = Duration::from_secs(60);

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn new_claim(owner: &str) -> LeaseClaim {
    LeaseClaim::new(owner.to_owned(), TERM, PATIENCE)
}

/// The server's data.
#[derive(Default)]
struct Server {
    /// Whether the stream exists; otherwise requests are refused, as "stream not found".
    exists: bool,
    sequence: Revision,
    lease: Option<(Revision, Lease)>,
    down_until: Duration,
    slow_until: Duration,
}

impl Server {
    fn carry_out(&mut self, step: &LeaseStep, lease: &Lease) -> LeaseAnswer {
        if *step == LeaseStep::Prepare {
            self.exists = true;
            return LeaseAnswer::Prepared;
        }
        if !self.exists {
            return LeaseAnswer::Failed(FleetError::Failed("stream not found".to_owned()));
        }
        match *step {
            LeaseStep::Take(from) => {
                let revision = self.lease.as_ref().map_or(0, |(revision, _)| *revision);
                if revision != from {
                    return LeaseAnswer::Taken(None);
                }
                self.sequence += 1;
                self.lease = Some((self.sequence, lease.clone()));
                LeaseAnswer::Taken(Some(self.sequence))
            }
            _ => match &self.lease {
                Some((revision, lease)) => LeaseAnswer::Read(*revision, Some(lease.clone())),
                None => LeaseAnswer::Read(0, None),
            },
        }
    }
}

/// A request on its way, with the step, the lease that it writes, and when it has its effect.
struct Request {
    step: LeaseStep,
    lease: Lease,
    effect: Duration,
    /// The answer, once it has had its effect.
    answer: Option<LeaseAnswer>,
    /// When the answer arrives; the time limit is earlier if the collector has given up.
    arrives: Duration,
    /// When it was sent, on the clock of its collector.
    sent: Duration,
    gives_up: Duration,
}

struct Simulated {
    claim: LeaseClaim,
    born: Duration,
    /// How many per cent of real time its clock runs.
    rate: u32,
    cut_until: Duration,
    request: Option<Request>,
    ended: Option<String>,
}

impl Simulated {
    fn clock(&self, now: Duration) -> Duration {
        (now - self.born) * self.rate / 100
    }

    fn is_active(&self, now: Duration) -> bool {
        self.ended.is_none() && self.claim.is_active(self.clock(now))
    }
}

struct World {
    rng: Rng,
    now: Duration,
    server: Server,
    collectors: Vec<Simulated>,
    /// Requests whose senders have given up or died, which may still have an effect.
    adrift: Vec<Request>,
    born: u32,
    /// Number of times that another collector became active.
    changes: u32,
    active: Option<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        Self {
            rng: stream(&[seed]),
            now: ms(0),
            server: Server::default(),
            collectors: Vec::new(),
            adrift: Vec::new(),
            born: 0,
            changes: 0,
            active: None,
        }
    }

    fn one_in(&mut self, number: u32) -> bool {
        below(number, &mut self.rng) == 0
    }

    fn upto(&mut self, most: u32) -> Duration {
        ms(below(most, &mut self.rng).into())
    }

    fn start_collector(&mut self) {
        self.born += 1;
        self.collectors.push(Simulated {
            claim: new_claim(&format!("c{}", self.born)),
            born: self.now,
            rate: 95 + below(11, &mut self.rng),
            cut_until: ms(0),
            request: None,
            ended: None,
        });
    }

    /// Faults, on average one in some seconds.
    fn trouble(&mut self) {
        let now = self.now;
        if self.one_in(400) {
            self.server.down_until = now + self.upto(25_000);
        }
        if self.one_in(800) {
            // A wipe: the server comes back without its data. Connections break, so releases do not survive it.
            let sequence = u64::from(below(3, &mut self.rng));
            self.server = Server {
                down_until: now + self.upto(3000),
                ..Server::default()
            };
            self.server.sequence = sequence;
            self.adrift.retain(|request| !request.lease.released);
        }
        if self.one_in(300) {
            self.server.slow_until = now + self.upto(20_000);
        }
        for at in 0..self.collectors.len() {
            if self.one_in(600) {
                self.collectors[at].cut_until = now + self.upto(20_000);
            }
        }
        if self.one_in(500) && !self.collectors.is_empty() {
            let at = below(self.collectors.len() as u32, &mut self.rng) as usize;
            let gone = self.collectors.swap_remove(at);
            let ends_well = self.one_in(2);
            let owned = gone.claim.owned(gone.clock(now)).filter(|_| ends_well);
            if let Some(revision) = owned {
                let effect = now + self.upto(1000);
                self.adrift.push(Request {
                    step: LeaseStep::Take(revision),
                    lease: gone.claim.lease(true),
                    effect,
                    answer: None,
                    arrives: effect,
                    sent: now,
                    gives_up: effect,
                });
            }
            self.adrift.extend(gone.request);
        }
        if self.collectors.len() < 3 && self.one_in(200) {
            self.start_collector();
        }
    }

    /// The delays of a request and of its answer.
    fn delays(&mut self) -> [Duration; 2] {
        let most = if self.now < self.server.slow_until {
            8000
        } else {
            40
        };
        [self.upto(most), self.upto(most)]
    }

    fn tick(&mut self) {
        self.now += TICK;
        let now = self.now;
        for at in 0..self.collectors.len() {
            let delays = self.delays();
            let one = &mut self.collectors[at];
            if one.ended.is_some() {
                continue;
            }
            if let Some(mut request) = one.request.take_if(|request| {
                (request.answer.is_some() && request.arrives <= now) || request.gives_up <= now
            }) {
                let late = now < one.cut_until || request.arrives > now;
                let is_adrift = request.answer.is_none();
                let answer = request.answer.take().filter(|_| !late);
                let answer = answer.unwrap_or_else(|| {
                    LeaseAnswer::Failed(FleetError::Silent("no answer".to_owned()))
                });
                let answered = one.claim.answer(request.sent, one.clock(now), answer);
                one.ended = answered.err();
                if is_adrift {
                    self.adrift.push(request);
                }
                continue;
            }
            let clock = one.clock(now);
            let step = one.claim.step(clock);
            if one.request.is_none() && !matches!(step, LeaseStep::Wait(_) | LeaseStep::Collect(_))
            {
                // A request of a collector that is cut off travels when it is connected again.
                let effect = now.max(one.cut_until) + delays[0];
                one.request = Some(Request {
                    step,
                    lease: one.claim.lease(false),
                    effect,
                    answer: None,
                    arrives: effect + delays[1],
                    sent: clock,
                    gives_up: now + ANSWER,
                });
            }
        }
        if self.server.down_until <= now {
            let sent = self.collectors.iter_mut();
            let sent = sent.filter_map(|one| one.request.as_mut());
            for request in sent.chain(&mut self.adrift) {
                if request.answer.is_none() && request.effect <= now {
                    let answer = self.server.carry_out(&request.step, &request.lease);
                    request.answer = Some(answer);
                }
            }
        }
        self.adrift.retain(|request| request.answer.is_none());
    }

    fn active(&self) -> Vec<String> {
        let active = self.collectors.iter().filter(|one| one.is_active(self.now));
        active.map(|one| one.claim.owner.clone()).collect()
    }
}

/// Runs a schedule and returns how often another collector became active.
fn run(seed: u64) -> u32 {
    let mut world = World::new(seed);
    world.start_collector();
    while world.now < TROUBLE + PEACE {
        if world.now < TROUBLE {
            world.trouble();
        } else {
            let server = &mut world.server;
            server.slow_until = ms(0);
            server.down_until = server.down_until.min(TROUBLE);
            world.collectors.retain(|one| one.ended.is_none());
            for one in &mut world.collectors {
                one.cut_until = one.cut_until.min(TROUBLE);
            }
            if world.collectors.is_empty() {
                world.start_collector();
            }
        }
        world.tick();
        let active = world.active();
        assert!(
            active.len() < 2,
            "schedule {seed}, {:?}: {active:?} are active",
            world.now
        );
        if let Some(active) = active.first()
            && world.active.as_ref() != Some(active)
        {
            world.active = Some(active.clone());
            world.changes += 1;
        }
        for one in &world.collectors {
            let busy = "another collector is active";
            if let Some(error) = one.ended.as_ref().filter(|end| !end.contains(busy)) {
                let lived = world.now - one.born;
                assert!(
                    lived >= PATIENCE * 9 / 10,
                    "schedule {seed}: {error} after {lived:?}"
                );
            }
        }
    }
    assert_eq!(world.active().len(), 1, "schedule {seed}: nobody collects");
    world.changes
}

#[test]
fn at_most_one_collector_is_active_whatever_happens_and_one_is_when_all_is_well() {
    let changes: u32 = (0..200).map(run).sum();
    // The schedules are worth their name.
    assert!(changes > 600, "{changes}");
}

fn answered(claim: &mut LeaseClaim, now: u64, answer: LeaseAnswer) -> LeaseStep {
    claim.answer(ms(now), ms(now), answer).expect("no end");
    claim.step(ms(now))
}

fn other(released: bool) -> Lease {
    Lease {
        owner: "other".to_owned(),
        released,
    }
}

#[test]
fn a_released_lease_is_taken_at_once_and_renewed() {
    let mut claim = new_claim("me");
    assert_eq!(claim.step(ms(0)), LeaseStep::Prepare);
    assert_eq!(
        answered(&mut claim, 0, LeaseAnswer::Prepared),
        LeaseStep::Read
    );
    let read = LeaseAnswer::Read(7, Some(other(true)));
    assert_eq!(answered(&mut claim, 0, read), LeaseStep::Take(7));
    let taken = LeaseAnswer::Taken(Some(8));
    assert_eq!(answered(&mut claim, 0, taken), LeaseStep::Collect(ms(2000)));
    assert_eq!(claim.step(ms(2000)), LeaseStep::Take(8));
    // A service that fails does not end it, but it pauses.
    let failed = LeaseAnswer::Failed(FleetError::Failed("stream not found".to_owned()));
    answered(&mut claim, 2000, failed);
    assert!(claim.is_active(ms(3999)) && !claim.is_active(ms(4000)));
}

#[test]
fn a_lease_that_is_renewed_is_left_and_one_that_is_not_is_taken() {
    let mut claim = new_claim("me");
    answered(&mut claim, 0, LeaseAnswer::Prepared);
    let read = |revision| LeaseAnswer::Read(revision, Some(other(false)));
    assert_eq!(
        answered(&mut claim, 0, read(7)),
        LeaseStep::Wait(ms(400)),
        "looks again"
    );
    let mut renewed = claim.clone();
    let end = renewed.answer(ms(400), ms(400), read(8));
    let end = end.expect_err("an end");
    assert!(end.contains("another collector is active (other)"), "{end}");
    assert_eq!(answered(&mut claim, 8000, read(7)), LeaseStep::Take(7));
}

#[test]
fn a_server_that_forgets_while_a_collector_waits_is_prepared_again() {
    let mut claim = new_claim("me");
    answered(&mut claim, 0, LeaseAnswer::Prepared);
    answered(&mut claim, 0, LeaseAnswer::Read(7, Some(other(false))));
    let gone = || LeaseAnswer::Failed(FleetError::Failed("stream not found".to_owned()));
    answered(&mut claim, 400, gone());
    assert_eq!(claim.step(ms(1000)), LeaseStep::Prepare);
    answered(&mut claim, 1000, LeaseAnswer::Prepared);
    let read = LeaseAnswer::Read(0, None);
    assert_eq!(answered(&mut claim, 1000, read), LeaseStep::Take(0));
    // The other one may not have noticed.
    let taken = LeaseAnswer::Taken(Some(1));
    assert_eq!(answered(&mut claim, 1000, taken), LeaseStep::Wait(ms(3000)));
    assert!(!claim.is_active(ms(5999)));
    // A service that refuses everything from the start is not asked again, another one for some time.
    let mut refused = new_claim("me");
    assert!(refused.answer(ms(0), ms(0), gone()).is_err());
    let mut silent = new_claim("me");
    answered(&mut silent, 0, LeaseAnswer::Prepared);
    answered(&mut silent, 0, gone());
    let end = silent
        .answer(ms(30_000), ms(30_000), gone())
        .expect_err("an end");
    assert!(end.contains("start the command again"), "{end}");
}
