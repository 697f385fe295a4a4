//! Workers that play, end, die, hang, or must not play.

use std::fs;
use std::io::Write as _;
use std::thread::sleep;
use std::time::Duration;

use patchwork_fleet::nats::{NatsFleet, NatsOptions};
use patchwork_fleet::{FleetLink, FleetTask, KeptMessage};

use crate::fleet::Fleet;
use patchwork_test_support::bots::{processes, script, write_bot};
use patchwork_test_support::program::{CommandLine as _, Workspace, expect_in, wait_until};

/// A round robin of other agents and a bot that waits while the file `closed` exists.
fn gated(others: &str, pairs: u32) -> Option<Fleet> {
    let file = format!(
        "name = 't'\nseed = 5\ntrack = 'original'\nagents = ['gated', {others}]\npairs = {pairs}\n"
    );
    let go = "while [ -e \"$WORKSPACE/closed\" ]; do sleep 0.1; done; echo legal";
    let bot = |home: &Workspace| write_bot(home, "gated", &script("", go), "");
    let fleet = Fleet::of(&file, bot)?;
    fleet.home.write("closed", "");
    Some(fleet)
}

/// Waits until this many bots are playing.
fn wait_for_bots(fleet: &Fleet, bots: usize) {
    let is_bot = |process: &String| process.contains("gated.sh");
    wait_until("the bots play", || {
        let processes = processes(&fleet.home);
        processes.iter().filter(|process| is_bot(process)).count() >= bots
    });
}

/// Lets the bots move.
fn open_gate(fleet: &Fleet) {
    fs::remove_file(fleet.home.path("closed")).expect("removed");
}

/// The number of games that a worker reports.
fn games_of(said: &str) -> u32 {
    let (_, games) = said.split_once(": ").expect("a name");
    let (games, _) = games.split_once(" game").expect("a number of games");
    games.parse().expect("a number")
}

#[test]
fn two_workers_play_what_one_machine_plays() {
    let Some(fleet) = gated("'random', 'greedy-inorder', 'mcts-fast'", 3) else {
        return;
    };
    let workers = ["w1", "w2"].map(|name| fleet.worker_of_bots(name));
    // With a short wait, a busy machine can renew a pair too late; the pair is then played twice.
    let collector = fleet.collector_with("60");
    // By then, each worker has a pair of the bot.
    wait_for_bots(&fleet, 2);
    open_gate(&fleet);
    fleet.is_complete(collector);
    let beside = fleet.deliveries();
    assert_eq!(beside.len(), 36);
    for worker in [",w1,1", ",w2,1"] {
        assert!(
            beside.iter().any(|line| line.ends_with(worker)),
            "{beside:?}"
        );
    }
    // The workers wait for the next tournament, and end when asked to.
    let games = workers.map(|worker| {
        worker.signal("-INT");
        let (code, out, err) = worker.end();
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains(", 0 failed"), "{out}");
        games_of(&out)
    });
    assert_eq!(games[0] + games[1], 36);
}

#[test]
fn a_worker_ends_when_it_has_waited_long_enough() {
    let Some(fleet) = gated("'random'", 1) else {
        return;
    };
    let (code, out, err) = fleet.worker_with("w", &["--until-idle", "1"]).end();
    assert_eq!(
        (code, &*out),
        (Some(0), "w: 0 games played, 0 failed\n"),
        "{err}"
    );
}

#[test]
fn a_server_that_answers_late_is_asked_again() {
    let Some(fleet) = gated("'random'", 1) else {
        return;
    };
    fleet.server.signal("-STOP");
    let worker = fleet.worker_with("w", &["--until-idle", "1"]);
    // Longer than one attempt to connect.
    sleep(Duration::from_secs(6));
    fleet.server.signal("-CONT");
    let (code, out, err) = worker.end();
    assert_eq!(
        (code, &*out),
        (Some(0), "w: 0 games played, 0 failed\n"),
        "{err}"
    );
}

#[test]
fn a_pair_that_lasts_longer_than_the_wait_stays_with_its_worker() {
    let Some(fleet) = gated("'random'", 1) else {
        return;
    };
    // The second worker would also play the pair if it were delivered again. It is renewed every 4 s, so that
    // even a busy machine renews it in time.
    let workers = ["w1", "w2"].map(|name| fleet.worker_of_bots(name));
    let collector = fleet.collector_with("12");
    wait_for_bots(&fleet, 1);
    sleep(Duration::from_secs(15));
    open_gate(&fleet);
    fleet.is_complete(collector);
    let games = workers.map(|worker| {
        worker.signal("-INT");
        games_of(&worker.end().1)
    });
    assert_eq!(games[0] + games[1], 2);
}

