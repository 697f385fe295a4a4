//! Where output goes.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::program::{Workspace, binary, small, text};

/// Links are followed, modes are kept, and anything but a plain file is not replaced.
#[cfg(unix)]
#[test]
fn exports_go_where_they_are_sent() {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};

    let home = Workspace::new();
    home.save_match(1);
    let expected = home.export("results/m");
    let export = |to: &str| home.ok(&["export", "results/m", "--format", "jsonl", "-o", to]);
    home.write("target", "old");
    fs::set_permissions(home.path("target"), fs::Permissions::from_mode(0o600)).expect("set");
    symlink("target", home.path("link")).expect("linked");
    export("link");
    assert_eq!(home.text("target"), expected);
    assert!(
        fs::symlink_metadata(home.path("link"))
            .expect("there")
            .is_symlink()
    );
    let mode = fs::metadata(home.path("target"))
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    export("/dev/null");
    let null = fs::metadata("/dev/null").expect("there").file_type();
    assert!(null.is_char_device());
    assert!(
        home.refused(&["export", "results/m", "--format", "jsonl", "-o", "agents"])
            .contains("agents")
    );
}

/// A closed standard error is not a reason to panic.
#[cfg(unix)]
#[test]
fn a_closed_standard_error_is_no_reason_to_panic() {
    let home = Workspace::new();
    for (arguments, code) in [("run tournaments/small.toml", 0), ("report nowhere", 2)] {
        let script = format!("exec \"$0\" {arguments} 2>/dev/full >/dev/null");
        let status = Command::new("sh")
            .args(["-c", &script, &binary()])
            .current_dir(home.path(""))
            .status();
        assert_eq!(status.expect("started").code(), Some(code), "{arguments}");
    }
}

/// A reader that closes the pipe is not a reason to panic.
#[cfg(unix)]
#[test]
fn output_may_be_cut_short() {
    let home = Workspace::new();
    home.write("tournaments/cut.toml", &small("cut", 2));
    home.ok(&["run", "tournaments/cut.toml", "--quiet"]);
    let mut child = home
        .command(&["export", "results/cut", "--format", "jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ended");
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
}
