//! Recorded actions: `thoughts = "top-N"`.

use serde_json::Value;

use patchwork_test_support::program::Workspace;

const FLAT: &str = "type = \"flat\"\nbudget = { playouts = 1 }\n\
                    rollout = { pick = \"uniform\", strategy = \"in-order/some/first\" }\n";
const TWO: &str = "type = \"mcts\"\nbudget = { iterations = 40 }\n[expansion]\n\
                   strategy = \"bl-lb/every/regret\"\nsteps = \"two\"\n[rollout]\npick = \"greedy\"\n\
                   strategy = \"in-order/some/first\"\n";

/// A tournament of four kinds of agents that records these thoughts, or none.
fn tournament(home: &Workspace, name: &str, pairs: u32, thoughts: &str) {
    home.write("agents/flat.toml", FLAT);
    home.write("agents/two-steps.toml", TWO);
    let keys = "agents = [\"flat\", \"mcts-fast\", \"random\", \"two-steps\"]\nseed = 5";
    let text = format!("name = \"{name}\"\n{keys}\npairs = {pairs}\n{thoughts}\n");
    home.write(&format!("tournaments/{name}.toml"), &text);
}

fn run(home: &Workspace, name: &str, more: &str) {
    home.ok(&format!("run tournaments/{name}.toml --quiet {more}"));
}

fn games(home: &Workspace, name: &str) -> Vec<Value> {
    home.games(&format!("results/{name}"))
}

fn without_considered(games: &[Value]) -> Vec<Value> {
    let mut games = games.to_vec();
    for game in &mut games {
        game.as_object_mut().expect("a game").remove("considered");
    }
    games
}

/// Number of games with recorded actions.
fn with_considered(games: &[Value]) -> usize {
    let recorded = games.iter().filter(|game| game.get("considered").is_some());
    recorded.count()
}

#[test]
fn candidates_are_the_first_actions_of_each_search() {
    let home = Workspace::new();
    tournament(&home, "t", 1, "thoughts = \"top-3\"");
    run(&home, "t", "");
    let (mut searched, mut full) = (0, 0);
    for game in games(&home, "t") {
        let actions: Vec<&str> = game["actions"].as_str().expect("text").split(' ').collect();
        let seats = [&game["first"], &game["second"]].map(|name| name.as_str().expect("text"));
        let considered = game["considered"].as_array().expect("recorded");
        assert_eq!(considered.len(), actions.len());
        for (i, all) in considered.iter().enumerate() {
            let all = all.as_array().expect("a list");
            assert!(all.len() <= 3);
            let iterations = game["iterations"][i].as_u64().expect("a number");
            assert_eq!(all.is_empty(), iterations == 0, "{game} {i}");
            let Some(first) = all.first() else { continue };
            searched += 1;
            full += usize::from(all.len() == 3);
            assert_eq!(first["action"], actions[i]);
            assert_eq!(first["value"], game["values"][i]);
            let visits = all
                .iter()
                .map(|one| one["visits"].as_u64().expect("visits"));
            assert!(visits.clone().all(|visits| visits > 0));
            if !seats.contains(&"flat") && game["proven"][i].is_null() {
                assert!(visits.skip(1).is_sorted_by(|one, next| one >= next));
            }
            let mut names: Vec<&Value> = all.iter().map(|one| &one["action"]).collect();
            names.sort_by_key(|name| name.to_string());
            names.dedup();
            assert_eq!(names.len(), all.len());
        }
    }
    assert!(searched > 100 && full > 50, "{searched} {full}");

    let shown = home.ok("analyze replay results/t mcts-fast|random/0/0 --thoughts");
    assert!(
        shown.contains("Ply 20:") && !shown.contains("a b c d e f g h i"),
        "{shown}"
    );
    assert!(shown.contains(" visits "), "{shown}");
    assert!(shown.contains("the bytes agree"), "{shown}");
}

#[test]
#[ignore = "many processes"]
fn recording_does_not_change_the_games_which_are_shared() {
    let home = Workspace::new();
    tournament(&home, "plain", 1, "");
    tournament(&home, "full", 2, "thoughts = \"top-10\"");
    run(&home, "plain", "");
    let plain = games(&home, "plain");
    assert_eq!(with_considered(&plain), 0);
    // Games that are taken over stay as they are; the others are recorded.
    run(&home, "full", "--import results/plain");
    let full = games(&home, "full");
    assert_eq!((full.len(), with_considered(&full)), (24, 12));
    // With and without recording, the games are the same.
    tournament(&home, "whole", 2, "thoughts = \"top-10\"");
    run(&home, "whole", "");
    let whole = games(&home, "whole");
    assert_eq!(with_considered(&whole), 24);
    assert_eq!(without_considered(&whole), without_considered(&full));
    // Taken over by a tournament that does not record, games keep what they have.
    tournament(&home, "plain", 2, "");
    run(&home, "plain", "--import results/whole");
    let plain = games(&home, "plain");
    assert_eq!((plain.len(), with_considered(&plain)), (24, 12));
    // The file changes, and the folder is continued.
    tournament(&home, "plain", 3, "thoughts = \"top-1\"");
    run(&home, "plain", "");
    let plain = games(&home, "plain");
    assert_eq!((plain.len(), with_considered(&plain)), (36, 24));
    // United, with the larger number.
    let into = "import results/plain results/full --into results/both";
    home.ok(into);
    assert_eq!(games(&home, "both").len(), 36);
    let manifest = home.manifest_json("results/both");
    assert_eq!(manifest["plan"]["thoughts"], "top-10");

    let shown = home.ok("analyze replay results/full 0 --thoughts");
    assert!(shown.contains("were not recorded"), "{shown}");
}

#[test]
fn a_match_records_candidates_too() {
    let home = Workspace::new();
    let arguments = "match mcts-fast random --pairs 1 --quiet";
    home.ok(&format!("{arguments} --save m --thoughts top-2"));
    assert_eq!(with_considered(&games(&home, "m")), 2);
}

#[test]
fn other_values_are_refused() {
    let home = Workspace::new();
    for wrong in ["top-0", "top-11", "top", "all"] {
        tournament(&home, "t", 1, &format!("thoughts = \"{wrong}\""));
        let sentence = home.refused("run tournaments/t.toml");
        let expected = format!(
            "tournaments/t.toml:5: thoughts: unknown value \"{wrong}\"; expected top-1 to top-10"
        );
        assert!(sentence.contains(&expected), "{sentence}");
    }
    tournament(&home, "t", 1, "thoughts = 3");
    let sentence = home.refused("run tournaments/t.toml");
    let expected = "tournaments/t.toml:5: thoughts: expected a string, found 3";
    assert!(sentence.contains(expected), "{sentence}");
}
