//! Arguments and value parsers that several subcommands share.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::builder::{RangedI64ValueParser, TypedValueParser};
use clap::value_parser;
use patchwork_engine::agent::{AgentFile, AgentPaths, AgentSettings, MAX_THREADS, Overrides};
use patchwork_engine::game::{ActionList, Position, Ring, Rules, Setup};
use patchwork_engine::util::rng::stream;
use patchwork_rating::sprt::{EloModel, Sprt, SprtKeys};
use patchwork_report::document::thousands;
use patchwork_tournament::input::{FileForm, is_compressed};
use patchwork_tournament::{LocalThreads, MAX_SWEPT, Manifest, PlanFile, default_seed, ledger};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::crew::Crew;
use super::endings::{Form, Quiet, form_name};

/// Where agents are looked up by name, and overrides of their settings.
#[derive(clap::Args)]
pub(super) struct Agents {
    /// Folder of agent files [default: agents]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Override a setting of every agent named on the command line, such as search.exploration=1.0 (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Overrides>,
}

impl Agents {
    /// Reads the agents that arguments name.
    pub(super) fn read_all(&self, names: &[String]) -> anyhow::Result<Vec<AgentFile>> {
        let paths = AgentPaths::here(self.agents.as_deref());
        let load = |paths: &AgentPaths| paths.load(Path::new(""), "", names);
        load(&paths.clone().with_set(self.overrides()?)).map_err(|error| match load(&paths) {
            Ok(_) => anyhow::Error::from(error).context("--set"),
            Err(_) => error.into(),
        })
    }

    /// Reads the agent that an argument names.
    pub(super) fn read(&self, argument: &str, name: &str) -> anyhow::Result<AgentFile> {
        let mut found = self.read_all(&[name.to_owned()])?;
        match (found.pop(), found.is_empty()) {
            (Some(agent), true) => Ok(agent),
            _ => bail!("{argument}: '{name}' matches several agents; expected one"),
        }
    }

    pub(super) fn overrides(&self) -> anyhow::Result<Overrides> {
        let mut all = Overrides::default();
        for set in &self.set {
            all = all.and(set.clone()).context("--set")?;
        }
        Ok(all)
    }
}

/// Where the agents that a file names are looked up.
#[derive(clap::Args)]
pub(super) struct AgentsOfFile {
    /// Folder of agent files [default: agents/ beside the file's folder, then ./agents]
    #[arg(long, value_name = "DIR")]
    pub(super) agents: Option<PathBuf>,
}

/// A tournament file or a plan file, with its agents, or a results folder.
#[derive(clap::Args)]
pub(super) struct TournamentFile {
    /// Tournament file, plan file (.json), or results folder, to play its plan
    pub(super) file: PathBuf,
    #[command(flatten)]
    agents: AgentsOfFile,
    #[arg(long, help = format!("Allow a sweep with more than {} agents", thousands(MAX_SWEPT as u64)))]
    yes: bool,
}

impl TournamentFile {
    pub(super) fn read(&self) -> anyhow::Result<Manifest> {
        let most_swept = if self.yes { usize::MAX } else { MAX_SWEPT };
        read_file(&self.file, self.agents.agents.as_deref(), most_swept)
    }
}

/// The tournament of a tournament file or a plan file.
fn read_file(file: &Path, agents: Option<&Path>, most_swept: usize) -> anyhow::Result<Manifest> {
    let name = file.display();
    match FileForm::of(file) {
        _ if file.is_dir() => {
            let mut manifest = ledger::read_manifest(file)?;
            if manifest.is_search_over.is_some() {
                bail!(
                    "{name}: is the folder of a tuning; expected that of a tournament or a match"
                );
            }
            // The folder may have another name than what is played there.
            let folder = file.canonicalize()?;
            let folder = folder.file_name().and_then(|name| name.to_str());
            manifest.name = folder.map_or(manifest.name, str::to_owned);
            Ok(manifest)
        }
        _ if is_compressed(file) => bail!("{name}: is compressed; expected a plain file"),
        Some(FileForm::Json) => Ok(PlanFile::read(file)?.tournament()),
        Some(FileForm::Toml) | None => Ok(Manifest::of_file_with(file, agents, most_swept)?),
        Some(other) => bail!(
            "{name}: the name ends in {}; expected .toml, a tournament file, or .json, a plan file",
            other.ending()
        ),
    }
}

/// The tournament of a tournament file or a plan file.
pub(super) fn read_tournament(file: &Path) -> anyhow::Result<Manifest> {
    read_file(file, None, MAX_SWEPT)
}

/// Where the folders of games are.
#[derive(clap::Args)]
pub(super) struct ResultsFolder {
    /// Folder in which the results folder is created
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(super) results: PathBuf,
}

/// The seed of a command.
#[derive(clap::Args)]
pub(super) struct Seed {
    /// Seed of all random choices
    #[arg(long, default_value_t = default_seed(), value_parser = seed, allow_negative_numbers = true)]
    pub(super) seed: u64,
}

/// The threads that compute.
#[derive(clap::Args)]
pub(super) struct Threads {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(super) fn count(&self) -> NonZeroUsize {
        let given = self.threads.and_then(|n| NonZeroUsize::new(n.into()));
        given.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    pub(super) fn pool(&self) -> anyhow::Result<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.count().get());
        let built = pool.build();
        built.map_err(|error| anyhow::anyhow!("cannot start threads: {error}"))
    }
}

