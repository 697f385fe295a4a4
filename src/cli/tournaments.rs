//! Subcommands about tournaments and their results.

use std::convert::Infallible;
use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use patchwork_arena::agent::is_plain_name;
use patchwork_arena::export::{ExportError, ExportFormat, export as write_games};
use patchwork_arena::game::Player;
use patchwork_arena::record::{Entry, GameId, Record};
use patchwork_arena::replay::{self, Replay};
use patchwork_arena::report::{Header, Source, Table, write_json, write_text};
use patchwork_arena::stats::Summary;
use patchwork_arena::tournament::store::{self, Store};
use patchwork_arena::tournament::{
    self, AgentPaths, Format, Manifest, Plan, Results, Tournament, VERSION,
};

use super::interrupt::{self, INTERRUPTED};
use super::progress::Progress;
use super::{
    ExportArgs, GamesFormat, MatchArgs, ReplayArgs, ReportArgs, ReportFormat, RunArgs, TableName,
    WorkerArgs, note, print,
};

pub(super) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let tournament = Tournament::read(&args.file, args.agents.as_deref())?;
    let dir = args.results.join(&tournament.name);
    let manifest = Manifest::new(tournament.name, tournament.plan);
    play_and_save(&manifest, &dir, &args.workers)
}

pub(super) fn play_match(args: MatchArgs) -> anyhow::Result<ExitCode> {
    let here = Path::new("match");
    let agents =
        AgentPaths::here(args.agents.as_deref()).load(here, "agents", &[args.a, args.b])?;
    let pairs = args.pairs.get();
    let plan = Tournament::plan(args.seed, args.track, Format::RoundRobin, pairs, agents)?;
    let Some(name) = args.save else {
        return play_only(&plan, &args.workers);
    };
    if !is_plain_name(&name) {
        bail!("--save: '{name}' cannot name a folder: expected letters, digits, '-', '_' and '.'");
    }
    let dir = args.results.join(&name);
    play_and_save(&Manifest::new(name, plan), &dir, &args.workers)
}

