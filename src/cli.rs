//! The subcommands, one file each: the arguments and the code that runs them.
//!
//! To add a subcommand, create a file with `Args` and a function `run` in the folder of its group, and add a line to the
//! list below.

mod args;
mod endings;
#[cfg(feature = "cluster")]
mod fleet;
#[cfg(not(feature = "cluster"))]
#[path = "cli/no_fleet.rs"]
mod fleet;
mod limits;
pub(crate) mod output;
mod progress;
mod renamed;
mod workforce;
mod wrapping;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use textwrap::{Options, WordSplitter};

/// A self-play tournament engine for the board game Patchwork
#[derive(clap::Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Declares the subcommands, each by its name and its module, in groups: the folder and the heading in the help.
macro_rules! subcommands {
    ($($group:ident: $heading:literal { $($(#[$place:meta])? $Name:ident: $file:ident,)+ })+) => {
        $(mod $group {
            $($(#[$place])? pub(super) mod $file;)+
        })+

        #[derive(clap::Subcommand)]
        enum Command {
            $($($Name($group::$file::Args),)+)+
        }

        /// The groups: a heading, and the names of the subcommands.
        const GROUPS: &[(&str, &[&str])] = &[$(($heading, &[$(stringify!($Name)),+])),+];

        impl Cli {
            pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
                limits::prepare()?;
                match self.command {
                    $($(Command::$Name(args) => $group::$file::run(&args),)+)+
                }
            }
        }
    };
}

subcommands! {
    playing: "Play" {
        Run: run,
        Match: r#match,
        Tune: tune,
        Learn: learn,
    }
    results: "Results" {
        Report: report,
        Export: export,
        Import: import,
        Analyze: analyze,
        Verify: verify,
        Rate: rate,
    }
    people: "People" {
        Play: play,
        Web: web,
    }
    making: "Agents" {
        Agents: agents,
        Init: init,
    }
    papers: "Papers" {
        Paper: paper,
    }
    tools: "Tools" {
        Bench: bench,
        #[cfg_attr(not(feature = "cluster"), path = "no_fleet.rs")]
        Fleet: fleet,
        Setup: setup,
    }
}

impl Cli {
    /// Reads the command line.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        Self::from_arg_matches(&grouped().try_get_matches()?)
    }
}

/// The command line, whose help lists the subcommands by group.
fn grouped() -> clap::Command {
    let command = Cli::command();
    let mut groups = String::new();
    let width = output::known_width().unwrap_or(100).min(100);
    for (heading, names) in GROUPS {
        groups += &format!("\n{heading}:\n");
        for name in *names {
            let name = name.to_lowercase();
            let found = command
                .find_subcommand(&name)
                .filter(|found| !found.is_hide_set());
            let Some(about) = found.and_then(clap::Command::get_about) else {
                continue;
            };
            let about = about.to_string();
            let head = format!("  {name:<9}");
            let options = Options::new(width)
                .initial_indent(&head)
                .subsequent_indent("           ")
                .word_splitter(WordSplitter::NoHyphenation);
            groups += &textwrap::fill(&about, options);
            groups.push('\n');
        }
    }
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n{groups}\nOptions:\n{{options}}"
    ))
}
