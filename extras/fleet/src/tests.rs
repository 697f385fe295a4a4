mod memory;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;
use tempfile::TempDir;

use self::memory::MemoryFleet;
use super::*;
use patchwork_test_support::tournaments::{plan, random_entry};
use patchwork_tournament::export::write_json_lines;
use patchwork_tournament::ledger;
use patchwork_tournament::{
    Executor as _, Format, GameAddress, LocalThreads, Manifest, PlannedGame, PlaySummary,
    PlayablePlan, Players, Results, Streams, TournamentError,
};

/// A tournament and its folder.
struct Table {
    above: TempDir,
    manifest: Manifest,
}

impl Table {
    fn new(format: impl Into<Format>, pairs: u32) -> Self {
        let plan = plan(&["a", "b", "c", "d"], format, pairs).unwrap();
        Self {
            above: tempfile::tempdir().unwrap(),
            manifest: Manifest::new("t".to_owned(), plan),
        }
    }

    fn dir(&self) -> PathBuf {
        self.above.path().join("t")
    }

    /// The export of the tournament when one machine plays everything.
    fn expected(&self) -> Vec<u8> {
        let mut results = Results::empty(self.manifest.clone());
        let mut threads = LocalThreads(2.try_into().unwrap());
        threads
            .play(&mut results, &Stop::new(), &mut |_, _| ())
            .unwrap();
        exported(&results)
    }

    fn export(&self) -> Vec<u8> {
        exported(&Results::read(&self.dir()).unwrap())
    }

    /// Collects until the end.
    fn collect(&self, link: &MemoryFleet) -> PlaySummary {
        self.collect_until(link, &Stop::new(), || ()).unwrap()
    }

    fn collect_with(
        &self,
        link: &MemoryFleet,
        options: &CollectOptions,
    ) -> Result<PlaySummary, TournamentError> {
        self.collect_as(link, options, &Stop::new(), |_| (), || ())
    }

    fn collect_until(
        &self,
        link: &MemoryFleet,
        stop: &Stop,
        watch: impl FnMut(),
    ) -> Result<PlaySummary, TournamentError> {
        self.collect_as(link, &options(), stop, |_| (), watch)
    }

    fn collect_as(
        &self,
        link: &MemoryFleet,
        options: &CollectOptions,
        stop: &Stop,
        note: impl FnMut(&str),
        mut watch: impl FnMut(),
    ) -> Result<PlaySummary, TournamentError> {
        let mut intake = Results::open(&self.dir(), &self.manifest).unwrap();
        let mut collector = Collector::claim(link, options, stop, note)?;
        collector.play(&mut intake, stop, &mut |_, _| watch())
    }

    /// The number of games in the folder.
    fn stored(&self) -> usize {
        Results::read(&self.dir()).unwrap().games.len()
    }
}

fn exported(results: &Results) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_json_lines(results, &mut bytes).unwrap();
    bytes
}

fn options() -> CollectOptions {
    static COLLECTORS: AtomicU32 = AtomicU32::new(0);
    CollectOptions {
        name: format!("c{}", COLLECTORS.fetch_add(1, Ordering::Relaxed)),
        window: Some(16),
        takes_over: false,
        wait: Duration::from_millis(300),
        audit: Duration::from_millis(100),
    }
}

fn worker(name: &str) -> WorkOptions {
    WorkOptions {
        name: name.to_owned(),
        threads: 2.try_into().unwrap(),
        allows_external: false,
        patience: None,
        most_deliveries: 5,
    }
}

/// Runs `body` while workers play.
fn with_workers<T>(link: &MemoryFleet, count: u32, body: impl FnOnce() -> T) -> T {
    let stop = Stop::new();
    thread::scope(|scope| {
        for number in 0..count {
            let (stop, options) = (&stop, worker(&format!("w{number}")));
            scope.spawn(move || work(link, &options, stop).unwrap());
        }
        let done = body();
        stop.set();
        done
    })
}

/// The next task, as a worker gets it.
fn take(link: &MemoryFleet) -> (FleetTask, Delivered) {
    let delivered = loop {
        if let Some(delivered) = link.task(Duration::MAX).unwrap() {
            break delivered;
        }
    };
    (FleetTask::decode(&delivered.body).unwrap(), delivered)
}

