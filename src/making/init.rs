//! `init`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use patchwork_engine::agent::agent_schema;
use patchwork_tournament::{ledger, tournament_schema};

use crate::output::print;

/// Write example agents, a tournament, a tuning file and schemas to start from
#[derive(clap::Args)]
#[command(after_help = "Example:\n  patchwork-arena init my-arena\n\n\
                        Existing files are not changed.")]
pub(crate) struct Args {
    /// Folder to write into, which is created if necessary
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

const TOURNAMENT: &str = "tournaments/my-tournament.toml";

/// The files to start from. Their first lines tell editors where the schemas are.
const FILES: &[(&str, &str)] = &[
    ("agents/my-search.toml", include_str!("init/my-search.toml")),
    ("agents/my-greedy.toml", include_str!("init/my-greedy.toml")),
    (TOURNAMENT, include_str!("init/my-tournament.toml")),
    #[cfg(feature = "tune")]
    (
        "tournaments/my-tuning.toml",
        include_str!("init/my-tuning.toml"),
    ),
];

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let schemas = [
        ("schemas/agent.schema.json", agent_schema()),
        ("schemas/tournament.schema.json", tournament_schema()),
        #[cfg(feature = "tune")]
        (
            "schemas/tuning.schema.json",
            patchwork_tune::tuning_schema(),
        ),
    ];
    let mut files: Vec<_> = (FILES.iter().map(|&(name, text)| (name, text.to_owned()))).collect();
    for (name, schema) in schemas {
        files.push((name, serde_json::to_string_pretty(&schema)? + "\n"));
    }
    let mut said = Vec::new();
    for (name, text) in files {
        let path = args.folder.join(name);
        let what = if write_new(&path, &text)? {
            "wrote"
        } else {
            "kept "
        };
        said.push(format!("{what} {}", path.display()));
    }
    let here = args.folder == Path::new(".");
    let enter = match args.folder.display() {
        _ if here => String::new(),
        folder => format!("cd '{folder}' && "),
    };
    print(|out| {
        for line in said {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "Next: {enter}patchwork-arena run {TOURNAMENT}")
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a file, creating its folder, unless the file exists; returns whether it was written.
fn write_new(path: &Path, text: &str) -> anyhow::Result<bool> {
    let cannot = || format!("{}: cannot be written", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    if path.symlink_metadata().is_ok() {
        return Ok(false);
    }
    ledger::write_file(path, text.as_bytes())?;
    Ok(true)
}
