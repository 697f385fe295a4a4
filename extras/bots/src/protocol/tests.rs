use std::time::Duration;

use patchwork_engine::game::State;
use patchwork_engine::util::rng::stream;
use proptest::prelude::*;

use super::*;
use patchwork_engine::testing::rows;
use patchwork_engine::testing::{random_plies, setup_and_rng};

fn round_trip(request: &BotRequest) {
    let line = request.to_string();
    assert!(!line.contains('\n'));
    assert_eq!(line.parse().as_ref(), Ok(request), "{line}");
}

#[test]
fn requests_come_back_from_their_lines() {
    for seed in 0..6 {
        let (setup, mut rng) = setup_and_rng(seed);
        let mut actions = Vec::new();
        random_plies(&setup, &mut rng, |_, action, _| actions.push(action));
        let legal = State::new(&setup).legal_actions(&setup);
        round_trip(&BotRequest::Legal(legal));
        round_trip(&BotRequest::NewGame {
            setup: setup.clone(),
            seat: Player::BOTH[seed as usize % 2],
            rng: rng.clone(),
        });
        for length in [0, 1, actions.len()] {
            round_trip(&BotRequest::Position {
                setup: setup.clone(),
                actions: actions[..length].to_vec(),
            });
        }
    }
    let time = Duration::from_millis(150);
    let budgets = [
        Budget::Iterations(1),
        Budget::Nodes(2),
        Budget::Depth(3),
        Budget::Playouts(4),
        Budget::Time(time),
        Budget::GameTime(time),
    ];
    for budget in budgets {
        round_trip(&BotRequest::Go(Some(budget)));
    }
    let set = |value: &str| BotRequest::SetOption {
        name: "Style".to_owned(),
        value: value.to_owned(),
    };
    for request in [
        BotRequest::Handshake(1),
        BotRequest::Go(None),
        BotRequest::IsReady,
        BotRequest::Stop,
        BotRequest::Quit,
        set("calm"),
        set("two words"),
    ] {
        round_trip(&request);
    }
}

#[test]
fn a_seed_is_the_whole_state_of_the_stream() {
    let rng = stream(&[4, 5]);
    let (setup, _) = setup_and_rng(1);
    let seat = Player::First;
    let line = BotRequest::NewGame {
        setup,
        seat,
        rng: rng.clone(),
    }
    .to_string();
    let Ok(BotRequest::NewGame { rng: mut read, .. }) = line.parse() else {
        panic!("{line}");
    };
    let mut rng = rng;
    use rand::RngExt as _;
    for _ in 0..100 {
        assert_eq!(read.random::<u64>(), rng.random::<u64>());
    }
}

