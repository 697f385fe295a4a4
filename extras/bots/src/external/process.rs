//! The process of a bot: lines in and out with deadlines, bounded error output, and no process left behind.

use std::io::{self, ErrorKind, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use patchwork_engine::util::clock::Timer;

use super::command::BotCommand;
use super::guard;
use crate::protocol::MAX_LINE;

/// Why no line came from a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    Late,
    /// It wrote too much, described in words.
    Flood(String),
    /// Its program has ended, in the way described.
    Ended(String),
    /// It closed a pipe, named here, while its program was running.
    Closed(String),
}

/// Maximum number of bytes of output per request.
const MAX_OUTPUT: u64 = 1 << 20;
/// Maximum number of bytes of error output per request.
const MAX_ERRORS: u64 = 1 << 24;
/// Number of bytes of a game's error output that are kept.
const KEPT_ERRORS: usize = 4096;
/// Time within which a program that has closed its output must end.
const TO_END: Duration = Duration::from_millis(250);
/// Time for which an answer is polled before the thread sleeps, because waking up takes longer than a fast answer.
const TO_POLL: Duration = Duration::from_micros(50);
/// Time between two checks whether a program whose output is open has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct BotProcess {
    child: Child,
    group: Pid,
    mark: String,
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    /// Output that has been read but not used yet.
    input: Vec<u8>,
    /// Length of the part of `input` that was searched for the end of a line.
    searched: usize,
    /// Bytes of output and of error output since the last request.
    received: [u64; 2],
    errors: ErrorTail,
    killed: bool,
}

/// Keeps the end of the error output.
#[derive(Debug, Default)]
struct ErrorTail {
    bytes: Vec<u8>,
    dropped: u64,
}

impl ErrorTail {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        if self.bytes.len() > 2 * KEPT_ERRORS {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let over = self.bytes.len().saturating_sub(KEPT_ERRORS);
        self.bytes.drain(..over);
        self.dropped += over as u64;
    }

    fn take(&mut self) -> String {
        self.cut();
        let mut text = plain(&String::from_utf8_lossy(&self.bytes));
        if self.dropped > 0 {
            text = format!("... {} bytes before\n{text}", self.dropped);
        }
        *self = Self::default();
        text
    }
}

/// A text without control characters other than line ends and tabs, safe to show on a terminal.
pub(super) fn plain(text: &str) -> String {
    text.replace(
        |c: char| c.is_control() && c != '\n' && c != '\t',
        "\u{FFFD}",
    )
}

fn unblock(pipe: impl std::os::fd::AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(&pipe)?;
    Ok(fcntl_setfl(&pipe, flags | OFlags::NONBLOCK)?)
}

impl BotProcess {
    /// Starts a bot in a process group of its own.
    ///
    /// A shell sets the limits and waits for a line before it becomes the bot, so that the guard knows
    /// the group before any code of the bot runs.
    pub(super) fn start(command: &BotCommand) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{number}", guard::arena_mark());
        let limits: String = command
            .limits
            .iter()
            .map(|limit| format!("{limit} || exit 126\n"))
            .collect();
        let script = format!("{limits}IFS= read -r go && exec \"$@\"");
        let mut child = Command::new("/bin/sh")
            .args(["-c", &script, "sh"])
            .args(&command.words)
            .current_dir(&command.folder)
            .envs(&command.environment)
            .env(guard::MARK, &mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let group = Pid::from_child(&child);
        let stdin = child.stdin.take().expect("piped");
        let stdout = child.stdout.take().expect("piped");
        let stderr = child.stderr.take().expect("piped");
        let mut process = Self {
            child,
            group,
            mark,
            stdin,
            stdout,
            stderr: Some(stderr),
            input: Vec::new(),
            searched: 0,
            received: [0; 2],
            errors: ErrorTail::default(),
            killed: false,
        };
        // From here on, dropping it kills it.
        guard::add(group.as_raw_nonzero().get())?;
        process.stdin.write_all(b"\n")?;
        unblock(&process.stdin)?;
        unblock(&process.stdout)?;
        unblock(process.stderr.as_ref().expect("piped"))?;
        Ok(process)
    }

