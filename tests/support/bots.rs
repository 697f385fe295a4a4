//! Bots for tests: shell scripts, and the processes that they leave behind.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::program::{Workspace, wait_until};

/// A bot that follows the protocol, with code to run at its start and for each decision.
pub fn script(start: &str, go: &str) -> String {
    format!(
        "#!/bin/sh\n{start}\nwhile read -r command rest; do\n  case $command in\n    \
         patchwork) echo patchworkok 1 ;;\n    isready) echo readyok ;;\n    go) {go} ;;\n    \
         legal) echo bestaction ${{rest##* }} ;;\n    quit) exit 0 ;;\n  esac\ndone\n"
    )
}

/// Limits of time that no bot exceeds on the busiest machine.
pub const PATIENT: &str = "limits = { start_milliseconds = 600000, move_milliseconds = 600000 }";

/// Writes a bot and its agent file into the folder of agents; bots without limits of their own have long ones. Its
/// processes have the variable `WORKSPACE` with the workspace's folder.
pub fn write_bot(home: &Workspace, name: &str, script: &str, keys: &str) {
    // Another process writes it: a file that is open for writing cannot be started, and every process that another
    // test starts at this moment would hold it open until it executes its own program.
    let mut writer = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
        .arg(home.path(&format!("agents/{name}.sh")))
        .stdin(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = writer.stdin.take().expect("piped");
    input.write_all(script.as_bytes()).expect("written");
    drop(input);
    assert!(writer.wait().expect("waited").success());
    let limits = if keys.contains("limits") { "" } else { PATIENT };
    let file = format!(
        "type = 'external'\ncommand = ['./{name}.sh']\nenvironment.WORKSPACE = '{}'\n{limits}\n{keys}\n",
        home.path("").display()
    );
    home.write(&format!("agents/{name}.toml"), &file);
}

/// The processes of the bots of a workspace: the output of `ps` for each. Works on Linux only.
pub fn processes(home: &Workspace) -> Vec<String> {
    let variable = format!("WORKSPACE={}\0", home.path("").display());
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(environment) = fs::read(entry.path().join("environ")) else {
            continue;
        };
        if environment
            .windows(variable.len())
            .any(|part| part == variable.as_bytes())
        {
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            found.push(format!("{}: {command}", entry.file_name().display()));
        }
    }
    found
}

/// Waits until the bots of a workspace have no process.
pub fn expect_no_processes(home: &Workspace) {
    wait_until("all bots have ended", || processes(home).is_empty());
}
