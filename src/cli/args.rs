//! Arguments and value parsers that several subcommands share.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, RangedI64ValueParser, TypedValueParser};
use clap::value_parser;
use patchwork_arena::document::thousands;
use patchwork_arena::input::{FileForm, is_compressed};
use patchwork_arena::tournament::{MOST_SWEPT, Manifest, PlanFile};
use patchwork_engine::agent::{AgentFile, AgentPaths, MOST_THREADS, Overrides};
use patchwork_engine::analysis::Reached;
use patchwork_engine::game::{ActionList, Ring, Rules, Setup};
use patchwork_engine::util::rng::stream;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Where agents are looked up by name, and overrides of their settings.
#[derive(clap::Args)]
pub(super) struct Agents {
    /// Folder of agent files [default: agents]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Change a setting of every agent named here, such as search.exploration=1.0; may be repeated
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

    /// The settings to change.
    pub(super) fn overrides(&self) -> anyhow::Result<Overrides> {
        let mut all = Overrides::default();
        for set in &self.set {
            all = all.and(set.clone()).context("--set")?;
        }
        Ok(all)
    }
}

/// A tournament file or a plan file, with its agents.
#[derive(clap::Args)]
pub(super) struct TournamentFile {
    /// Tournament file, or plan file whose name ends in .json
    file: PathBuf,
    /// Folder of agent files [default: agents beside the tournament's folder, then agents here]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    #[arg(long, help = format!("Allow a sweep with more than {} agents", thousands(MOST_SWEPT as u64)))]
    yes: bool,
}

impl TournamentFile {
    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.file
    }

    pub(super) fn read(&self) -> anyhow::Result<Manifest> {
        let most_swept = if self.yes { usize::MAX } else { MOST_SWEPT };
        read_file(&self.file, self.agents.as_deref(), most_swept)
    }
}

/// The tournament of a tournament file or a plan file.
fn read_file(file: &Path, agents: Option<&Path>, most_swept: usize) -> anyhow::Result<Manifest> {
    let name = file.display();
    match FileForm::of(file) {
        _ if is_compressed(file) => bail!("{name}: is compressed; expected a plain file"),
        Some(FileForm::Json) => Ok(PlanFile::read(file)?.tournament()),
        Some(FileForm::Toml) | None => Ok(Manifest::of_file_with(file, agents, most_swept)?),
        Some(other) => bail!(
            "{name}: the name ends in {}; expected .toml, a tournament file, or .json, a plan file",
            other.ending()
        ),
    }
}

/// The tournament of a tournament file, a plan file, or the manifest of a folder of version 0.2 or older.
pub(super) fn read_tournament(file: &Path) -> anyhow::Result<Manifest> {
    match file.file_name().is_some_and(|name| name == "manifest.json") {
        true => Ok(Manifest::read(file)?),
        false => read_file(file, None, MOST_SWEPT),
    }
}

/// The threads that play, and how their progress is shown.
#[derive(clap::Args)]
pub(super) struct Workers {
    /// Number of worker threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Format of the progress on the standard error: text, or json with one object per line
    #[arg(
        long,
        value_parser = one_of(PROGRESS_FORMS),
        value_name = "FORM",
        default_value = "text",
        hide_possible_values = true
    )]
    progress: Form,
}

const PROGRESS_FORMS: [(&str, Form, &str); 2] = [
    ("text", Form::Text, "For people"),
    ("json", Form::Json, "For programs"),
];

impl Workers {
    /// The format of the progress, or `None` if it is not shown.
    pub(super) fn progress_form(&self) -> Option<Form> {
        (!self.quiet).then_some(self.progress)
    }

    /// Whether messages for people are suppressed, except errors.
    pub(super) fn is_silent(&self) -> bool {
        self.progress_form() != Some(Form::Text)
    }

    /// A pool of these threads.
    pub(super) fn pool(&self) -> anyhow::Result<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads().get());
        let built = pool.build();
        built.map_err(|error| anyhow::anyhow!("cannot start threads: {error}"))
    }

    pub(super) fn threads(&self) -> NonZeroUsize {
        let given = self.threads.and_then(|n| NonZeroUsize::new(n.into()));
        given.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

/// A position: a ring, and actions from the start of the game.
#[derive(clap::Args)]
pub(super) struct PositionArgs {
    /// The 33 patches of the ring, beginning at the token [default: shuffled by the seed, as `play` does]
    #[arg(long)]
    ring: Option<Ring>,
    /// Printing of the time board: original or revised; with a komi as in original+2
    #[arg(long, default_value_t)]
    track: Rules,
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
    pub(super) fn reached(&self, seed: u64) -> anyhow::Result<Reached> {
        let setup = setup(self.track, self.ring, seed);
        Reached::after(setup, self.actions.0.clone()).context("--actions")
    }
}

/// The rules and the ring; without a ring, one shuffled by the seed.
pub(super) fn setup(rules: Rules, ring: Option<Ring>, seed: u64) -> Setup {
    match ring {
        Some(ring) => Setup::new(rules, ring),
        None => Setup::random(rules, &mut stream(&[seed, 0])),
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
    let range = value_parser!(u32).range(1..=i64::from(MOST_THREADS));
    range.try_map(NonZeroU32::try_from)
}

/// Parses one of several values, given with their names and descriptions.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (&'static str, T, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<_> = choices.into_iter().collect();
    let names = choices
        .iter()
        .map(|&(name, _, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(names).map(move |given| {
        let chosen = choices.iter().find(|(name, ..)| *name == given);
        chosen.expect("one of the possible values").1
    })
}

/// The output format of a command without tables.
#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// Text for a terminal
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// The output format of a report that has tables.
#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ReportForm {
    /// Text for a terminal
    #[default]
    Text,
    /// One JSON object
    Json,
    /// One table as CSV
    Csv,
}