    /// Sends a line, or several with line ends between them.
    pub(super) fn send(&mut self, line: &str, timer: &mut Timer) -> Result<(), NoLine> {
        self.received = [0; 2];
        self.answer(line, timer)
    }

    /// Sends a line that answers a question of the bot; it does not extend the limit on the bot's output.
    pub(super) fn answer(&mut self, line: &str, timer: &mut Timer) -> Result<(), NoLine> {
        let line = format!("{line}\n");
        let mut rest = line.as_bytes();
        while !rest.is_empty() {
            match self.stdin.write(rest) {
                Ok(sent) => rest = &rest[sent..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.check_errors()?;
                    if timer.left().is_zero() {
                        return Err(NoLine::Late);
                    }
                    self.wait(true, timer);
                }
                Err(_) => return Err(self.gone("its input")),
            }
        }
        Ok(())
    }

    /// The next line, without its end. `interrupt` is polled and returns whether to give up.
    pub(super) fn line(
        &mut self,
        timer: &mut Timer,
        interrupt: impl Fn() -> bool,
    ) -> Result<String, NoLine> {
        let mut poll_until = None;
        loop {
            if let Some(line) = self.take_line()? {
                return Ok(line);
            }
            // The time is looked at before the output: what came while this process did not run is in time.
            let left = timer.left();
            let polled = *poll_until.get_or_insert_with(|| left.saturating_sub(TO_POLL));
            match self.read()? {
                true => continue,
                false if left > polled => {
                    std::thread::yield_now();
                    continue;
                }
                false if interrupt() || left.is_zero() => return Err(NoLine::Late),
                false => {}
            }
            self.check_errors()?;
            if self.wait(false, timer) {
                continue;
            }
            // Nothing has come for a while: the program may have ended and left its pipes to a child.
            if let Some(how) = self.ended() {
                if self.read()? {
                    continue;
                }
                return Err(NoLine::Ended(how));
            }
        }
    }

    fn take_line(&mut self) -> Result<Option<String>, NoLine> {
        let end = self.input[self.searched..]
            .iter()
            .position(|&byte| byte == b'\n');
        let Some(end) = end.map(|end| self.searched + end) else {
            self.searched = self.input.len();
            if self.input.len() > MAX_LINE {
                let what = format!("a line of more than {MAX_LINE} bytes");
                return Err(NoLine::Flood(what));
            }
            return Ok(None);
        };
        let line = String::from_utf8_lossy(&self.input[..end])
            .trim_end()
            .to_owned();
        self.input.drain(..=end);
        self.searched = 0;
        Ok(Some(line))
    }

