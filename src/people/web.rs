//! `web`.

use std::io::Read as _;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use patchwork_board::assets::FILES;
use patchwork_engine::agent::{AgentPaths, PLAIN_NAME};
use patchwork_tournament::ledger;
use patchwork_web::{Arena, WebGuard, serve};

use crate::output::{listen, print};

/// Serve results and a board to play on in a browser
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena web\n  patchwork-arena web results/quickstart --address 127.0.0.1:8080\n  patchwork-arena web results ../other/results\n  patchwork-arena web --export board\n\n\
                        To serve other machines, listen on a network address. Requests then need a token, which is part of the printed URL."
)]
pub(crate) struct Args {
    /// Results folders, or folders that contain them; games that people play are stored in the first, or beside it if
    /// it is a results folder
    #[arg(value_name = "DIR", default_value = "results")]
    dirs: Vec<PathBuf>,
    /// Address and port to listen on; port 0 picks a free one
    #[arg(long, default_value = "127.0.0.1:7878")]
    address: SocketAddr,
    /// Token that requests must carry [default: none on the loopback address, otherwise a random one]
    #[arg(long)]
    token: Option<String>,
    /// Name of this server that requests may use, for example behind a proxy; may be repeated. With a token, any name
    /// is accepted
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Folder of agent files [default: agents, and the shipped agents]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Instead of serving, write the board as static files to this folder, to be served by any web server or opened
    /// from disk
    #[arg(long, value_name = "DIR", conflicts_with_all = ["address", "token", "host", "agents"])]
    export: Option<PathBuf>,
}

/// The length of a random token in bytes.
const TOKEN: usize = 16;

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(dir) = &args.export {
        export(dir)?;
        return Ok(ExitCode::SUCCESS);
    }
    let token = match &args.token {
        Some(token) => {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            if token.len() < 8 || !token.chars().all(is_plain) {
                bail!("--token: expected 8 or more {PLAIN_NAME}");
            }
            Some(token.clone())
        }
        None if args.address.ip().is_loopback() => None,
        None => Some(random_token().context("no random token can be made; give one with --token")?),
    };
    let listener = TcpListener::bind(args.address)
        .with_context(|| format!("--address: cannot listen on {}", args.address))?;
    let address = listener.local_addr().context("the address is unknown")?;
    let stop = listen()?;
    let paths = AgentPaths::here(args.agents.as_deref());
    let site = Arc::new(Arena::new(&args.dirs, paths, stop));
    let suffix = token
        .as_ref()
        .map_or(String::new(), |token| format!("?token={token}"));
    print(|out| writeln!(out, "http://{address}/{suffix}\nCtrl-C stops the server."))?;
    let guard = WebGuard::new(address, token, args.host.clone());
    serve(&listener, &guard, &site, stop).context("the server has failed")?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the files of the board.
fn export(dir: &Path) -> anyhow::Result<()> {
    ledger::create_folder(dir)?;
    for file in FILES {
        ledger::write_file(&dir.join(file.name), &file.content())?;
    }
    let index = dir.join("index.html");
    print(|out| {
        writeln!(
            out,
            "The board is in {}: open {}.",
            dir.display(),
            index.display()
        )
    })?;
    Ok(())
}

fn random_token() -> std::io::Result<String> {
    let mut bytes = [0; TOKEN];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
