//! The transcript in the manual comes from a real session.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use patchwork_bots::protocol::{BotReply, BotRequest};
use patchwork_engine::game::{Action, Player, Setup, State, Track};
use patchwork_engine::util::rng::stream;

use patchwork_test_support::program::PROJECT;

const MANUAL: &str = "docs/protocol.md";
const BEGIN: &str = "<!-- transcript -->\n```\n";
const END: &str = "```\n<!-- end of transcript -->";

/// The last plies of a random game with the example shell bot as the second player.
fn session() -> String {
    let mut bot = Command::new("./shell.sh")
        .current_dir(Path::new(PROJECT).join("agents/external"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut to = bot.stdin.take().expect("piped");
    let mut from = BufReader::new(bot.stdout.take().expect("piped"));
    let mut told = String::new();
    let say = |told: &mut String, to: &mut dyn std::io::Write, request: BotRequest| {
        told.push_str(&format!("> {request}\n"));
        writeln!(to, "{request}").expect("written");
    };
    let mut hear = |told: &mut String| {
        let mut line = String::new();
        from.read_line(&mut line).expect("a line");
        told.push_str(&format!("< {line}"));
        BotReply::from(line.trim_end())
    };
    say(&mut told, &mut to, BotRequest::Handshake(1));
    while !matches!(hear(&mut told), BotReply::HandshakeDone(1)) {}
    let (name, value) = ("Pick".to_owned(), "last".to_owned());
    say(&mut told, &mut to, BotRequest::SetOption { name, value });
    say(&mut told, &mut to, BotRequest::IsReady);
    assert_eq!(hear(&mut told), BotReply::Ready);

    let mut rng = stream(&[9]);
    let setup = Setup::random(Track::Original, &mut rng);
    let (mut state, mut actions) = (State::new(&setup), Vec::<Action>::new());
    let mut asked = 0;
    let seat = Player::Second;
    let new_game = BotRequest::NewGame {
        setup: setup.clone(),
        seat,
        rng: stream(&[1]),
    };
    say(&mut told, &mut to, new_game);
    say(&mut told, &mut to, BotRequest::IsReady);
    assert_eq!(hear(&mut told), BotReply::Ready);
    while !state.is_over() {
        let legal = state.legal_actions(&setup);
        let late = legal.len() > 1 && legal.len() < 30;
        let action = if state.mover() == seat && late && asked < 3 {
            asked += 1;
            let position = BotRequest::Position {
                setup: setup.clone(),
                actions: actions.clone(),
            };
            say(&mut told, &mut to, position);
            say(
                &mut told,
                &mut to,
                BotRequest::Go(Some(patchwork_engine::search::Budget::Time(
                    std::time::Duration::from_millis(100),
                ))),
            );
            assert_eq!(hear(&mut told), BotReply::Legal);
            say(&mut told, &mut to, BotRequest::Legal(legal.clone()));
            match hear(&mut told) {
                BotReply::BestAction(text) => text.parse().expect("an action"),
                other => panic!("{other}"),
            }
        } else {
            state.random_action(&setup, &mut rng)
        };
        state = state.try_play(&setup, action).expect("a legal action");
        actions.push(action);
    }
    assert!(asked > 1, "{asked}");
    say(&mut told, &mut to, BotRequest::Quit);
    assert!(bot.wait().expect("ended").success());
    told
}

#[test]
fn the_transcript_of_the_manual_is_that_of_a_session() {
    let file = Path::new(PROJECT).join(MANUAL);
    let manual = std::fs::read_to_string(&file).expect("a text file");
    let (before, rest) = manual.split_once(BEGIN).expect("a transcript begins");
    let (there, after) = rest.split_once(END).expect("it ends");
    let session = session();
    if std::env::var_os("UPDATE_TRANSCRIPT").is_some() {
        std::fs::write(&file, format!("{before}{BEGIN}{session}{END}{after}")).expect("written");
        return;
    }
    let how = "run UPDATE_TRANSCRIPT=1 cargo test --test all external::transcript";
    assert!(there == session, "{MANUAL} is not up to date: {how}");
}