/// Plays what is missing of a plan into its folder, then reports from the folder.
fn play_and_save(
    manifest: &Manifest,
    dir: &Path,
    workers: &WorkerArgs,
) -> anyhow::Result<ExitCode> {
    let (mut store, results) = tournament::open(dir, manifest)?;
    let plan = &manifest.plan;
    if !workers.quiet {
        if results.torn > 0 {
            note(format_args!(
                "{}: cut off {} bytes of a game that was not saved whole; it is played again",
                dir.display(),
                results.torn
            ));
        }
        if !results.entries.is_empty() {
            let (done, total) = (results.entries.len(), plan.game_count());
            note(format_args!(
                "{}: {done} of {total} games are there already",
                dir.display()
            ));
        }
    }
    let done = play(plan, &results, workers, |entry| store.append(entry))?;
    store.sync()?;
    if done < plan.game_count() {
        note(format_args!(
            "Stopped: {done} of {} games are saved in {}. To go on: {}",
            plan.game_count(),
            dir.display(),
            this_command()
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let results = Results::read(dir)?;
    let report = Report::new(&results);
    report.save(&store)?;
    print(|out| report.text(out))?;
    if !workers.quiet {
        note(format_args!("Games and reports are in {}.", dir.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The command that was given, as it can be given again.
fn this_command() -> String {
    let quoted = std::env::args().map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Plays a plan without keeping its games.
fn play_only(plan: &Plan, workers: &WorkerArgs) -> anyhow::Result<ExitCode> {
    let names = plan.names();
    let mut results = Results {
        manifest: Manifest::new(names.join(" against "), plan.clone()),
        entries: Vec::new(),
        torn: 0,
    };
    let mut entries = Vec::new();
    let done = play(plan, &results, workers, |entry| {
        entries.push(entry.clone());
        Ok::<_, Infallible>(())
    })?;
    entries.sort_by_key(|entry| entry.record.id);
    results.entries = entries;
    print(|out| Report::new(&results).text(out))?;
    if done < plan.game_count() {
        note(format_args!(
            "Stopped after {done} of {} games, which are not kept.",
            plan.game_count()
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays the missing games and says how many there are then.
fn play<E>(
    plan: &Plan,
    results: &Results,
    workers: &WorkerArgs,
    mut keep: impl FnMut(&Entry) -> Result<(), E>,
) -> anyhow::Result<usize>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let stop = interrupt::listen()?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = workers.threads.unwrap_or_else(cores);
    let mut done = results.entries.len();
    let mut progress = Progress::new(
        plan.names(),
        plan.game_count() as u64,
        &results.entries,
        workers.quiet,
    );
    let ended = tournament::run(plan, results.missing(), threads, stop, |entry| {
        keep(&entry)?;
        done += 1;
        progress.add(&entry);
        Ok::<_, E>(())
    });
    progress.finish();
    ended?;
    Ok(done)
}

pub(super) fn report(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let results = Results::read(&args.dir)?;
    let report = Report::new(&results);
    if args.table.is_some() && !matches!(args.format, ReportFormat::Csv) {
        bail!("--table: goes with --format csv only");
    }
    let table = match args.table.unwrap_or_default() {
        TableName::Ratings => Table::Ratings,
        TableName::Pairings => Table::Pairings,
        TableName::Branching => Table::Branching,
        TableName::Games => Table::Games,
    };
    print(|out| match args.format {
        ReportFormat::Text => report.text(out),
        ReportFormat::Json => write_json(out, &report.header, &report.summary),
        ReportFormat::Csv => table.write(out, &report.source()),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Everything that is reported of results.
struct Report<'a> {
    header: Header,
    summary: Summary,
    names: Vec<String>,
    pairings: Vec<(u16, u16)>,
    entries: &'a [Entry],
}

impl<'a> Report<'a> {
    fn new(results: &'a Results) -> Self {
        let manifest = &results.manifest;
        let plan = &manifest.plan;
        let (names, pairings) = (plan.names(), plan.pairings());
        Self {
            header: Header {
                name: manifest.name.clone(),
                track: plan.track(),
                seed: plan.seed(),
                planned_games: plan.game_count() as u64,
                version: manifest.version.clone(),
            },
            summary: Summary::new(&names, &pairings, &results.entries),
            names,
            pairings,
            entries: &results.entries,
        }
    }

    fn source(&self) -> Source<'_> {
        Source {
            summary: &self.summary,
            names: &self.names,
            pairings: &self.pairings,
            entries: self.entries,
        }
    }

    fn text(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        write_text(out, &self.header, &self.summary)
    }

    /// Writes the files that a results folder has beside the games.
    fn save(&self, store: &Store) -> anyhow::Result<()> {
        let mut json = Vec::new();
        write_json(&mut json, &self.header, &self.summary)?;
        store.write_file("summary.json", &json)?;
        for table in Table::ALL {
            let mut csv = Vec::new();
            table.write(&mut csv, &self.source())?;
            store.write_file(table.file_name(), &csv)?;
        }
        Ok(())
    }
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let results = Results::read(&args.dir)?;
    let format = match args.format {
        GamesFormat::Jsonl => ExportFormat::Jsonl,
        GamesFormat::Tsv => ExportFormat::Tsv,
    };
    let bad =
        |error: ExportError| anyhow::Error::new(error).context(args.dir.display().to_string());
    if let Some(path) = &args.output {
        let mut text = Vec::new();
        write_games(&results, format, &mut text).map_err(bad)?;
        write_output(path, &text)
            .with_context(|| format!("{}: cannot be written", path.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut broken = None;
    print(|out| match write_games(&results, format, out) {
        Ok(()) => Ok(()),
        Err(ExportError::Write(error)) => Err(error),
        Err(error) => {
            broken = Some(error);
            Ok(())
        }
    })?;
    broken.map_or(Ok(ExitCode::SUCCESS), |error| Err(bad(error)))
}

/// Writes a file that a user has named: a plain file as a whole or not at all, where a link leads
/// and with the mode that it had; anything else, such as a device, by writing into it.
fn write_output(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let Ok(there) = fs::symlink_metadata(path) else {
        return Ok(store::write_file(path, bytes)?);
    };
    let target = if there.is_symlink() {
        fs::canonicalize(path)?
    } else {
        path.to_owned()
    };
    let there = fs::metadata(&target)?;
    if !there.is_file() {
        return Ok(fs::OpenOptions::new()
            .write(true)
            .open(&target)?
            .write_all(bytes)?);
    }
    store::write_file(&target, bytes)?;
    Ok(fs::set_permissions(&target, there.permissions())?)
}

pub(super) fn replay(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let results = Results::read(&args.dir)?;
    let plan = &results.manifest.plan;
    let record = &stored_game(&results, &args.dir, &args.game)?;
    let (id, number) = (record.id, plan.number(record.id));
    let names = plan.names();
    let [first, second] = record
        .agents
        .map(|agent| names[usize::from(agent)].as_str());
    if args.show {
        print(|out| replay::show(record, [first, second], out))?;
    }
    let at = || format!("{}: game {number}", args.dir.display());
    let replayed = replay::replay(plan, record).with_context(at)?;
    let [one, other] = Player::BOTH.map(|player| record.scores[player.index()]);
    let title = format!(
        "Game {number} (pair {}, leg {}): {first} against {second}, {one} to {other}, {} plies",
        id.pair,
        id.leg,
        record.plies.len()
    );
    let begun = &results.manifest.version;
    let (verdict, code) = match replayed {
        Replay::Agrees => ("played again, the bytes agree".to_owned(), 0),
        Replay::Unrepeatable => (
            "an agent has a time budget, so it cannot be played again; the record is a legal game"
                .to_owned(),
            0,
        ),
        Replay::Differs(again) => {
            let plies = record.plies.iter().zip(&again.plies);
            let same = plies.take_while(|(old, new)| old == new).count();
            let version = if begun == VERSION {
                String::new()
            } else {
                format!(" (played by version {begun}, this is {VERSION})")
            };
            (
                format!("played again, it differs from ply {} on{version}", same + 1),
                1,
            )
        }
    };
    print(|out| writeln!(out, "{title}: {verdict}."))?;
    Ok(ExitCode::from(code))
}

/// A game of a results folder, named as [`find_game`] allows.
pub(super) fn stored_game(results: &Results, dir: &Path, name: &str) -> anyhow::Result<Record> {
    let plan = &results.manifest.plan;
    let id = find_game(plan, name)?;
    let entries = &results.entries;
    match entries.binary_search_by_key(&id, |entry| entry.record.id) {
        Ok(index) => Ok(entries[index].record.clone()),
        Err(_) => bail!(
            "{}: game {} has not been played yet",
            dir.display(),
            plan.number(id)
        ),
    }
}

/// A game by number, or by pairing, pair and leg.
fn find_game(plan: &Plan, text: &str) -> anyhow::Result<GameId> {
    let parts: Vec<&str> = text.split('/').collect();
    let game = match parts[..] {
        [number] => number.parse().ok().and_then(|number| plan.game(number)),
        [pairing, pair, leg] => {
            let names = plan.names();
            let name = |agent: u16| names[usize::from(agent)].as_str();
            let pairings = plan.pairings();
            let position = pairings
                .iter()
                .position(|&(a, b)| format!("{}|{}", name(a), name(b)) == pairing);
            let id = position.and_then(|position| {
                Some(GameId {
                    pairing: position as u32,
                    pair: pair.parse().ok()?,
                    leg: leg.parse().ok()?,
                })
            });
            id.and_then(|id| plan.game(plan.number(id)).filter(|game| game.id == id))
        }
        _ => None,
    };
    game.map(|game| game.id).with_context(|| {
        format!(
            "'{text}' is no game of this plan: expected a number from 0 to {}, \
             or pairing, pair and leg such as '{}|{}/0/1'",
            plan.game_count() - 1,
            plan.agents()[0].name,
            plan.agents()[1].name
        )
    })
}