#[test]
fn malformed_requests_are_refused_by_a_sentence() {
    for [line, expected] in rows(
        "
        => unknown command ''
        hello => unknown command 'hello'
        patchwork => expected a version after 'patchwork'
        go fast => expected one of iterations, nodes,
        go iterations many => expected one of iterations, nodes,
        newgame => expected the word 'seat', found 'nothing'
        newgame seat third => expected the seat first or second, found 'third'
        newgame seat first seed 12 => expected a seed of 64 hex digits, found '12'
        position track mine => mine
        position track original ring 1 2 => patch 3 is missing
        setoption name => expected a word after 'name'
        legal A B => 'B' is not an action
    ",
    ) {
        let error = line.parse::<BotRequest>().expect_err(line).to_string();
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn replies_come_back_from_their_lines() {
    for line in [
        "id name My Bot 2",
        "id author Ada L.",
        "option name Threads type integer default 1 min 1 max 64",
        "option name Scale type number default 0.5 min 0 max 2",
        "option name Ponder type switch default off",
        "option name Style type choice default calm values calm wild",
        "option name Book type text default a b",
        "patchworkok 1",
        "readyok",
        "legal",
        "bestaction 17:a1b1c2",
        "info value 0.53 visits 100 proven win nodes 90 depth 7 meandepth 2.5 entropy 1.25 line A S:e5",
        "info text hello there",
        "hello",
        "info value 1.5",
        "option name Threads type integer default 100 min 1 max 64",
        "option name Style type choice default odd values calm wild",
    ] {
        assert_eq!(BotReply::from(line).to_string(), line);
    }
    for unknown in [
        "hello",
        "",
        "info value 1.5",
        "info depth -1",
        "info speed 3",
        "id",
        "option",
    ] {
        assert_eq!(
            BotReply::from(unknown),
            BotReply::Unknown(unknown.to_owned())
        );
    }
    assert_eq!(BotReply::from("patchworkok"), BotReply::HandshakeDone(1));
}

#[test]
fn thoughts_survive_the_protocol() {
    let thought = Thought {
        iterations: 1234,
        value: Some(0.123_456_79),
        proven: Some(false),
        tree: Some(TreeFacts {
            nodes: 99,
            mean_depth: 3.333_333_3,
            max_depth: 12,
            entropy: 2.718_281_7,
        }),
    };
    for thought in [
        thought,
        Thought::default(),
        Thought {
            tree: None,
            ..thought
        },
    ] {
        let BotReply::Info(info) =
            BotReply::from(format!("info{}", BotInfo::from(thought)).as_str())
        else {
            panic!("not understood");
        };
        assert_eq!(info.thought(), thought);
    }
}

#[test]
fn later_information_completes_earlier() {
    let mut info: BotInfo = "value 0.5 visits 10 line A".parse().expect("known keys");
    info.update("visits 20 depth 3".parse().expect("known keys"));
    assert_eq!(info.to_string(), " value 0.5 visits 20 depth 3 line A");
}

#[test]
fn values_of_options_are_checked() {
    let option = |text: &str| text.parse::<BotOption>().expect(text);
    let text = |option: &BotOption, value: &str| {
        let table: toml::Table = format!("x = {value}").parse().expect(value);
        option.text_of(&table["x"]).unwrap_or_else(|error| error)
    };
    let threads = option("name Threads type integer default 1 min 1 max 64");
    assert_eq!(text(&threads, "64"), "64");
    let error = "expected a whole number from 1 to 64, found 65";
    assert_eq!(text(&threads, "65"), error);
    assert_eq!(text(&threads, "true"), error.replace("65", "true"));
    let scale = option("name Scale type number default 0.5 min 0 max 2");
    assert_eq!(
        (text(&scale, "2"), text(&scale, "0.25")),
        ("2".into(), "0.25".into())
    );
    assert_eq!(
        text(&scale, "2.5"),
        "expected a number from 0 to 2, found 2.5"
    );
    assert!(text(&scale, "nan").starts_with("expected"));
    let ponder = option("name Ponder type switch default off");
    assert_eq!(text(&ponder, "true"), "on");
    assert_eq!(
        text(&ponder, "'on'"),
        "expected true or false, found \"on\""
    );
    let style = option("name Style type choice default calm values calm wild");
    assert_eq!(text(&style, "'wild'"), "wild");
    assert_eq!(
        text(&style, "'odd'"),
        "expected calm or wild, found \"odd\""
    );
    let book = option("name Book type text default");
    assert_eq!(text(&book, "'a b'"), "a b");
    assert_eq!(
        text(&book, "\"a\\nb\"").lines().next(),
        Some("expected a text on one line, found \"a")
    );
}

proptest! {
    #[test]
    fn any_line_is_read(line in "\\PC*") {
        let reply = BotReply::from(line.as_str());
        let _ = (reply.to_string(), line.parse::<BotRequest>());
    }

    #[test]
    fn lines_of_known_words_are_read(
        words in proptest::collection::vec(
            prop_oneof![
                Just("info"), Just("value"), Just("option"), Just("name"), Just("type"), Just("integer"),
                Just("default"), Just("min"), Just("max"), Just("position"), Just("track"), Just("original"),
                Just("ring"), Just("actions"), Just("go"), Just("newgame"), Just("seat"), Just("seed"),
                Just("-1"), Just("99999999999999999999"), Just("nan"), Just("A"), Just("bestaction"),
            ],
            0..20,
        )
    ) {
        let line = words.join(" ");
        let reply = BotReply::from(line.as_str());
        let _ = (reply.to_string(), line.parse::<BotRequest>());
    }
}