/// The threads that search a position together.
#[derive(clap::Args)]
pub(super) struct SearchThreads {
    /// Number of threads of a search, for agents with a time budget [default: as in the agent file]
    #[arg(long, value_name = "N", value_parser = search_threads())]
    threads: Option<NonZeroU32>,
}

impl SearchThreads {
    /// The settings of an agent that searches with these threads.
    pub(super) fn of(&self, settings: AgentSettings) -> AgentSettings {
        match self.threads {
            Some(threads) => settings.with_threads(threads),
            None => settings,
        }
    }
}

/// The threads that play, and how their progress is shown.
#[derive(clap::Args)]
pub(super) struct Workers {
    #[command(flatten)]
    threads: Threads,
    /// Format of progress messages on standard error: text, or json with one object per line
    #[arg(long, value_name = "FORM", default_value = "text", value_parser = form_name::<Form>(), hide_possible_values = true)]
    progress: Form,
}

impl Workers {
    /// The number of threads.
    pub(super) fn threads(&self) -> LocalThreads {
        LocalThreads(self.threads.count())
    }

    /// The format of the progress; `None` if only the result is wanted.
    pub(super) fn progress(&self, quiet: &Quiet) -> Option<Form> {
        (!quiet.quiet).then_some(self.progress)
    }

    /// The threads of this machine.
    pub(super) fn crew(&self, quiet: &Quiet) -> Crew<'static> {
        Crew {
            executor: Box::new(self.threads()),
            progress: self.progress(quiet),
        }
    }
}

/// A sequential test.
#[derive(clap::Args)]
pub(super) struct SequentialTest {
    /// Sequential probability ratio test of H0 (A is stronger than B by ELO0) against H1 (by ELO1)
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_hypotheses, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Probability of accepting H1 when H0 is true [default: 0.05]
    #[arg(long, value_name = "P", requires = "sprt")]
    alpha: Option<f64>,
    /// Probability of accepting H0 when H1 is true [default: 0.05]
    #[arg(long, value_name = "P", requires = "sprt")]
    beta: Option<f64>,
    /// Scale of ELO0 and ELO1: logistic or normalized [default: logistic]
    #[arg(long, requires = "sprt")]
    model: Option<EloModel>,
}

impl SequentialTest {
    pub(super) fn test(&self) -> anyhow::Result<Option<Sprt>> {
        let test = self.sprt.map(|(elo0, elo1)| {
            Sprt::try_from(SprtKeys {
                elo0,
                elo1,
                alpha: self.alpha,
                beta: self.beta,
                model: self.model.unwrap_or_default(),
            })
        });
        test.transpose()
            .map_err(anyhow::Error::msg)
            .context("--sprt")
    }
}

fn parse_hypotheses(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(',');
    ends.and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)))
        .ok_or_else(|| "expected two numbers separated by a comma, such as 0,10".to_owned())
}

/// The rules and the ring of a game.
#[derive(clap::Args)]
pub(super) struct SetupArgs {
    /// The 33 patches in the order of the ring, starting at the neutral token [default: shuffled by the seed]
    #[arg(long)]
    pub(super) ring: Option<Ring>,
    /// Printing of the time board: original or revised; original+2 gives the second player 2 extra buttons (komi)
    #[arg(long, default_value_t)]
    pub(super) track: Rules,
}

impl SetupArgs {
    /// The rules and the ring; without a ring, one shuffled by the seed.
    pub(super) fn setup(&self, seed: u64) -> Setup {
        match self.ring {
            Some(ring) => Setup::new(self.track, ring),
            None => Setup::random(self.track, &mut stream(&[seed, 0])),
        }
    }
}

/// A position: a ring, and actions from the start of the game.
#[derive(clap::Args)]
pub(super) struct PositionArgs {
    #[command(flatten)]
    setup: SetupArgs,
    /// Actions that lead to the position, or - for none
    #[arg(
        long,
        default_value = "-",
        allow_hyphen_values = true,
        value_parser = parse_actions
    )]
    actions: ActionList,
}

impl PositionArgs {
    /// The position; without a ring, the one from which `play` starts with this seed.
    pub(super) fn reached(&self, seed: u64) -> anyhow::Result<Position> {
        let start = Position::start(self.setup.setup(seed));
        start.after(self.actions.0.clone()).context("--actions")
    }
}

fn parse_actions(text: &str) -> Result<ActionList, <ActionList as std::str::FromStr>::Err> {
    if text == "-" { "" } else { text }.parse()
}

/// Parses a seed. Files have the same range.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    let seed = text
        .parse()
        .ok()
        .filter(|&seed| i64::try_from(seed).is_ok());
    seed.ok_or_else(|| format!("expected a whole number from 0 to {}", i64::MAX))
}

/// Parses a whole number from 1.
pub(super) fn count() -> RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..)
}

/// Parses the number of threads that search a position together.
pub(super) fn search_threads() -> impl TypedValueParser<Value = NonZeroU32> {
    let range = value_parser!(u32).range(1..=i64::from(MAX_THREADS));
    range.try_map(NonZeroU32::try_from)
}
