//! Games with people: at a terminal, here a pseudo-terminal, and by typed lines.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use crate::support::program::{Workspace, program, success, text};

#[test]
fn a_game_by_lines_is_kept_and_understood_by_the_other_commands() {
    let home = Workspace::new();
    let arguments = [
        "play",
        "human",
        "greedy-regret",
        "--adviser",
        "greedy-inorder",
    ];
    let mut child = home
        .command(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("piped");
    // One of these actions is legal and continues the game; the others are answered with an error.
    let mut lines = "nonsense\nhint\nlegal\nA\nundo\n".to_owned();
    let squares = (b'a'..=b'i').flat_map(|c| (1..=9).map(move |r| format!("S:{}{r}\n", c as char)));
    let squares: String = squares.collect();
    for _ in 0..60 {
        lines += "A\n";
        lines += &squares;
    }
    // The game is over before the last line is read.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("ended");
    let said = success(&arguments, &output);
    for part in [
        "'nonsense' is not an action",
        "greedy-inorder would play",
        "Took back your last move.",
        "greedy-regret (second) wins",
        "Kept as game 1 of results/human-greedy-regret.",
    ] {
        assert!(said.contains(part), "no {part}");
    }
    let dir = "results/human-greedy-regret";
    let shown = home.ok(&["replay", dir, "1", "--show"]);
    assert!(
        shown.contains("is a program of its own or a person"),
        "{shown}"
    );
    assert!(shown.contains("human (first) advances"));
    home.ok(&["report", dir, "--html"]);
    assert!(home.text(&format!("{dir}/report.html")).contains("human"));
    let arguments = [
        "analyze",
        "--agent",
        "greedy-regret",
        "--results",
        dir,
        "--game",
        "1",
    ];
    assert!(home.ok(&arguments).contains("human"));
}

#[test]
fn people_play_nowhere_else() {
    let home = Workspace::new();
    home.write("agents/me.toml", "type = \"human\"\n");
    let sentence = home.refused(&["match", "me", "random"]);
    assert!(sentence.contains("me is a person"), "{sentence}");
    let sentence = home.refused(&["match", "random", "human"]);
    assert!(sentence.contains("human is a person"), "{sentence}");
    home.write("agents/typo.toml", "type = \"hum\"\n");
    let sentence = home.refused(&["match", "random", "typo"]);
    let expected = "type: unknown value \"hum\"; expected random, greedy, flat, alpha-beta, mcts or external\n";
    assert!(sentence.ends_with(expected), "{sentence}");
    assert!(
        home.refused(&["play", "human", "human"])
            .contains("SECOND: expected an agent")
    );
    assert!(
        home.refused(&["play", "human", "nobody"])
            .contains("there is no agent 'nobody'")
    );
    let adviser = ["play", "human", "random", "--adviser", "nobody"];
    assert!(
        home.refused(&adviser)
            .contains("there is no agent 'nobody'")
    );
    let name = ["play", "human", "random", "--save", "../x"];
    assert!(
        home.refused(&name)
            .contains("'../x' cannot be the name of a folder")
    );
    assert!(!home.path("results").exists(), "nothing is written");
    // A folder with other games is not touched.
    home.ok(&[
        "match",
        "random",
        "greedy-regret",
        "--pairs",
        "1",
        "--quiet",
        "--save",
        "mine",
    ]);
    let other = ["play", "human", "random", "--save", "mine", "--seed", "9"];
    assert!(home.refused(&other).contains("results/mine"));
    let arguments = ["play", "human", "random"];
    let output = program(&arguments)
        .current_dir(home.path(""))
        .output()
        .expect("started");
    assert_eq!(
        output.status.code(),
        Some(130),
        "no input: the game is not over"
    );
}

#[cfg(unix)]
mod terminal {
    use std::fs::{File, OpenOptions};
    use std::os::unix::fs::OpenOptionsExt as _;
    use std::process::{Child, Command};
    use std::sync::mpsc::{self, Receiver};
    use std::thread;

    use rustix::fs::OFlags;
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

    use super::*;
    use crate::support::program::{LONG, wait_until};

    /// A program at a pseudo-terminal, with the screen contents.
    struct Session {
        child: Child,
        master: File,
        /// Its other end; `None` when the program has ended.
        slave: Option<File>,
        bytes: Receiver<Vec<u8>>,
        size: (u16, u16),
        screen: Vec<Vec<char>>,
        at: (usize, usize),
        rest: Vec<u8>,
        /// Everything that was written.
        log: Vec<u8>,
        /// The mode of the terminal before the program.
        before: String,
    }

    impl Session {
        fn start(mut command: Command) -> Self {
            let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
            let master = openpt(flags).expect("a pseudo-terminal");
            grantpt(&master).expect("granted");
            unlockpt(&master).expect("unlocked");
            let name = ptsname(&master, Vec::new()).expect("a name");
            let name = name.to_str().expect("plain").to_owned();
            // Where the tests lead a session, it must not become their terminal: they would end with it.
            let flags = OFlags::NOCTTY.bits() as i32;
            let open = || {
                OpenOptions::new()
                    .read(true)
                    .write(true)
                    .custom_flags(flags)
                    .open(&name)
                    .expect("the terminal")
            };
            let slave = open();
            let before = mode(&slave);
            let master = File::from(master);
            let mut reader = master.try_clone().expect("cloned");
            let (sender, bytes) = mpsc::channel();
            thread::spawn(move || {
                let mut buffer = [0; 65536];
                while let Ok(read @ 1..) = reader.read(&mut buffer) {
                    if sender.send(buffer[..read].to_vec()).is_err() {
                        return;
                    }
                }
            });
            let mut session = Self {
                child: {
                    tcsetwinsize(&slave, size(80, 24)).expect("a size");
                    command.stdin(open()).stdout(open()).stderr(open());
                    command.spawn().expect("started")
                },
                master,
                slave: Some(slave),
                bytes,
                size: (80, 24),
                screen: Vec::new(),
                at: (0, 0),
                rest: Vec::new(),
                log: Vec::new(),
                before,
            };
            session.clear();
            session
        }

        fn clear(&mut self) {
            let (columns, lines) = self.size;
            self.screen = vec![vec![' '; columns.into()]; lines.into()];
        }

        fn resize(&mut self, columns: u16, lines: u16) {
            self.size = (columns, lines);
            self.clear();
            let slave = self.slave.as_ref().expect("it runs");
            tcsetwinsize(slave, size(columns, lines)).expect("a size");
        }

        fn press(&mut self, keys: &str) {
            self.master.write_all(keys.as_bytes()).expect("written");
        }

        fn text(&self) -> String {
            let lines = self
                .screen
                .iter()
                .map(|line| line.iter().collect::<String>());
            lines
                .map(|line| line.trim_end().to_owned() + "\n")
                .collect()
        }

        /// Waits until the screen satisfies a condition.
        fn wait(&mut self, what: &str, is_done: impl Fn(&str) -> bool) -> String {
            loop {
                let text = self.text();
                if is_done(&text) {
                    return text;
                }
                let bytes = self.bytes.recv_timeout(LONG);
                let bytes = bytes.unwrap_or_else(|error| panic!("{what}: {error}:\n{text}"));
                self.log.extend(&bytes);
                self.rest.extend(bytes);
                self.show();
            }
        }

        fn see(&mut self, part: &str) -> String {
            self.wait(part, |text| text.contains(part))
        }

        /// Interprets the output: text, cursor positions, and clearing.
        fn show(&mut self) {
            let text = String::from_utf8(std::mem::take(&mut self.rest)).expect("UTF-8");
            let mut chars = text.char_indices().peekable();
            while let Some((start, c)) = chars.next() {
                if c != '\x1b' {
                    let (line, column) = self.at;
                    if let Some(cell) = self.screen.get_mut(line).and_then(|l| l.get_mut(column)) {
                        *cell = c;
                    }
                    self.at.1 += 1;
                    continue;
                }
                let end = text[start + 1..].find(|c: char| c.is_ascii_alphabetic());
                let Some(end) = end.map(|end| start + 1 + end) else {
                    self.rest = text.as_bytes()[start..].to_vec();
                    return;
                };
                let body = &text[start + 2..end];
                match &text[end..=end] {
                    "H" => {
                        let (line, column) = body.split_once(';').expect("a place");
                        self.at = (
                            line.parse::<usize>().unwrap() - 1,
                            column.parse::<usize>().unwrap() - 1,
                        );
                    }
                    "J" => self.clear(),
                    "m" | "h" | "l" => {}
                    other => panic!("unknown sequence {other}"),
                }
                while chars.peek().is_some_and(|&(i, _)| i <= end) {
                    chars.next();
                }
            }
        }

        /// Waits for the exit code; the terminal must be as it was before.
        fn end(mut self, code: i32) -> String {
            wait_until("it ends", || {
                self.child.try_wait().expect("waited").is_some()
            });
            let status = self.child.wait().expect("ended");
            let after = mode(&self.slave.take().expect("it ran"));
            // Nobody else has the terminal open, so that its output ends.
            self.log.extend(self.bytes.iter().flatten());
            assert_eq!(status.code(), Some(code), "{}", text(&self.log));
            assert_eq!(after, self.before, "the mode of the terminal");
            let log = text(&self.log);
            assert!(
                log.contains("\x1b[?25h\x1b[?1049l"),
                "the cursor and the first screen"
            );
            log
        }
    }

    fn mode(terminal: &File) -> String {
        let mode = tcgetattr(terminal).expect("a terminal");
        format!("{:?} {:?}", mode.local_modes, mode.input_modes)
    }

    impl Drop for Session {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn size(columns: u16, lines: u16) -> Winsize {
        Winsize {
            ws_col: columns,
            ws_row: lines,
            ws_xpixel: 0,
            ws_ypixel: 0,
        }
    }

    fn play(home: &Workspace) -> Session {
        let arguments = [
            "play",
            "human",
            "greedy-inorder",
            "--adviser",
            "greedy-inorder",
        ];
        let mut command = home.command(&arguments);
        command.env("TERM", "xterm").env("NO_COLOR", "1");
        let mut session = Session::start(command);
        session.see("? help");
        session
    }

    #[test]
    fn a_whole_game_is_played_by_keys() {
        let home = Workspace::new();
        let mut session = play(&home);
        session.press("\x1b[C\x1b[B");
        session.press("r");
        let text = session.see("Enter plays");
        let (_, rest) = text.split_once("Enter plays ").expect("an action");
        let action = rest.split('.').next().expect("an action").to_owned();
        session.press("\r");
        session.wait("bought", |text| {
            !text.contains(&format!("Enter plays {action}"))
        });
        session.resize(60, 20);
        session.see("80x24 needed, this is 60x20");
        session.resize(100, 40);
        session.see("greedy-inorder (second), ply");
        // Advance whenever that is allowed; find a place for special patches.
        let mut last = String::new();
        for _ in 0..2000 {
            let over = |text: &str| text.contains("The game is over");
            let text = session.wait("my move", |text| {
                *text != *last && (over(text) || !text.contains("is thinking"))
            });
            if over(&text) {
                break;
            }
            if text.contains("Enter plays S:") {
                session.press("\r");
            } else if text.contains("is already covered") && text.contains("special") {
                session.press("\x1b[C");
            } else if text.contains("special patch waits") {
                session.press("\x1b[C\r");
            } else {
                session.press("a");
            }
            last = session.text();
        }
        let text = session.see("The game is over");
        assert!(text.contains("Kept as game 1"), "{text}");
        session.press("q");
        let log = session.end(0);
        let looks = log.split("\x1b[").filter_map(|part| part.split_once('m'));
        let mut looks =
            looks.filter(|(look, _)| look.chars().all(|c| c.is_ascii_digit() || c == ';'));
        assert!(
            looks.all(|(look, _)| look == "0" || look == "0;1"),
            "no colours"
        );
        assert!(
            home.ok(&["replay", "results/human-greedy-inorder", "1"])
                .contains("human against")
        );
    }

    #[test]
    fn ctrl_c_and_leaving_give_the_terminal_back() {
        let home = Workspace::new();
        let mut session = play(&home);
        session.press("\x03");
        let log = session.end(130);
        assert!(log.contains("Stopped: the game is not over and is not kept."));
        let mut session = play(&home);
        session.press("q");
        session.see("Press q again");
        session.press("q");
        session.end(0);
        assert!(!home.path("results").exists(), "nothing is written");
    }
}