fn answer(task: &FleetTask, verdict: TaskVerdict) -> FleetOutcome {
    FleetOutcome::new(task, "tester", verdict)
}

#[test]
fn a_fleet_plays_what_one_machine_plays() {
    let table = Table::new(Format::RoundRobin, 5);
    let link = MemoryFleet::default();
    let done = with_workers(&link, 2, || table.collect(&link));
    assert!(done.complete, "{done:?}");
    let games = table.stored();
    assert_eq!((done.different, done.garbage, done.refused), (0, 0, 0));
    assert_eq!(table.export(), table.expected());
    // Who played what is stored beside the records.
    let ledger = rusqlite::Connection::open(table.dir().join(ledger::GAMES)).unwrap();
    let known = "SELECT count(*) FROM deliveries JOIN games USING (game) WHERE worker LIKE 'w%'";
    let known: i64 = ledger.query_row(known, [], |row| row.get(0)).unwrap();
    assert_eq!(known as usize, games);
    // Complete: nothing is published again.
    let again = table.collect(&MemoryFleet::default());
    assert!(again.complete && table.stored() == games);
}

#[test]
#[ignore = "a fleet"]
fn a_server_that_loses_everything_or_falls_back_gets_the_rest_again() {
    let table = Table::new(Format::RoundRobin, 10);
    let link = MemoryFleet::default();
    let filled = || {
        while link.queued().unwrap().len() < 16 {
            thread::sleep(Duration::from_millis(5));
        }
    };
    let done = thread::scope(|scope| {
        let collected = scope.spawn(|| {
            let mut games = 0;
            let mut copy = None;
            table.collect_until(&link, &Stop::new(), || {
                games += 1;
                match games {
                    1 => copy = Some(link.copy()),
                    60 => link.restore(copy.as_ref()),
                    _ => {}
                }
            })
        });
        filled();
        link.restore(None);
        // All missing pairs are published again before any worker plays.
        filled();
        link.set_down(true);
        thread::sleep(Duration::from_millis(500));
        link.set_down(false);
        with_workers(&link, 1, || collected.join().unwrap().unwrap())
    });
    assert!(done.complete && done.again >= 16, "{done:?}");
    assert_eq!((table.stored(), done.different), (120, 0));
    assert_eq!(table.export(), table.expected());
}

#[test]
fn a_pair_that_was_played_twice_counts_once() {
    let table = Table::new(Format::RoundRobin, 2);
    let link = MemoryFleet::default();
    thread::scope(|scope| {
        let collected = scope.spawn(|| table.collect(&link));
        // A worker that sleeps for longer than the wait, and publishes nevertheless.
        let (task, delivered) = take(&link);
        thread::sleep(Duration::from_millis(500));
        let plan = &table.manifest.plan;
        let games = task.legs.iter();
        let games = games.map(|&leg| game_of(&table, plan.index(task.pair.game(leg))));
        let played = answer(&task, TaskVerdict::Played(games.collect()));
        for _ in 0..2 {
            link.publish_outcome(&played.encode().unwrap()).unwrap();
        }
        delivered.receipt.acknowledge().unwrap();
        let done = with_workers(&link, 1, || collected.join().unwrap());
        assert!(done.complete && done.doubles >= 2, "{done:?}");
        assert_eq!((table.stored(), done.different), (24, 0));
    });
    assert_eq!(table.export(), table.expected());
}

