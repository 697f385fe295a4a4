//! `analyze` and `play` as users run them: a position is searched, a game is shown.

use std::num::NonZeroU32;
use std::process::Stdio;
use std::sync::Arc;

use patchwork_engine::agent::{AgentSettings, endgame};
use patchwork_engine::game::{Action, ActionList, Player, Setup, State, Track};
use patchwork_engine::record::Record;
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;
use patchwork_tournament::{Plan, PlayablePlan, Players, Results, Streams};
use serde_json::Value;

use patchwork_engine::testing::random_plies;
use patchwork_test_support::program::{
    Workspace, catches_interrupts, expect_in, rows, signal, text, wait_until,
};

const RING: &str = "32 3 7 23 16 26 14 13 29 25 27 4 22 15 20 10 2 33 24 6 30 21 19 17 11 5 28 31 \
                    9 8 12 18 1";

/// Buying is two plies of the search; every placement is searched.
const TWO_STEPS: &str = r#"
type = "mcts"
threads = 2
[budget]
iterations = 600
[expansion]
strategy = "all/every/first"
steps = "two"
[rollout]
pick = "greedy"
strategy = "in-order/some/first"
[search]
early_stop = true
"#;

fn workspace() -> Workspace {
    let home = Workspace::new();
    home.write("agents/two-steps.toml", TWO_STEPS);
    home
}

