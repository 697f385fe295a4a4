use std::convert::Infallible;
use std::{fs, slice};

use patchwork_engine::agent::{AgentSettings, RandomSettings};
use patchwork_engine::game::Track;
use patchwork_engine::record::Record;
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;
use tempfile::TempDir;

use super::*;
use crate::support::tournaments::{plan, random_agents, random_entry};
use crate::tournament::PlannedGame;
use crate::tournament::verify::verify;
use crate::tournament::{Format, PlannedAgent, Schedule, run};

/// A folder of results folders, and the games of a plan.
struct Machines {
    above: TempDir,
    plan: Plan,
    games: Vec<Entry>,
}

impl Machines {
    fn new() -> Self {
        let plan = plan(&["a", "b", "c"], Format::RoundRobin, 3).unwrap();
        let mut games = Vec::new();
        let threads = 4.try_into().unwrap();
        run(Schedule::new(&plan), threads, &Stop::new(), |entry| {
            games.push(entry);
            Ok::<_, Infallible>(())
        })
        .unwrap();
        games.sort_by_key(|entry| entry.record.id);
        assert_eq!(games.len(), 18);
        Self {
            above: tempfile::tempdir().unwrap(),
            plan,
            games,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.above.path().join(name)
    }

    /// A machine's folder with these games of a plan.
    fn folder_of(&self, plan: &Plan, name: &str, games: &[Entry]) -> PathBuf {
        let dir = self.path(name);
        let manifest = Manifest::new("t".to_owned(), plan.clone());
        let (mut store, ..) = Results::open_each(&dir, &manifest, |_| ()).unwrap();
        let streams = Streams::new(plan);
        for entry in games {
            let address = streams.address((&entry.record).into());
            store.append(&address, entry).unwrap();
        }
        store.finish().unwrap();
        dir
    }

    /// A machine's folder with the games at these places.
    fn folder(&self, name: &str, places: &[usize]) -> PathBuf {
        let games: Vec<Entry> = places.iter().map(|&at| self.games[at].clone()).collect();
        self.folder_of(&self.plan, name, &games)
    }

    /// The bytes of the manifest and the games of a merged folder.
    fn merged(&self, dirs: &[&PathBuf], into: &str) -> [Vec<u8>; 2] {
        let into = self.path(into);
        let dirs: Vec<PathBuf> = dirs.iter().map(|&dir| dir.clone()).collect();
        merge(&dirs, &into, Keep::Everything).unwrap();
        read(&into)
    }
}

fn read(dir: &Path) -> [Vec<u8>; 2] {
    ["manifest.json", "games.bin"].map(|file| fs::read(dir.join(file)).unwrap())
}

fn error(dirs: &[&PathBuf], into: &Path) -> String {
    let dirs: Vec<PathBuf> = dirs.iter().map(|&dir| dir.clone()).collect();
    merge(&dirs, into, Keep::Everything)
        .unwrap_err()
        .to_string()
}

#[test]
fn a_merge_depends_only_on_the_set_of_games() {
    let machines = Machines::new();
    let all: Vec<usize> = (0..18).collect();
    let backwards: Vec<usize> = (0..18).rev().collect();
    let whole = machines.folder("whole", &backwards);
    let one = machines.folder("one", &all[..9]);
    // Two overlap, and each has its own order.
    let two = machines.folder("two", &[14, 8, 7, 9, 10]);
    let three = machines.folder("three", &[17, 16, 15, 13, 12, 11, 10]);

    let expected = machines.merged(&[&whole], "m0");
    assert_eq!(machines.merged(&[&one, &two, &three], "m1"), expected);
    // Commutative.
    assert_eq!(machines.merged(&[&three, &one, &two], "m2"), expected);
    // Associative.
    machines.merged(&[&one, &two], "m3");
    assert_eq!(machines.merged(&[&three], "m3"), expected);
    machines.merged(&[&two, &three], "m4");
    let m4 = machines.path("m4");
    assert_eq!(machines.merged(&[&one, &m4], "m5"), expected);
    // Idempotent.
    assert_eq!(machines.merged(&[&one, &one], "m5"), expected);
    let m5 = machines.path("m5");
    assert_eq!(machines.merged(&[&m5], "m5"), expected);

    // Folders are not changed by being merged, and the games are in plan order.
    let results = Results::read(&m5).unwrap();
    assert!(results.schedule.is_over());
    assert!(results.games.iter().eq(machines.games.iter().cloned()));
    let (merged, folders, doubles) =
        merge(&[one.clone(), two], &machines.path("m6"), Keep::Everything).unwrap();
    assert_eq!(doubles, 2);
    let games: Vec<u64> = folders.iter().map(|folder| folder.games).collect();
    assert_eq!(games, [9, 5]);
    let missing = merged
        .missing()
        .map(|game| machines.plan.game_name(game.id));
    let missing: Vec<String> = missing.collect();
    assert_eq!(missing.len(), 6);
    assert!(missing.contains(&"b|c/2/1".to_owned()), "{missing:?}");
    assert_eq!(Results::read(&one).unwrap().games.len(), 9);
}

#[test]
fn without_thoughts_the_moves_and_the_results_stay() {
    let machines = Machines::new();
    let mut thoughtful = machines.games.clone();
    for entry in &mut thoughtful {
        let plies = entry.record.plies.iter_mut();
        plies.for_each(|ply| ply.thought.iterations = 1000);
    }
    let whole = machines.folder_of(&machines.plan, "whole", &thoughtful);
    let into = machines.path("moves");
    let (merged, ..) = merge(slice::from_ref(&whole), &into, Keep::Moves).unwrap();
    let mut expected = machines.games.clone();
    expected.iter_mut().for_each(|entry| entry.nanos.fill(0));
    assert!(merged.games.iter().eq(expected));
    assert!(read(&into)[1].len() < read(&whole)[1].len());
    // Such a game contradicts the whole one, so they cannot be merged by mistake.
    let told = error(&[&whole, &into], &machines.path("both"));
    assert!(told.contains("have different records of"), "{told}");
}

#[test]
fn times_of_doubles_do_not_depend_on_the_order() {
    let machines = Machines::new();
    let mut slow = machines.games.clone();
    for entry in &mut slow {
        entry.nanos[0] += 1_000_000_000;
    }
    let fast = machines.folder("fast", &[0, 1, 2]);
    let slow = machines.folder_of(&machines.plan, "slow", &slow[1..4]);
    let expected = machines.merged(&[&fast, &slow], "m1");
    assert_eq!(machines.merged(&[&slow, &fast], "m2"), expected);
}

#[test]
fn contradictions_and_illegal_records_are_named_and_change_nothing() {
    let machines = Machines::new();
    let one = machines.folder("one", &[0, 1, 2, 3]);
    let forge = |plan: &Plan, at: usize| {
        let Record { id, agents, .. } = machines.games[at].record;
        let setup = Streams::new(plan).setup(PlannedGame { id, seats: agents });
        let mut rng = stream(&[99]);
        random_entry(id, agents, &setup, &mut rng, |_, _| Default::default())
    };
    let forged = forge(&machines.plan, 2);
    let two = machines.folder_of(&machines.plan, "two", &[forged]);
    let into = machines.path("into");
    let before = machines.merged(&[&one], "into");
    let both = [
        error(&[&one, &two], &machines.path("new")),
        error(&[&two, &one], &machines.path("new")),
        error(&[&two], &into),
    ];
    for (error, [one, other]) in both
        .iter()
        .zip([["one", "two"], ["two", "one"], ["into", "two"]])
    {
        let expected = format!(
            "{} and {} have different records of a|b/1/0: its agents play the same game each time",
            machines.path(one).display(),
            machines.path(other).display()
        );
        assert!(error.starts_with(&expected), "{error}");
    }
    assert!(!machines.path("new").exists());
    // A forged record is legal; replaying it reveals the forgery.
    let verified = verify(&two, 10, 1, &Stop::new()).unwrap();
    assert_eq!(
        (verified.games, verified.agree, verified.wrong.len()),
        (1, 0, 1)
    );
    let (game, what) = &verified.wrong[0];
    assert_eq!(game, "a|b/1/0");
    assert!(what.starts_with("played again, it differs from ply"));
    let verified = verify(&one, 3, 1, &Stop::new()).unwrap();
    assert_eq!(
        (verified.games, verified.agree, verified.checked()),
        (4, 3, 3)
    );

    let mut illegal = machines.games[4].clone();
    illegal.record.scores[0] += 1;
    let three = machines.folder_of(&machines.plan, "three", &[illegal]);
    let refused = "is not a legal game: its scores";
    let sentence = error(&[&one, &three], &into);
    assert!(
        sentence.contains("three") && sentence.contains(refused),
        "{sentence}"
    );
    let sentence = verify(&three, 10, 1, &Stop::new()).unwrap_err().to_string();
    assert!(
        sentence.contains("three") && sentence.contains(refused),
        "{sentence}"
    );
    assert_eq!(read(&into), before);

    // Agents that depend on time play a different game each time: neither record is wrong.
    let timed: toml::Table = "type = 'mcts'\nbudget = { milliseconds = 1 }\n\
        expansion = { strategy = 'bl/some/first' }\n\
        rollout = { pick = 'greedy', strategy = 'bl/some/first' }\n\
        search = { select = 'ucb1', exploration = 0.7, value = 'win' }"
        .parse()
        .unwrap();
    let timed = AgentSettings::from_table(Path::new("timed.toml"), timed).unwrap();
    let agents = vec![
        PlannedAgent::new("a", RandomSettings {}.into()),
        PlannedAgent::new("b", timed),
    ];
    let plan = Plan::new(7, Track::Original, Format::RoundRobin, 3, agents).unwrap();
    let game = forge(&plan, 0);
    let four = machines.folder_of(&plan, "four", &[game]);
    assert_eq!(verify(&four, 1, 1, &Stop::new()).unwrap().only_legal, 1);
    let mut other = forge(&plan, 0);
    other.record.plies[0].thought.iterations += 1;
    let five = machines.folder_of(&plan, "five", &[other]);
    let sentence = error(&[&four, &five], &machines.path("new"));
    assert!(
        sentence.contains("so it was played twice; merge only one"),
        "{sentence}"
    );
}

#[test]
fn folders_of_other_plans_are_refused() {
    let machines = Machines::new();
    let one = machines.folder("one", &[0]);
    let more = plan(&["a", "b", "c"], Format::RoundRobin, 4).unwrap();
    let more = machines.folder_of(&more, "more", &[]);
    let agents = Plan::new(
        7,
        Track::Original,
        Format::RoundRobin,
        3,
        random_agents(&["a", "b", "d"]),
    );
    let agents = machines.folder_of(&agents.unwrap(), "agents", &[]);
    let seed = Plan::new(
        8,
        Track::Original,
        Format::RoundRobin,
        3,
        random_agents(&["a", "b", "c"]),
    );
    let seed = machines.folder_of(&seed.unwrap(), "seed", &[]);
    let into = machines.path("into");
    for (other, expected) in [
        (&more, "(pairs: 3, 4)"),
        (&agents, "(only one has the agent c)"),
        (&seed, "(seed: 7, 8)"),
    ] {
        let sentence = error(&[&one, other], &into);
        assert!(sentence.contains(expected), "{sentence}");
    }
    let empty = error(&[], &into);
    assert!(empty.starts_with("no folder"), "{empty}");
    assert!(!into.exists());

    // Games that are not in the target's plan are not thrown away.
    let grown = machines.folder_of(&machines.plan, "grown", &machines.games);
    let fewer = plan(&["a", "b", "c"], Format::RoundRobin, 2).unwrap();
    machines.folder_of(&fewer, "grown", &[]);
    let fewer = machines.folder_of(&fewer, "fewer", &[]);
    let before = read(&grown);
    let sentence = error(&[&fewer], &grown);
    assert!(
        sentence.contains("6 are not part of the plan"),
        "{sentence}"
    );
    assert_eq!(read(&grown), before);
    let (merged, folders, _) = merge(&[grown, fewer], &into, Keep::Everything).unwrap();
    assert_eq!(folders[0].aside.games(), 6);
    assert_eq!(merged.games.len(), 12);
}