#[test]
fn garbage_forgeries_and_other_versions_are_refused() {
    let table = Table::new(Format::RoundRobin, 2);
    let link = MemoryFleet::default();
    let mut notes = Vec::new();
    let done = thread::scope(|scope| {
        let (link, table, notes) = (&link, &table, &mut notes);
        let collected = scope.spawn(move || {
            let note = |text: &str| notes.push(text.to_owned());
            table.collect_as(link, &options(), &Stop::new(), note, || ())
        });
        let (task, _) = take(link);
        let (plan, streams) = (&table.manifest.plan, Streams::new(&table.manifest.plan));
        let game = plan.game(plan.index(task.pair.game(0))).unwrap();
        let setup = streams.setup(game);
        let mut rng = stream(&[5]);
        let PlannedGame { id, seats } = game;
        let mut forge = |change: &dyn Fn(&mut Entry)| {
            let mut entry = random_entry(id, seats, &setup, &mut rng, |_, _| Default::default());
            change(&mut entry);
            let games = vec![(streams.address(game), entry)];
            answer(&task, TaskVerdict::Played(games))
        };
        let illegal = forge(&|entry| entry.record.scores[0] += 1);
        let untimed = forge(&|entry| entry.nanos.truncate(1));
        let mut stranger = forge(&|_| ());
        stranger.play = "0123456789abcdef".to_owned();
        let mut old = forge(&|_| ());
        old.plan = "0123456789abcdef".to_owned();
        let mut elsewhere = forge(&|_| ());
        if let TaskVerdict::Played(games) = &mut elsewhere.verdict {
            games[0].0.seed += 1;
        }
        for outcome in [&illegal, &untimed, &stranger, &stranger, &old, &elsewhere] {
            link.publish_outcome(&outcome.encode().unwrap()).unwrap();
        }
        let mut flipped = illegal.encode().unwrap();
        *flipped.last_mut().unwrap() ^= 1;
        let long = vec![b'x'; MAX_OUTCOME_BYTES + 1];
        for bytes in [&b""[..], b"{}\n", &[0xff; 100], &flipped, &long] {
            link.publish_outcome(bytes).unwrap();
            link.push_task(bytes);
        }
        with_workers(link, 1, || collected.join().unwrap())
    });
    let done = done.unwrap();
    assert!(done.complete, "{done:?}");
    assert_eq!((done.garbage, done.refused, table.stored()), (6, 5, 24));
    let notes = notes.join("\n");
    assert_eq!(
        notes
            .matches("has the version of play 0123456789abcdef")
            .count(),
        1,
        "{notes}"
    );
    assert!(notes.contains("not a legal game: its scores"), "{notes}");
    assert!(notes.contains("a time for each ply"), "{notes}");
    assert!(notes.contains("the plan has no such game"), "{notes}");
    assert_eq!(table.export(), table.expected());
}

#[test]
#[ignore = "a fleet"]
fn a_pair_that_kills_every_worker_is_given_up_and_named() {
    let table = Table::new(Format::RoundRobin, 2);
    let link = MemoryFleet::default();
    let stop = Stop::new();
    let deadly = PairKey {
        pairing: 3,
        pair: 1,
    };
    let done = thread::scope(|scope| {
        let (link, stop) = (&link, &stop);
        let collected = scope.spawn(|| table.collect(link));
        scope.spawn(move || {
            // A worker that dies whenever it gets this pair; the other pairs are left to the real worker.
            let mut deaths = 0;
            while deaths < 6 && !stop.is_set() {
                let taken = link.task(Duration::from_millis(20)).unwrap();
                let Some(delivered) = taken else { continue };
                let task = FleetTask::decode(&delivered.body).unwrap();
                if task.pair == deadly {
                    deaths = delivered.deliveries;
                    continue;
                }
                let returned = answer(&task, TaskVerdict::Returned).encode().unwrap();
                link.publish_outcome(&returned).unwrap();
                delivered.receipt.acknowledge().unwrap();
                thread::sleep(Duration::from_millis(10));
            }
            work(link, &worker("w"), stop).unwrap();
        });
        let done = collected.join().unwrap();
        stop.set();
        done
    });
    assert!(!done.complete, "{done:?}");
    let (name, why) = done.given_up.first_key_value().unwrap();
    assert_eq!((done.given_up.len(), &**name), (1, "b|c/1"));
    assert!(
        why.starts_with("delivered ") && why.contains("no worker finished it"),
        "{why}"
    );
    assert_eq!(table.stored(), 22);
    // The next collector tries the pair again.
    let done = with_workers(&link, 1, || table.collect(&link));
    assert!(done.complete && table.stored() == 24, "{done:?}");
    assert_eq!(table.export(), table.expected());
}

/// The name of the collector beside the queue.
fn collector_of(link: &MemoryFleet) -> String {
    let name = link
        .kept(KeptMessage::Collector)
        .unwrap()
        .unwrap_or_default();
    String::from_utf8(name).unwrap()
}

