//! The program: parse arguments, run a subcommand, turn its result into an exit code.
//!
//! A subcommand is one file with its arguments and the code that runs them. To add one, create a file with `Args` and a
//! function `run` in the folder of its group, and add a line to the list below. One that the main job does not need names
//! the feature of the program that it belongs to.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]
#![cfg_attr(
    not(all(
        feature = "bots",
        feature = "learn",
        feature = "papers",
        feature = "results",
        feature = "tune",
        feature = "web"
    )),
    allow(
        dead_code,
        reason = "what several subcommands share is there without some of them"
    )
)]

mod args;
mod crew;
mod endings;
#[cfg(feature = "fleet")]
mod fleet;
#[cfg(not(feature = "fleet"))]
#[path = "no_fleet.rs"]
mod fleet;
mod limits;
mod output;
mod progress;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use patchwork_report::document::wrapped_line;

/// A self-play tournament engine for the board game Patchwork
#[derive(clap::Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Declares the subcommands, each by its name, its module and its feature, in groups: the folder and the heading in the
/// help.
macro_rules! subcommands {
    ($($group:ident: $heading:literal { $($Name:ident: $file:ident $(if $feature:literal)?,)+ })+) => {
        $(mod $group {
            $($(#[cfg(feature = $feature)])? pub(super) mod $file;)+
        })+

        #[derive(clap::Subcommand)]
        enum Command {
            $($($(#[cfg(feature = $feature)])? $Name($group::$file::Args),)+)+
        }

        /// The groups: a heading, and the names of the subcommands with their features; one is empty for none.
        const GROUPS: &[(&str, &[(&str, &str)])] =
            &[$(($heading, &[$((stringify!($Name), concat!($($feature)?))),+])),+];

        impl Cli {
            pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
                limits::prepare()?;
                match self.command {
                    $($($(#[cfg(feature = $feature)])? Command::$Name(args) => $group::$file::run(&args),)+)+
                }
            }
        }
    };
}

subcommands! {
    playing: "Play" {
        Run: run,
        Match: r#match,
        Tune: tune if "tune",
        Learn: learn if "learn",
    }
    results: "Results" {
        Report: report,
        Export: export,
        Import: import,
        Analyze: analyze,
        Verify: verify,
        Rate: rate if "results",
    }
    people: "People" {
        Play: play if "web",
        Web: web if "web",
    }
    making: "Agents" {
        Agents: agents,
        Init: init,
    }
    papers: "Papers" {
        Paper: paper if "papers",
    }
    tools: "Tools" {
        Bench: bench,
        Fleet: fleet if "fleet",
        Setup: setup,
    }
}

impl Cli {
    /// Reads the command line.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        Self::from_arg_matches(&grouped().try_get_matches_from(output::words())?)
    }
}

/// The command line, whose help lists the subcommands by group.
fn grouped() -> clap::Command {
    let command = Cli::command();
    let mut groups = String::new();
    let width = output::known_width().unwrap_or(100).min(100);
    for (heading, names) in GROUPS {
        let mut group = String::new();
        for (name, _) in *names {
            let name = name.to_lowercase();
            let Some(about) = command
                .find_subcommand(&name)
                .and_then(clap::Command::get_about)
            else {
                continue;
            };
            group += &wrapped_line(&format!("  {name:<9}{about}"), width);
            group.push('\n');
        }
        if !group.is_empty() {
            groups += &format!("\n{heading}:\n{group}");
        }
    }
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n{groups}\nOptions:\n{{options}}"
    ))
}

/// A sentence about a subcommand that this program was built without.
fn not_built(name: &str) -> Option<String> {
    let all = GROUPS.iter().flat_map(|(_, names)| *names);
    let (_, feature) = all
        .into_iter()
        .find(|(known, _)| known.to_lowercase() == name)?;
    let is_built = Cli::command().find_subcommand(name).is_some();
    (!is_built).then(|| format!("{name}: {}", missing(feature)))
}

/// A sentence about a feature that this program was built without.
fn missing(feature: &str) -> String {
    format!(
        "this program was built without it; `cargo build --release --features {feature}` builds it"
    )
}

fn main() -> ExitCode {
    #[cfg(feature = "bots")]
    patchwork_bots::register();
    match Cli::read() {
        Ok(cli) => cli.run().unwrap_or_else(|error| output::failure(&error)),
        Err(error) => output::usage(&error),
    }
}
