//! The claim of a collector to be the only active one: a state machine without a clock and without a service.
//!
//! A lease is a message at the service that names its owner. Each change of it names the revision that it
//! replaces, so of two changes at once only one succeeds. The owner renews it. These rules make at most one
//! collector active at any time, whatever dies, hangs or forgets:
//!
//! - An owner is active for [`LeaseClaim::validity`] after it *asked* for its last successful renewal, and never
//!   longer, whether or not the service answers.
//! - A collector that finds the lease of another one takes it after [`LeaseClaim::term`] without a renewal.
//! - A collector that finds no lease, or its own, cannot know what the service has lost, or which request from before
//!   still travels. It takes the lease and waits [`LeaseClaim::settling`] before it is active: an owner from before is
//!   no longer active then.
//! - A lease that its owner has released is free at once.
//!
//! Clocks may run at different speeds up to the ratio of `settling` to `validity`, and the release of a collector that
//! ends must not arrive after the service has lost its data.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::link::{FleetError, RETRY, Revision};

/// The message at the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lease {
    /// The name of the collector that has it, or had it.
    pub(super) owner: String,
    /// Whether its owner has given it up.
    pub(super) released: bool,
}

impl Lease {
    pub(super) fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a lease has only plain values")
    }

    /// The lease in these bytes. Others are treated as the lease of a collector without a name.
    pub(super) fn decode(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_else(|_| Self {
            owner: String::new(),
            released: false,
        })
    }
}

/// What a claim asks for next. Times are counted from any moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LeaseStep {
    /// Create what the service lacks.
    Prepare,
    /// Read the lease.
    Read,
    /// Replace the lease with this revision by one's own.
    Take(Revision),
    /// Do nothing until this time.
    Wait(Duration),
    /// Collect; the next step is due no later than this time.
    Collect(Duration),
}

/// The answer of the service to a step.
#[derive(Debug)]
pub(super) enum LeaseAnswer {
    /// Everything exists.
    Prepared,
    /// The revision and the lease, if there is one.
    Read(Revision, Option<Lease>),
    /// The new revision, or `None` if the lease had another one.
    Taken(Option<Revision>),
    /// The service did not do what was asked.
    Failed(FleetError),
}

/// Where a claim stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ClaimPhase {
    Unprepared,
    Unread,
    /// Another collector's lease, first seen at this time.
    Watched {
        revision: Revision,
        lease: Lease,
        since: Duration,
        looked: Duration,
    },
    /// The lease with this revision is to be taken; `settles` if another collector may be active.
    Free {
        revision: Revision,
        settles: bool,
    },
    /// Taken or renewed by a request sent at `renewed`; active from `active` on.
    Owned {
        revision: Revision,
        renewed: Duration,
        active: Duration,
    },
}

/// The claim of one collector.
#[derive(Clone, Debug)]
pub(super) struct LeaseClaim {
    owner: String,
    /// Time without a renewal after which others may take the lease.
    term: Duration,
    /// Time for which a service that fails is asked again before this collector was active.
    patience: Duration,
    phase: ClaimPhase,
    /// Whether the service has ever prepared everything.
    was_prepared: bool,
    /// Whether this collector was ever active.
    was_active: bool,
    /// When the service failed first since it last answered, and when it is asked again.
    failing: Option<(Duration, Duration)>,
}

impl LeaseClaim {
    /// The claim of the collector of this name, which no other one has, with the term of the lease and the patience with
    /// a service that fails at the start.
    pub(super) const fn new(owner: String, term: Duration, patience: Duration) -> Self {
        Self {
            owner,
            term,
            patience,
            phase: ClaimPhase::Unprepared,
            was_prepared: false,
            was_active: false,
            failing: None,
        }
    }

    /// Time between two renewals.
    fn renewal(&self) -> Duration {
        self.term / 4
    }

    /// Time for which an owner is active after a renewal.
    fn validity(&self) -> Duration {
        self.term / 2
    }

    /// Time that a collector waits after it has taken a lease of which it cannot know whether another one was active.
    fn settling(&self) -> Duration {
        self.term * 5 / 8
    }

    /// Time between two looks at another collector's lease.
    fn look(&self) -> Duration {
        self.term / 20
    }

    pub(super) fn lease(&self, released: bool) -> Lease {
        Lease {
            owner: self.owner.clone(),
            released,
        }
    }

    /// The revision of the lease if nobody else can have taken it by now.
    pub(super) fn owned(&self, now: Duration) -> Option<Revision> {
        match self.phase {
            ClaimPhase::Owned {
                revision, renewed, ..
            } if now < renewed + self.validity() => Some(revision),
            _ => None,
        }
    }