#[test]
fn a_second_collector_is_refused_with_the_name_of_the_first() {
    let table = Table::new(Format::RoundRobin, 2);
    let other = Table::new(Format::RoundRobin, 1);
    let link = MemoryFleet::default();
    let stop = Stop::new();
    thread::scope(|scope| {
        let first = scope.spawn(|| table.collect_until(&link, &stop, || ()).unwrap());
        while collector_of(&link).is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        let refused = other.collect_with(&link, &options()).unwrap_err();
        let name = collector_of(&link);
        let sentence = format!("the fleet has another collector: {name}; if it has died, ");
        assert!(refused.to_string().starts_with(&sentence), "{refused}");
        stop.set();
        assert!(!first.join().unwrap().complete);
    });
    // It has removed its name.
    let done = with_workers(&link, 1, || other.collect_with(&link, &options()));
    assert!(done.unwrap().complete);
    assert_eq!(other.export(), other.expected());
    // A killed collector has not.
    link.keep(KeptMessage::Collector, b"dead\x1b[31m").unwrap();
    let refused = table.collect_with(&link, &options()).unwrap_err();
    assert!(refused.to_string().contains(": dead [31m;"), "{refused}");
    let next = CollectOptions {
        takes_over: true,
        ..options()
    };
    let done = with_workers(&link, 1, || table.collect_with(&link, &next));
    assert!(done.unwrap().complete && collector_of(&link).is_empty());
    assert_eq!(table.export(), table.expected());
}

#[test]
fn a_collector_that_was_replaced_ends_and_costs_the_other_one_nothing() {
    let tables = [2, 3].map(|pairs| Table::new(Format::RoundRobin, pairs));
    let link = MemoryFleet::default();
    let next = CollectOptions {
        takes_over: true,
        ..options()
    };
    thread::scope(|scope| {
        let first = scope.spawn(|| tables[0].collect_with(&link, &options()));
        while link.queued().unwrap().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        let (replaced, done) = with_workers(&link, 1, || {
            let done = tables[1].collect_with(&link, &next);
            (first.join().unwrap(), done)
        });
        assert!(done.unwrap().complete);
        // It goes on if the other one has ended by the time that it looks.
        if let Err(replaced) = replaced {
            let sentence = format!("the fleet has another collector: {};", next.name);
            assert!(replaced.to_string().starts_with(&sentence), "{replaced}");
        }
    });
    assert_eq!(tables[1].export(), tables[1].expected());
}

#[test]
fn what_was_stored_and_not_acknowledged_counts_once() {
    let table = Table::new(Format::RoundRobin, 1);
    let link = MemoryFleet::default();
    link.set_deadly(true);
    let died = with_workers(&link, 1, || {
        catch_unwind(AssertUnwindSafe(|| table.collect(&link)))
    });
    died.expect_err("dead");
    assert_eq!(Results::read(&table.dir()).unwrap().games.len(), 2);
    link.set_deadly(false);
    // From then on, the outcome that was not acknowledged is delivered again.
    thread::sleep(link.wait());
    let done = with_workers(&link, 1, || table.collect(&link));
    assert!(done.complete, "{done:?}");
    // The first pair arrives again, and so may others that were played in between.
    assert!(table.stored() == 12 && done.doubles >= 2, "{done:?}");
    assert_eq!(table.export(), table.expected());
}

#[test]
fn a_worker_that_ends_gives_its_pairs_back_at_once() {
    let table = Table::new(Format::RoundRobin, 2);
    let link = MemoryFleet::default();
    // Within the test, no message is delivered again by itself.
    let slow = CollectOptions {
        wait: Duration::from_secs(600),
        ..options()
    };
    thread::scope(|scope| {
        let collected = scope.spawn(|| table.collect_with(&link, &slow).unwrap());
        let (task, delivered) = take(&link);
        let returned = answer(&task, TaskVerdict::Returned).encode().unwrap();
        link.publish_outcome(&returned).unwrap();
        delivered.receipt.acknowledge().unwrap();
        let done = with_workers(&link, 1, || collected.join().unwrap());
        assert!(done.complete);
    });
    assert_eq!(table.export(), table.expected());
}

#[test]
fn a_worker_does_not_play_what_it_must_not() {
    let table = Table::new(Format::RoundRobin, 1);
    let link = MemoryFleet::default();
    let mut manifest = table.manifest.clone();
    manifest.play = "0123456789abcdef".to_owned();
    let plan = encode_plan(&manifest).unwrap();
    link.keep(KeptMessage::Plan, &plan).unwrap();
    let error = work(&link, &worker("w"), &Stop::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("all machines need the same version"),
        "{error}"
    );
    // A worker without tasks ends after its patience.
    let link = MemoryFleet::default();
    let patient = WorkOptions {
        patience: Some(Duration::from_millis(100)),
        ..worker("w")
    };
    let report = work(&link, &patient, &Stop::new()).unwrap();
    assert_eq!((report.games, report.failures), (0, 0));
}