#[test]
fn a_worker_that_ends_gives_its_pair_back_at_once() {
    let Some(fleet) = gated("'random'", 1) else {
        return;
    };
    // A pair that is not given back would be delivered again after a minute, still as the first attempt. A delivery that
    // is lost costs the same time.
    let collector = fleet.collector_with("60");
    let ended = fleet.worker_of_bots("ended");
    wait_for_bots(&fleet, 1);
    ended.signal("-INT");
    let (code, out, err) = ended.end();
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(out, "ended: 0 games played, 0 failed\n");
    open_gate(&fleet);
    let _worker = fleet.worker_of_bots("w");
    fleet.is_complete(collector);
    let beside = fleet.deliveries();
    assert!(
        beside.iter().all(|line| line.ends_with(",w,2")),
        "{beside:?}"
    );
}

#[test]
fn killed_and_stopped_workers_cost_time_only() {
    let Some(fleet) = Fleet::new(4) else { return };
    let collector = fleet.collector();
    let killed = fleet.worker("killed");
    fleet.wait_for_games(5);
    killed.signal("-KILL");
    let stopped = fleet.worker("stopped");
    fleet.wait_for_games(12);
    stopped.signal("-STOP");
    let _worker = fleet.worker("w");
    // Longer than the wait; then it continues, and publishes games that another worker has also played.
    sleep(Duration::from_secs(5));
    stopped.signal("-CONT");
    fleet.is_complete(collector);
}

#[test]
fn a_pair_that_kills_every_worker_is_given_up_and_named() {
    let deadly = "[ -e \"$WORKSPACE/deadly\" ] && kill -9 $PPID";
    let file = "name = 't'\nseed = 5\ntrack = 'original'\nformat = 'round-robin'\n\
                agents = ['killer', 'random', 'greedy-inorder']\npairs = 1\n";
    let bot = |home: &Workspace| write_bot(home, "killer", &script(deadly, "echo legal"), "");
    let Some(fleet) = Fleet::of(file, bot) else {
        return;
    };
    fleet.home.write("deadly", "");
    // With a shorter wait, a busy machine can deliver a pair again before its worker has ended.
    let mut collector = fleet.collector_with("4");
    let mut worker = fleet.worker_of_bots("w");
    let mut deaths = 0;
    wait_until("the pairs are given up", || {
        if worker.has_ended() {
            deaths += 1;
            worker = fleet.worker_of_bots("w");
        }
        collector.has_ended()
    });
    let (code, out, err) = collector.end();
    assert_eq!(code, Some(1), "{err}");
    for pair in ["killer|random/0", "greedy-inorder|killer/0"] {
        let sentence =
            format!("The pair {pair} was not played: delivered 6 times, but no worker finished it");
        assert!(err.contains(&sentence), "{err}\n{out}");
    }
    assert_eq!(deaths, 10);
    assert_eq!(fleet.deliveries().len(), 2);
    // Once the cause is removed, the next collector gets the rest.
    fs::remove_file(fleet.home.path("deadly")).expect("removed");
    let again = ["fleet", "collect", "results/t", "-q", "--audit", "1"];
    fleet.is_complete(fleet.spawn(&again));
}

#[test]
fn a_worker_of_another_version_ends_at_once() {
    let Some(fleet) = Fleet::new(1) else { return };
    let collector = fleet.collector();
    fleet.home.ok("run tournaments/t.toml --plan t.json");
    let link = fleet.server.link();
    let mut task = None;
    wait_until("a task", || {
        let taken = link.task(Duration::from_secs(2)).ok();
        task = taken.flatten();
        task.is_some()
    });
    let task = FleetTask::decode(&task.expect("a task").body).expect("a task");
    // As a collector of another version would set it.
    let plan = fleet
        .home
        .text("t.json")
        .replace(&task.play, "0123456789abcdef");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(plan.as_bytes()).expect("packed");
    let other = NatsFleet::connect(&NatsOptions {
        fleet: "other".to_owned(),
        ..fleet.server.options()
    });
    let other = other.expect("a connection");
    other.prepare(Duration::from_secs(3)).expect("prepared");
    let packed = packed.finish().expect("packed");
    other.keep(KeptMessage::Plan, &packed).expect("kept");
    let (code, _, err) = fleet.spawn(&["fleet", "worker", "--fleet", "other"]).end();
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("all machines need the same version"), "{err}");
    // The task taken above is delivered again because it is not renewed.
    let _worker = fleet.worker("w");
    fleet.is_complete(collector);
}

