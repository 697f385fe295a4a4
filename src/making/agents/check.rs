//! `agents check`.

use std::path::PathBuf;
use std::process::ExitCode;

use patchwork_bots::{BotCommand, check_bot};
use patchwork_report::document::LineTable;
use serde_json::json;

use crate::endings::{Form, Output};
use crate::output::print;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Working folder of the bot
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    #[command(flatten)]
    output: Output<Form>,
    /// The bot's program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let is_live = args.output.form()? == Form::Text && args.output.file().is_none();
    let command = BotCommand::new(args.command.clone(), &args.folder);
    command.check().map_err(anyhow::Error::msg)?;
    let table = LineTable::new(1).left("", 12).left("", 0);
    let (mut checks, mut lines, mut printed) = (Vec::new(), String::new(), Ok(()));
    let check = check_bot(&command, |name, result| {
        let passed = result.is_ok();
        let (Ok(what) | Err(what)) = result;
        let head = if passed { "ok" } else { "FAILED" };
        let line = table.line(&[&name, &format!("{head}: {what}")]).to_string() + "\n";
        checks.push(json!({ "check": name, "passed": passed, "what": what }));
        match is_live && printed.is_ok() {
            true => printed = print(|out| out.write_all(line.as_bytes())),
            false => lines += &line,
        }
    });
    printed?;
    let json = json!({
        "checks": checks,
        "remarks": check.remarks,
        "stderr": check.stderr,
        "passed": check.passed,
    });
    args.output.answer(&json, |out| {
        out.write_all(lines.as_bytes())?;
        for remark in &check.remarks {
            writeln!(out, "{}", table.line(&[&"remark", remark]))?;
        }
        for (i, line) in check.stderr.lines().enumerate() {
            let head = if i == 0 { "stderr" } else { "" };
            writeln!(out, "{}", table.line(&[&head, &line]))?;
        }
        match check.passed {
            true => writeln!(out, "The bot follows the protocol."),
            false => writeln!(out, "The bot does not follow the protocol."),
        }
    })?;
    Ok(ExitCode::from(u8::from(!check.passed)))
}