/// A game of a plan by its number, and its record.
fn game_of(table: &Table, number: u64) -> (GameAddress, Entry) {
    let plan = &table.manifest.plan;
    let playable = PlayablePlan::new(plan);
    let game = plan.game(number).unwrap();
    let played = Players::new(&playable).play(game, &Stop::new());
    (
        playable.streams.address(game),
        played.unwrap().unwrap().entry,
    )
}

#[test]
fn a_fleet_plays_listed_games_of_one_plan_after_another() {
    let link = MemoryFleet::default();
    let [first, second] = [2, 3].map(|pairs| Table::new(Format::RoundRobin, pairs));
    let lists = [
        (&first, vec![5, 4, 0, 0]),
        // One game of a pair is wanted, and two games are repeated.
        (&second, vec![7, 0, 35]),
        (&first, vec![0]),
        (&first, vec![]),
    ];
    with_workers(&link, 2, || {
        let (options, stop) = (options(), Stop::new());
        let mut collector = Collector::claim(&link, &options, &stop, |_| ()).unwrap();
        for (table, numbers) in lists {
            let plan = &table.manifest.plan;
            let games: Vec<_> = numbers.iter().map(|&n| plan.game(n).unwrap()).collect();
            let mut kept = Vec::new();
            let mut results = Results::empty(table.manifest.clone());
            results.schedule.restrict_to(&games);
            collector
                .play(&mut results, &stop, &mut |entry, _| {
                    kept.push(entry.clone())
                })
                .unwrap();
            assert!(results.schedule.is_complete() && results.games.len() == kept.len());
            let mut expected: Vec<u64> = numbers;
            expected.sort_unstable();
            expected.dedup();
            kept.sort_by_key(|entry| entry.record.id);
            let alone = expected.iter().map(|&n| game_of(table, n).1.record);
            assert!(kept.into_iter().map(|entry| entry.record).eq(alone));
        }
    });
}

#[test]
fn a_service_that_is_silent_at_the_start_is_asked_again() {
    let link = MemoryFleet::default();
    link.set_down(true);
    let mut notes = Vec::new();
    let note = |text: &str| {
        notes.push(text.to_owned());
        link.set_down(false);
    };
    drop(Collector::claim(&link, &options(), &Stop::new(), note).unwrap());
    assert_eq!(
        notes,
        ["the server failed: the server is down; trying again"]
    );
    // A collector that is stopped does not wait.
    link.set_down(true);
    let (options, stop) = (options(), Stop::new());
    stop.set();
    drop(Collector::claim(&link, &options, &stop, |_| ()).unwrap());
}

#[test]
#[ignore = "a fleet"]
fn a_server_that_loses_its_data_before_the_plan_is_set_is_asked_again() {
    let table = Table::new(Format::RoundRobin, 1);
    let link = MemoryFleet::default();
    let (options, stop) = (options(), Stop::new());
    let collect = |error: fn() -> FleetError| {
        let mut collector = Collector::claim(&link, &options, &stop, |_| ()).unwrap();
        link.fail_plan(error);
        let mut intake = Results::open(&table.dir(), &table.manifest).unwrap();
        with_workers(&link, 1, || {
            collector.play(&mut intake, &stop, &mut |_, _| ())
        })
    };
    let refused = collect(|| FleetError::Refused("too large".to_owned()));
    assert_eq!(refused.unwrap_err().to_string(), "too large");
    let lost = || FleetError::Failed("patchwork.state.plan: stream not found".to_owned());
    assert!(collect(lost).unwrap().complete);
}