#[test]
fn programs_of_external_agents_are_not_started_unasked() {
    let Some(fleet) = gated("'random'", 1) else {
        return;
    };
    open_gate(&fleet);
    let collector = fleet.collector();
    let (code, _, err) = fleet.worker("w").end();
    assert_eq!(code, Some(2), "{err}");
    let sentence =
        "the agent gated, which starts another program; start this worker with --allow-external";
    assert!(err.contains(sentence), "{err}");
    // A missing or different program must not lose games.
    let (code, _, err) = fleet.worker_with("w", &["--allow-external"]).end();
    assert_eq!(code, Some(2), "{err}");
    let sentence = "the agent gated of the fleet's tournament t cannot play here: command: there is no file ./gated.sh";
    assert!(err.contains(sentence), "{err}");
    let bot = fleet.home.text("agents/gated.sh");
    fleet.home.write("agents/gated.sh", &format!("{bot}#\n"));
    let (code, _, err) = fleet.worker_of_bots("w").end();
    assert_eq!(code, Some(2), "{err}");
    expect_in(&err, "command: its files have the version files-");
    fleet.home.write("agents/gated.sh", &bot);
    let _worker = fleet.worker_of_bots("w");
    fleet.is_complete(collector);
}

#[test]
fn a_worker_without_a_network_leaves_its_games_to_another() {
    let learn = |home: &Workspace| {
        let plan = "agent = \"mcts-fast\"\ngames = 4\nbudget = { iterations = 4 }\n";
        home.write("plan.toml", plan);
        home.ok("learn selfplay plan.toml --output games.selfplay -q");
        home.ok("learn games.selfplay --output small.net -q --held-out 2 --epochs 1");
        let agent = "extends = \"mcts-estimate\"\nestimate = \"../small.net\"\nbudget = { iterations = 4 }\n";
        home.write("agents/learner.toml", agent);
    };
    let file =
        "name = 't'\nseed = 5\ntrack = 'original'\nagents = ['learner', 'random']\npairs = 2\n";
    let Some(fleet) = Fleet::of(file, learn) else {
        return;
    };
    let collector = fleet.collector();
    // Paths are relative to the worker's folder.
    let worker = ["fleet", "worker", "-q", "--name", "lacking"];
    let (code, out, err) = fleet.spawn_in("agents", &worker).end();
    assert_eq!((code, &*out), (Some(2), ""), "{err}");
    let sentence = "the agent learner of the fleet's tournament t cannot play here: estimate: ";
    assert!(err.contains(sentence), "{err}");
    expect_in(&err, "small.net: the network cannot be read");
    let _worker = fleet.worker("w");
    let said = fleet.is_complete(collector);
    assert!(!said.contains("given up"), "{said}");
    let beside = fleet.deliveries();
    assert!(
        beside.len() == 4 && beside.iter().all(|line| line.contains(",w,")),
        "{beside:?}"
    );
}

#[test]
fn a_sequential_test_on_a_fleet_ends_as_on_one_machine() {
    let Some(fleet) = Fleet::new(1) else { return };
    let test = "match random greedy-regret --sprt 0,200 -q --save sprt";
    let workers = ["w1", "w2"].map(|name| fleet.worker(name));
    let (code, by_fleet, err) = fleet.spawn(&test.words()).end();
    // It accepts H0.
    assert_eq!(code, Some(1), "{err}");
    let alone = fleet.home.ok(&format!("{test} --results once"));
    let games = |dir: &str| fleet.home.export(dir);
    assert!(games("results/sprt") == games("once/sprt"));
    let decision = |report: &str| {
        report
            .lines()
            .find(|line| line.contains("LLR"))
            .map(str::to_owned)
    };
    assert!(decision(&by_fleet).is_some());
    assert_eq!(decision(&by_fleet), decision(&alone));
    drop(workers);
}

/// The collector counts the games that were interrupted each time a worker played them.
#[test]
fn games_that_were_interrupted_each_time_are_counted() {
    let file = "name = 't'\nseed = 5\nagents = ['clock', 'random']\npairs = 1\n";
    let clock = |home: &Workspace| {
        let settings = "type = 'mcts'\nbudget.milliseconds_per_game = 2000\n\
                        expansion.strategy = 'in-order/some/first'\nrollout.strategy = 'in-order/some/first'\n\
                        rollout.pick = 'greedy'\n";
        home.write("agents/clock.toml", settings);
    };
    let Some(fleet) = Fleet::of(file, clock) else {
        return;
    };
    let worker = fleet.worker("w");
    let mut collector = fleet.collector_with("60");
    wait_until("the collector ends", || {
        worker.signal("-STOP");
        sleep(Duration::from_millis(1200));
        worker.signal("-CONT");
        sleep(Duration::from_millis(50));
        collector.has_ended()
    });
    let (code, _, err) = collector.end();
    assert_eq!(code, Some(0), "{err}");
    expect_in(&err, "did not run for a second or more ... 2 games.");
}