    /// A sentence about why this collector waits, unless it waits for the service.
    pub(super) fn why_it_waits(&self) -> Option<String> {
        let seconds = |time: Duration| time.as_secs_f64().ceil();
        match &self.phase {
            ClaimPhase::Watched { lease, .. } => Some(format!(
                "waiting up to {} s to see whether the collector {} is still active",
                seconds(self.term),
                lease.owner
            )),
            ClaimPhase::Owned { .. } => Some(format!(
                "waiting {} s: a collector that this server no longer knows may still be active",
                seconds(self.settling())
            )),
            _ => None,
        }
    }

    /// Whether this collector is the active one.
    pub(super) fn is_active(&self, now: Duration) -> bool {
        match self.phase {
            ClaimPhase::Owned {
                renewed, active, ..
            } => active <= now && now < renewed + self.validity(),
            _ => false,
        }
    }

    /// What to do at this time.
    pub(super) fn step(&self, now: Duration) -> LeaseStep {
        let retry = self.failing.map(|(_, retry)| retry);
        if let Some(retry) = retry.filter(|&retry| now < retry) {
            return match self.is_active(now) {
                true => LeaseStep::Collect(retry),
                false => LeaseStep::Wait(retry),
            };
        }
        match self.phase {
            ClaimPhase::Unprepared => LeaseStep::Prepare,
            ClaimPhase::Unread => LeaseStep::Read,
            ClaimPhase::Watched { looked, .. } => {
                let look = looked + self.look();
                match now < look {
                    true => LeaseStep::Wait(look),
                    false => LeaseStep::Read,
                }
            }
            ClaimPhase::Free { revision, .. } => LeaseStep::Take(revision),
            ClaimPhase::Owned {
                revision,
                renewed,
                active,
            } => {
                let due = renewed + self.renewal();
                if due <= now {
                    LeaseStep::Take(revision)
                } else if now < active {
                    LeaseStep::Wait(due.min(active))
                } else {
                    LeaseStep::Collect(due)
                }
            }
        }
    }

    /// Takes the answer, at the time `now`, to a step that was asked for at the time `sent`.
    pub(super) fn answer(
        &mut self,
        sent: Duration,
        now: Duration,
        answer: LeaseAnswer,
    ) -> Result<(), String> {
        match answer {
            LeaseAnswer::Failed(error) => return self.fail(now, error),
            LeaseAnswer::Prepared => {
                self.was_prepared = true;
                self.phase = ClaimPhase::Unread;
            }
            LeaseAnswer::Read(revision, lease) => {
                self.failing = None;
                self.phase = self.seen(revision, lease, now)?;
            }
            LeaseAnswer::Taken(Some(revision)) => {
                self.failing = None;
                let active = match self.phase {
                    // Without a gap since the last renewal, nobody else can have become active.
                    ClaimPhase::Owned {
                        renewed, active, ..
                    } if now < renewed + self.validity() => active,
                    ClaimPhase::Free { settles: false, .. } => now,
                    _ => now + self.settling(),
                };
                self.phase = ClaimPhase::Owned {
                    revision,
                    renewed: sent,
                    active,
                };
                self.was_active |= active <= now;
            }
            LeaseAnswer::Taken(None) => self.phase = ClaimPhase::Unread,
        }
        Ok(())
    }

    /// What follows from a lease that was read.
    fn seen(
        &self,
        revision: Revision,
        lease: Option<Lease>,
        now: Duration,
    ) -> Result<ClaimPhase, String> {
        let Some(lease) = lease.filter(|lease| lease.owner != self.owner) else {
            let settles = true;
            return Ok(ClaimPhase::Free { revision, settles });
        };
        let settles = false;
        if lease.released {
            return Ok(ClaimPhase::Free { revision, settles });
        }
        let since = match &self.phase {
            ClaimPhase::Watched {
                revision: earlier,
                lease: other,
                since,
                ..
            } => {
                if (*earlier, other) != (revision, &lease) {
                    return Err(format!(
                        "another collector is active ({}); only one can be active at a time",
                        lease.owner
                    ));
                }
                *since
            }
            _ => now,
        };
        if since + self.term <= now {
            return Ok(ClaimPhase::Free { revision, settles });
        }
        Ok(ClaimPhase::Watched {
            revision,
            lease,
            since,
            looked: now,
        })
    }

    /// A service that fails is asked again, for ever once this collector was active. It may have lost everything.
    fn fail(&mut self, now: Duration, error: FleetError) -> Result<(), String> {
        let (since, _) = *self.failing.get_or_insert((now, now));
        let is_refusal = matches!(error, FleetError::Failed(_)) && !self.was_prepared;
        let is_too_long = since + self.patience <= now;
        if !self.was_active && is_refusal {
            return Err(error.to_string());
        }
        if !self.was_active && is_too_long {
            let seconds = self.patience.as_secs();
            return Err(format!(
                "the server has failed for {seconds} s ({error}); nothing is lost: start the command again when it answers"
            ));
        }
        self.failing = Some((since, now + RETRY));
        if !self.is_active(now) {
            self.phase = ClaimPhase::Unprepared;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