/// The object that an analysis prints.
fn json(home: &Workspace, arguments: &str) -> Value {
    home.json(&format!("analyze --format json {arguments}"))
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{value} is no count"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[test]
fn a_fixed_number_of_iterations_gives_the_same_analysis() {
    let home = workspace();
    // The file of the last one has `threads = 2`.
    for agent in ["mcts-regret", "mcts-uniform", "two-steps"] {
        let search = "--actions 'A A' --iterations 2000 --top 1000";
        let arguments = format!("--agent {agent} --ring '{RING}' {search}");
        let mut one = json(&home, &arguments);
        let mut again = json(&home, &arguments);
        assert!(one["time"]["seconds"].as_f64() > Some(0.0));
        assert!(one["time"]["iterations_per_second"].as_f64() > Some(0.0));
        one["time"].take();
        again["time"].take();
        assert_eq!(one, again, "{agent}");

        let search = &one["search"];
        assert_eq!(number(&search["iterations"]), 2000, "{agent}");
        assert_eq!(search["ended"], "budget");
        assert_eq!(search["threads"], 1, "{agent}");
        let rows = list(&one["actions"]);
        assert_eq!(number(&search["considered"]), rows.len() as u64);
        let visits: u64 = rows.iter().map(|row| number(&row["visits"])).sum();
        let choices = list(&one["choices"]);
        let chosen: u64 = choices.iter().map(|row| number(&row["visits"])).sum();
        assert_eq!(chosen, 2000, "{agent}");
        if agent == "two-steps" {
            // The first visit of each patch in each tree ends at the patch.
            assert!((1980..2000).contains(&visits), "{visits}");
        } else {
            assert_eq!(visits, 2000);
        }
        let priors: f64 = rows.iter().filter_map(|row| row["prior"].as_f64()).sum();
        assert!((priors - 1.0).abs() < 1e-4, "{agent}: {priors}");
        for row in rows {
            let action = row["action"].as_str().expect("text");
            assert!(action.parse::<Action>().is_ok(), "{action}");
            assert_eq!(row["value"].is_null(), number(&row["visits"]) == 0);
        }
        assert_eq!(one["best"]["action"], rows[0]["action"]);
        assert_eq!(one["line"][0]["action"], rows[0]["action"]);
        let node = number(&search["bytes_per_node"]);
        // Including the id of the node above, and the position, which expanded nodes store.
        assert!(node <= 116, "{node} bytes a node");
        assert_eq!(
            number(&search["bytes"]),
            number(&search["nodes"]) * node
                + number(&search["edges"]) * number(&search["bytes_per_edge"])
        );
    }
}

#[test]
fn the_position_estimate_is_that_of_the_agent() {
    let home = workspace();
    let estimate = |agent: &str| {
        json(&home, &format!("--agent '{agent}' --ring '{RING}'"))["estimate"]["margin"].as_f64()
    };
    let linear = estimate("greedy-inorder");
    assert!(linear.is_some());
    let own = ["linear", "learned"].map(|source| {
        estimate(&format!(
            "champion{{estimate={source}, budget.milliseconds=1}}"
        ))
    });
    assert_eq!(own[0], linear);
    assert_ne!(own[1], linear);
    assert_eq!(
        estimate("alpha-beta{estimate=learned, budget.nodes=10}"),
        own[1]
    );
}

#[test]
fn an_analysis_is_readable() {
    let home = workspace();
    let shown = home.ok(&format!(
        "analyze --agent mcts-regret --ring '{RING}' --actions A --iterations 3000 --top 2"
    ));
    for expected in [
        "After 1 ply, original track: the second player moves, 449 legal actions.",
        "second (to move)",
        "next: 32 X..X/XXXX",
        "Position estimate for the second player: ",
        "mcts-regret, 1 thread: 3,000 iterations in ",
        "Visits by choice: ",
        "Line: second ",
        "  #  action ",
        "\n  1  ",
        "\n  2  ",
        "considered were tried",
        "mcts-regret plays ",
        " for the second player.",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(!shown.contains("\n  3  "), "{shown}");
    let own = home.ok(&["analyze", "--agent", "mcts-regret", "--ring", RING]);
    assert!(own.contains(" 30 iterations in "), "{own}");
    let time = json(
        &home,
        &format!("--agent mcts-fast --time 50ms --ring '{RING}'"),
    );
    let seconds = time["time"]["seconds"].as_f64().expect("a number");
    assert!((0.049..1.0).contains(&seconds), "{seconds}");
    assert_eq!(time["search"]["ended"], "budget");
}

#[test]
fn agents_without_a_tree_give_their_decision() {
    let home = workspace();
    let shown = home.ok(&["analyze", "--agent", "greedy-regret", "--ring", RING]);
    assert!(shown.contains("greedy-regret plays "), "{shown}");
    assert!(shown.contains("it keeps no search tree"), "{shown}");
    let found = json(&home, &format!("--agent greedy-regret --ring '{RING}'"));
    let action = found["best"]["action"].as_str().expect("text");
    assert!(action.parse::<Action>().is_ok(), "{action}");
    assert!(found["search"].is_null());
    assert!(list(&found["actions"]).is_empty());
}

#[test]
fn positions_that_are_none_get_one_sentence() {
    let home = workspace();
    let position = format!("--ring '{RING}'");
    for [arguments, expected] in rows(
        "
        --agent mcts-fast RING --actions B => 'B' is not an action
        --agent mcts-fast RING --actions 'A A 1:a1b1' => ply 3, 1:a1b1: patch 1 is not on offer
        --agent mcts-fast RING --time 0s => expected a time such as 5s, 500ms or 1m
        --agent mcts-fast RING --time -5s => expected a time such as
        --agent mcts-fast RING --time 5 => expected a time such as
        --agent mcts-fast RING --time NaNs => expected a time such as
        --agent mcts-fast RING --time 25h => at most 24h
        --agent mcts-fast RING --iterations 0 => 0 is not in 1..
        --agent mcts-fast RING --time 1s --iterations 5 => cannot be used with
        --agent mcts-fast RING --threads 0 => 0 is not in 1..=256
        --agent mcts-fast RING --top 0 => 0 is not in 1..
        --agent mcts-fast RING --track odd => expected original or revised
        --agent mcts-fast RING x 3 => cannot be used with
        --agent mcts-fats RING => did you mean mcts-fast?
        --agent mcts-fast --ring '1 2 3' => --ring ... patch 4 is missing
        --agent random --time 1s RING => random is of another type
        ",
    ) {
        let arguments = arguments.replace("RING", &position);
        home.refuses(&format!("analyze {arguments}"), expected);
    }
    home.refuses("play random nobody", "no agent 'nobody'");
    home.refuses("play random mcts-*", "several agents");
}

/// A position in the form of command-line arguments.
struct Late {
    ring: String,
    actions: Vec<Action>,
    mover: Player,
    winner: Player,
}

/// Random games, each up to a position whose winner is certain and that has some actions left.
fn late_positions(count: usize) -> Vec<Late> {
    let mut found: Vec<Late> = Vec::new();
    for seed in 0.. {
        let mut rng = stream(&[seed]);
        let setup = Setup::random(Track::Original, &mut rng);
        let mut state = State::new(&setup);
        let mut actions = Vec::new();
        while state.spaces_left() > 8 {
            let action = state.random_action(&setup, &mut rng);
            state.play_unchecked(&setup, action);
            actions.push(action);
        }
        if state.is_over() || state.count_actions(&setup) < 3 {
            continue;
        }
        let Some(winner) = endgame::winner(&setup, &state, 3000) else {
            continue;
        };
        let mover = state.mover();
        // As many positions won as lost by the mover.
        let same = found
            .iter()
            .filter(|late| (late.mover == late.winner) == (mover == winner));
        if same.count() < count / 2 {
            found.push(Late {
                ring: setup.ring().to_string(),
                actions,
                mover,
                winner,
            });
        }
        if found.len() == count {
            break;
        }
    }
    found
}

#[test]
fn a_decided_position_is_proven_and_ends_the_search() {
    let home = workspace();
    let uniform = home.text("agents/mcts-uniform.toml");
    let exact = format!("{uniform}\n[search]\nendgame = 1000\n");
    home.write("agents/exact.toml", &exact);
    for late in late_positions(6) {
        for agent in ["mcts-uniform", "exact"] {
            let actions = ActionList(late.actions.clone()).to_string();
            let position = format!("--ring '{}' --actions '{actions}'", late.ring);
            let search = format!("--agent {agent} --iterations 4000000 --quiet {position}");
            let found = json(&home, &search);
            let moves = list(&found["actions"]);
            assert_eq!(found["position"]["mover"], late.mover.to_string());
            assert_eq!(
                found["winner"],
                late.winner.to_string(),
                "{agent}: {actions}"
            );
            assert_eq!(found["search"]["ended"], "proven");
            assert!(number(&found["search"]["iterations"]) < 4_000_000);
            let wins = late.winner == late.mover;
            assert_eq!(found["best"]["proven"], wins);
            assert_eq!(found["best"]["value"], if wins { 1.0 } else { 0.0 });
            assert_eq!(moves[0]["proven"], wins);
            assert_eq!(moves[0]["action"], found["best"]["action"]);
            let action = found["best"]["action"].as_str().expect("text");
            if wins {
                // The proven action really wins.
                let ring = late.ring.parse().expect("a ring");
                let setup = Setup::new(Track::Original, ring);
                let mut state = State::new(&setup);
                let last = action.parse().expect("an action");
                for &action in late.actions.iter().chain([&last]) {
                    state = state.try_play(&setup, action).expect("legal");
                }
                let winner = endgame::winner(&setup, &state, 100_000);
                assert_eq!(winner, Some(late.winner), "{action}");
            }
        }
    }
}

#[test]
fn a_game_that_is_over_has_a_score() {
    let home = workspace();
    let mut rng = stream(&[1]);
    let setup = Setup::random(Track::Revised, &mut rng);
    let mut actions = ActionList::default();
    let end = random_plies(&setup, &mut rng, |_, action, _| actions.0.push(action));
    let outcome = end.outcome().expect("over");
    let winner = outcome.winner;
    let score = |player: Player| outcome.scores[player.index()];
    let (ring, actions) = (setup.ring().to_string(), actions.to_string());
    let arguments =
        format!("--agent mcts-fast --track revised --ring '{ring}' --actions '{actions}'");
    let shown = home.ok(&format!("analyze {arguments}"));
    let sentence = format!(
        "The {winner} player has won {} to {}.",
        score(winner),
        score(winner.other())
    );
    assert!(shown.ends_with(&format!("{sentence}\n")), "{shown}");
    let found = json(&home, &arguments);
    assert_eq!(found["outcome"]["winner"], winner.to_string());
    assert!(found["best"].is_null() && found["search"].is_null());
}

#[test]
fn a_stored_game_can_be_analysed() {
    let home = workspace();
    home.ok("match random mcts-fast --pairs 1 --save kept --quiet");
    let game = &home.games("results/kept")[1];
    let words: Vec<&str> = game["actions"].as_str().expect("text").split(' ').collect();
    let mut stored = json(&home, "--agent mcts-regret results/kept 1 --ply 9");
    let ring = stored["position"]["ring"]
        .as_str()
        .expect("text")
        .to_owned();
    let actions = words[..8].join(" ");
    let given = format!("--agent mcts-regret --ring '{ring}' --actions '{actions}'");
    let mut given = json(&home, &given);
    stored["time"].take();
    given["time"].take();
    assert_eq!(stored, given);
    let at = |ply: usize| {
        home.run(&format!(
            "analyze --agent mcts-fast results/kept 1 --ply {ply}"
        ))
    };
    let end = at(words.len() + 1);
    assert!(text(&end.stdout).contains("second: mcts-fast"), "{end:?}");
    assert!(text(&end.stdout).contains("player has won"));
    let beyond = at(words.len() + 2);
    assert_eq!(beyond.status.code(), Some(2));
    let sentence = text(&beyond.stderr);
    expect_in(&sentence, "--ply: expected a number from 1 to");
}

#[test]
fn a_whole_game_is_judged() {
    let home = workspace();
    let players = "match random greedy-regret --pairs 1";
    home.ok(&format!("{players} --save kept --quiet"));
    let game = &home.games("results/kept")[1];
    let actions: Vec<&str> = game["actions"].as_str().expect("text").split(' ').collect();
    let judged = "analyze results/kept 1 --game --agent mcts-fast --iterations 200";
    let found = home.json(&format!("{judged} --format json"));
    let plies = list(&found["plies"]);
    let played: Vec<_> = plies.iter().map(|ply| ply["action"].as_str()).collect();
    assert_eq!(
        played,
        actions
            .iter()
            .map(|&action| Some(action))
            .collect::<Vec<_>>()
    );
    // After the last ply, the result is known.
    let scores = list(&found["scores"]);
    let first_won = f64::from(u8::from(scores[0].as_i64() > scores[1].as_i64()));
    assert_eq!(plies[plies.len() - 1]["first_after"], first_won);
    let losses = plies
        .iter()
        .map(|ply| ply["loss"].as_f64().expect("a loss"));
    let most = losses.fold(0.0, f64::max);
    assert!(most >= 0.05, "random actions are mistakes: {most}");
    // This agent considers one place for a special patch: the position is worth what follows, and not an even chance.
    for two in plies.windows(2) {
        let is_special = two[1]["action"].as_str().expect("text").starts_with("S:");
        assert!(!is_special || two[0]["first_after"] != 0.5, "{}", two[0]);
    }
    // The largest loss is named first.
    let answer = home.run(judged);
    let shown = text(&answer.stdout);
    let first = shown.lines().nth(4).expect("a ply");
    expect_in(first, &format!("{:.1}%  ", 100.0 * most));
    assert!(first.contains(", better "), "{shown}");
    // As PGN, each ply has the win probability after it; the game is the same.
    let pgn = home.run(&format!("{judged} --format pgn"));
    let pgn = text(&pgn.stdout);
    assert_eq!(pgn.matches('%').count(), actions.len(), "{pgn}");
    assert!(actions.iter().all(|action| pgn.contains(action)), "{pgn}");
    for [arguments, sentence] in rows("
        results/kept 1 --agent mcts-fast --format pgn => --format pgn: requires --game
        results/kept 1 --agent greedy-regret --game => --game: requires an agent of type mcts; greedy-regret is of another type
    ") {
        let refused = home.run(&format!("analyze {arguments}"));
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(sentence), "{refused:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_search_with_what_there_is() {
    let home = workspace();
    let command = [
        "analyze",
        "--agent",
        "mcts-fast",
        "--ring",
        RING,
        "--time",
        "10m",
    ];
    let child = home
        .command(&command)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    wait_until("it listens for Ctrl-C", || catches_interrupts(&child));
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("ended");
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("mcts-fast plays "), "{shown}");
    assert!(
        shown.ends_with("Interrupted before the budget was spent.\n"),
        "{shown}"
    );
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_game_is_shown_ply_by_ply() {
    let home = workspace();
    let play = |more: &str| {
        home.ok(&format!(
            "play mcts-fast two-steps --ring '{RING}' --seed 4 {more}"
        ))
    };
    let shown = play("");
    let setup = Setup::new(Track::Original, RING.parse().expect("a ring"));
    let mut state = State::new(&setup);
    let mut plies = 0;
    for line in shown.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(number) = words.first().and_then(|word| word.parse::<usize>().ok()) else {
            continue;
        };
        plies += 1;
        assert_eq!(number, plies);
        let mover = state.mover();
        let name = ["mcts-fast", "two-steps"][mover.index()];
        assert_eq!(words[1..3], [&mover.to_string(), name]);
        let action = words[3].parse().expect("an action");
        state = state.try_play(&setup, action).expect("legal");
        let facts = [state.space(mover).into(), state.buttons(mover)];
        let facts = facts.map(|fact| fact.to_string());
        assert_eq!(words[words.len() - 2..], facts, "{line}");
    }
    let outcome = state.outcome().expect("the game was played to its end");
    let winner = outcome.winner;
    let sentence = format!(
        "({winner}) wins {} to {};",
        outcome.scores[winner.index()],
        outcome.scores[winner.other().index()]
    );
    assert!(shown.contains(&sentence), "{sentence}: {shown}");
    assert!(shown.contains("two-steps (second) took "), "{shown}");
    // The same game with all positions, and with other threads.
    let positions = play("--show");
    assert!(positions.contains(&sentence));
    assert_eq!(positions.matches("a b c d e f g h i\n").count(), plies);
    let actions = |shown: &str| {
        let plies = shown.lines().map(|line| line.split_whitespace().collect());
        let plies = plies.filter(|words: &Vec<&str>| {
            words
                .first()
                .is_some_and(|word| word.parse::<u32>().is_ok())
        });
        plies.map(|words| words[3].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(actions(&play("--threads 3")), actions(&shown));
}

#[test]
fn with_iterations_the_number_of_threads_changes_no_game() {
    let home = workspace();
    let plan = |folder: &str, threads: &str| {
        std::fs::create_dir(home.path(folder)).expect("created");
        let mine = TWO_STEPS.replace("threads = 2", threads);
        let mine = mine.replace("= 600", "= 40");
        home.write(&format!("{folder}/mine.toml"), &mine);
        home.write(&format!("{folder}/random.toml"), "type = \"random\"\n");
        home.ok(&format!(
            "match mine random --pairs 1 --agents {folder} --save {folder} --quiet"
        ));
        let results = Results::read(&home.path(&format!("results/{folder}")));
        results.expect("results").manifest.plan
    };
    let (one, four) = (plan("one", ""), plan("four", "threads = 4"));
    // Streams depend on the agents' settings. To isolate the effect of threads, all games use the streams of
    // the first plan.
    let settings = |plan: &Plan| PlayablePlan::new(plan).settings.clone();
    let play = |settings: Vec<AgentSettings>| -> Vec<Record> {
        let mut players = Players::new(&Arc::new(PlayablePlan {
            settings,
            streams: Streams::new(&one),
            plan: one.clone(),
        }));
        let games = (0..2).map(|number| {
            let game = one.game(number).expect("planned");
            players.play(game, &Stop::new()).expect("played")
        });
        games
            .map(|game| game.expect("not stopped").entry.record)
            .collect()
    };
    let expected = play(settings(&one));
    assert_eq!(play(settings(&four)), expected);
    // Outside tournaments, too.
    let four_threads = const { NonZeroU32::new(4).unwrap() };
    let more = settings(&four).into_iter();
    let more = more.map(|spec| spec.with_threads(four_threads));
    assert_eq!(play(more.collect()), expected);
    let replayed = home.ok("analyze replay results/four 0");
    assert!(replayed.contains("the bytes agree"), "{replayed}");
}

#[test]
fn both_commands_have_help_with_an_example() {
    let home = workspace();
    for command in ["analyze", "play"] {
        let help = home.ok(&[command, "--help"]);
        expect_in(&help, &format!("  patchwork-arena {command} "));
    }
}