#[test]
fn games_of_an_earlier_plan_are_neither_kept_nor_garbage() {
    let link = MemoryFleet::default();
    let [first, second] = [1, 2].map(|pairs| Table::new(Format::RoundRobin, pairs));
    let (options, stop) = (options(), Stop::new());
    let mut collector = Collector::claim(&link, &options, &stop, |_| ()).unwrap();
    for (table, stored) in [(&first, 12), (&second, 24)] {
        let mut intake = Results::open(&table.dir(), &table.manifest).unwrap();
        let mut is_late = true;
        let done = with_workers(&link, 1, || {
            collector.play(&mut intake, &stop, &mut |_, _| {
                // A worker that was asleep returns a pair of the first plan.
                if std::mem::take(&mut is_late) {
                    let pair = PairKey {
                        pairing: 0,
                        pair: 0,
                    };
                    let task = FleetTask::new(&first.manifest, pair, vec![0], 1);
                    let late = answer(&task, TaskVerdict::Played(vec![game_of(&first, 0)]));
                    link.publish_outcome(&late.encode().unwrap()).unwrap();
                }
            })
        });
        let done = done.unwrap();
        assert!(done.complete, "{done:?}");
        assert_eq!((table.stored(), done.garbage, done.refused), (stored, 0, 0));
    }
}

#[test]
fn listed_games_that_nobody_can_play_are_named() {
    let table = Table::new(Format::RoundRobin, 2);
    let link = MemoryFleet::default();
    let plan = &table.manifest.plan;
    thread::scope(|scope| {
        let played = scope.spawn(|| {
            let options = options();
            let mut collector = Collector::claim(&link, &options, &Stop::new(), |_| ()).unwrap();
            let games: Vec<_> = (0..4).map(|n| plan.game(n).unwrap()).collect();
            let mut results = Results::empty(table.manifest.clone());
            results.schedule.restrict_to(&games);
            let summary = collector
                .play(&mut results, &Stop::new(), &mut |_, _| ())
                .unwrap();
            let error = summary.check_whole().unwrap_err();
            (results.games.len(), error.to_string())
        });
        let mut failures = 0;
        while failures < 3 {
            let (task, delivered) = take(&link);
            let verdict = if task.pair.pair == 1 {
                failures += 1;
                TaskVerdict::Failed("the disk is full".to_owned())
            } else {
                TaskVerdict::Played(vec![game_of(&table, 0), game_of(&table, 1)])
            };
            link.publish_outcome(&answer(&task, verdict).encode().unwrap())
                .unwrap();
            delivered.receipt.acknowledge().unwrap();
        }
        let (kept, said) = played.join().unwrap();
        assert_eq!(kept, 2);
        assert_eq!(
            said,
            "the fleet has given up the pair a|b/1: the disk is full (worker tester)"
        );
    });
}

#[test]
fn messages_survive_the_way_and_nothing_else_does() {
    let table = Table::new(Format::RoundRobin, 1);
    let pair = PairKey {
        pairing: 1,
        pair: 2,
    };
    let task = FleetTask::new(&table.manifest, pair, vec![0, 1], 7);
    assert_eq!(FleetTask::decode(&task.encode()).unwrap(), task);
    for (old, new) in [
        ("[0,1]", "[1,0]"),
        ("\"format\":2", "\"format\":3"),
        ("{", "{\"x\":1,"),
    ] {
        let text = String::from_utf8(task.encode()).unwrap();
        assert!(text.contains(old), "{text}");
        FleetTask::decode(text.replacen(old, new, 1).as_bytes()).unwrap_err();
    }
    FleetTask::decode(&vec![b' '; MAX_TASK_BYTES + 1]).unwrap_err();
    // Messages that are quoted in errors cannot write to the terminal.
    let hostile = "{\"\u{9b}31m\u{7f}\":2}\n";
    let refused = FleetOutcome::decode(hostile.as_bytes()).unwrap_err();
    assert!(!refused.to_string().contains(char::is_control), "{refused}");
    let mut outcome = answer(&task, TaskVerdict::Failed("a\nb".to_owned()));
    let read = FleetOutcome::decode(&outcome.encode().unwrap()).unwrap();
    assert_eq!(read.verdict, TaskVerdict::Failed("a b".to_owned()));
    outcome.worker = "a b".to_owned();
    FleetOutcome::decode(&outcome.encode().unwrap()).unwrap_err();
    for name in ["", "a b", "ü", &"x".repeat(65)] {
        assert!(
            check_worker_name(name)
                .unwrap_err()
                .contains("cannot name a worker")
        );
    }
    let packed = encode_plan(&table.manifest).unwrap();
    assert_eq!(decode_plan(&packed).unwrap(), table.manifest);
    for bytes in [&b""[..], &packed[..packed.len() / 2], b"{}"] {
        assert!(decode_plan(bytes).is_err());
    }
}