    /// Reads the available output, and returns whether there was any.
    fn read(&mut self) -> Result<bool, NoLine> {
        let mut buffer = [0; 4096];
        loop {
            match self.stdout.read(&mut buffer) {
                Ok(0) => return Err(self.gone("its output")),
                Ok(read) => {
                    self.received[0] += read as u64;
                    if self.received[0] > MAX_OUTPUT {
                        let what = format!("more than {MAX_OUTPUT} bytes for one request");
                        return Err(NoLine::Flood(what));
                    }
                    self.input.extend(&buffer[..read]);
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(_) => return Err(self.gone("its output")),
            }
        }
    }

    /// Waits until something can be read or written, or for a short time; error output is read at once.
    /// Returns whether something can be read or written.
    fn wait(&mut self, write: bool, timer: &mut Timer) -> bool {
        let left = timer.left().min(BETWEEN_LOOKS);
        let timeout = Timespec {
            tv_sec: 0,
            tv_nsec: left.subsec_nanos().max(1).into(),
        };
        let mut fds = vec![PollFd::new(&self.stdout, PollFlags::IN)];
        if write {
            fds.push(PollFd::new(&self.stdin, PollFlags::OUT));
            // Its output is not read while it does not read its input.
            fds.swap_remove(0);
        }
        if let Some(stderr) = &self.stderr {
            fds.push(PollFd::new(stderr, PollFlags::IN));
        }
        if poll(&mut fds, Some(&timeout)).is_err() {
            return false;
        }
        let ready = !fds[0].revents().is_empty();
        let has_errors = fds.get(1).is_some_and(|fd| !fd.revents().is_empty());
        drop(fds);
        if has_errors {
            self.read_errors();
        }
        ready || has_errors
    }

    fn read_errors(&mut self) {
        let mut buffer = [0; 16384];
        let Some(stderr) = &mut self.stderr else {
            return;
        };
        match stderr.read(&mut buffer) {
            Ok(0) => self.stderr = None,
            Ok(read) => {
                self.received[1] += read as u64;
                self.errors.add(&buffer[..read]);
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.stderr = None,
        }
    }

    fn check_errors(&self) -> Result<(), NoLine> {
        if self.received[1] <= MAX_ERRORS {
            return Ok(());
        }
        Err(NoLine::Flood(format!(
            "more than {MAX_ERRORS} bytes of error output for one request"
        )))
    }

    /// Why a pipe is closed.
    fn gone(&mut self, pipe: &str) -> NoLine {
        let until = Instant::now() + TO_END;
        loop {
            if let Some(how) = self.ended() {
                return NoLine::Ended(how);
            }
            if Instant::now() >= until {
                return NoLine::Closed(format!("it closed {pipe}"));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// How its program has ended, if it has. The process stays a zombie, so that its id is not reused.
    fn ended(&self) -> Option<String> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.group), options).ok().flatten()?;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("its program ended with exit code {code}"),
            (None, Some(signal)) => format!("its program was terminated by signal {signal}"),
            (None, None) => "its program ended".to_owned(),
        })
    }

    /// Waits for its program to end; returns whether it did.
    pub(super) fn ends_by(&mut self, timer: &mut Timer) -> bool {
        loop {
            if self.ended().is_some() {
                return true;
            }
            if timer.left().is_zero() {
                return false;
            }
            self.read_errors();
            // Further output is ignored.
            let mut buffer = [0; 4096];
            let _ = self.stdout.read(&mut buffer);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub(super) fn kill(&mut self) {
        if std::mem::replace(&mut self.killed, true) {
            return;
        }
        let _ = kill_process_group(self.group, Signal::KILL);
        kill_marked(&self.mark);
        for _ in 0..64 {
            let before = self.received[1];
            self.read_errors();
            if self.received[1] == before {
                break;
            }
        }
        guard::remove(self.group.as_raw_nonzero().get());
        let _ = self.child.wait();
    }

    /// The error output since the last call; long output is cut.
    pub(super) fn take_errors(&mut self) -> String {
        if !self.killed {
            self.read_errors();
        }
        self.errors.take()
    }

    /// Whether any of its processes runs, apart from the one that was started.
    pub(super) fn has_children(&self) -> bool {
        let others = |process: &i32| *process != self.group.as_raw_nonzero().get();
        marked(&self.mark).0.iter().any(others)
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills processes that left their bot's group, such as daemons. They are recognised by their environment.
fn kill_marked(mark: &str) {
    // A process may start another one during the search.
    for _ in 0..10 {
        let (found, is_unsure) = marked(mark);
        for process in found.iter().copied().filter_map(Pid::from_raw) {
            let _ = rustix::process::kill_process(process, Signal::KILL);
        }
        if found.is_empty() {
            if !is_unsure {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The running processes with a mark, and whether some process hides its environment because it is changing its program;
/// found on Linux only.
fn marked(mark: &str) -> (Vec<i32>, bool) {
    let variable = format!("{}={mark}\0", guard::MARK);
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut is_unsure = false;
    let has_mark = |process: &i32| {
        // The environment of another user's process cannot be read.
        let Ok(mut environment) = std::fs::read(format!("/proc/{process}/environ")) else {
            return false;
        };
        // A process that has ended has no program, so its empty environment does not count.
        is_unsure |=
            environment.is_empty() && std::fs::read_link(format!("/proc/{process}/exe")).is_ok();
        environment.push(0);
        environment
            .windows(variable.len())
            .any(|window| window == variable.as_bytes())
    };
    let processes = processes.filter(has_mark).collect();
    (processes, is_unsure)
}
