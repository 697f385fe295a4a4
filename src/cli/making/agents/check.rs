//! `agents check`.

use std::path::PathBuf;
use std::process::ExitCode;

use patchwork_arena::document::LineTable;
use patchwork_engine::agent::{BotCommand, check_bot};

use crate::cli::output::print;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Working folder of the bot
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// The bot's program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let command = BotCommand::new(args.command.clone(), &args.folder);
    command.check().map_err(anyhow::Error::msg)?;
    let table = LineTable::new(1).left("", 12).left("", 0);
    let mut printed = Ok(());
    let check = check_bot(&command, |name, result| {
        let shown = print(|out| {
            let result = match result {
                Ok(what) => format!("ok: {what}"),
                Err(what) => format!("FAILED: {what}"),
            };
            writeln!(out, "{}", table.line(&[&name, &result]))
        });
        if printed.is_ok() {
            printed = shown;
        }
    });
    printed?;
    print(|out| {
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
