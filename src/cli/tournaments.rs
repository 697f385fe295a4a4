//! Subcommands about tournaments and their results.

use std::convert::Infallible;
use std::fs;
use std::io::Write as _;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use patchwork_arena::agent::is_plain_name;
use patchwork_arena::game::Player;
use patchwork_arena::rating::sprt::Sprt;
use patchwork_arena::record::Entry;
use patchwork_arena::report::{
    Course, Header, Source, Table, write_html, write_json, write_ring_book, write_text,
};
use patchwork_arena::stats::{RingBias, Summary};
use patchwork_arena::tournament::export::{ExportError, ExportFormat, export as write_games};
use patchwork_arena::tournament::replay::{self, Replay};
use patchwork_arena::tournament::store::{self, Archive, Store};
use patchwork_arena::tournament::{
    AgentPaths, ERROR_RATE, Manifest, Match, Plan, PlannedRings, Results, RingBook, Tournament,
    VERSION,
};

use super::interrupt::{self, INTERRUPTED};
use super::progress::Progress;
use super::{
    ExportArgs, GamesFormat, MatchArgs, ReplayArgs, ReportArgs, ReportFormat, RingKind, RunArgs,
    WorkerArgs, note, print,
};

pub(super) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let tournament = Tournament::read(&args.file, args.agents.as_deref())?;
    let dir = args.results.join(&tournament.name);
    let manifest = Manifest::new(tournament.name, tournament.plan);
    play_and_save(&manifest, &dir, &args.workers)
}

pub(super) fn play_match(args: MatchArgs) -> anyhow::Result<ExitCode> {
    let plan = plan_match(&args)?;
    let Some(name) = args.save else {
        return play_only(&plan, &args.workers);
    };
    if !is_plain_name(&name) {
        bail!("--save: '{name}' cannot name a folder: expected letters, digits, '-', '_' and '.'");
    }
    let dir = args.results.join(&name);
    play_and_save(&Manifest::new(name, plan), &dir, &args.workers)
}

fn plan_match(args: &MatchArgs) -> anyhow::Result<Plan> {
    let here = Path::new("match");
    let entries = [args.a.clone(), args.b.clone()];
    let agents = AgentPaths::here(args.agents.as_deref()).load(here, "agents", &entries)?;
    let (track, rings) = match &args.rings {
        Some(path) => RingBook::read(path)?
            .rings_for(args.track)
            .map_err(|what| anyhow!("--rings: {}: {what}", path.display()))?,
        None => (args.track.unwrap_or_default(), PlannedRings::Own),
    };
    let rate = |given: Option<f64>| given.unwrap_or(ERROR_RATE);
    let (alpha, beta) = (rate(args.alpha), rate(args.beta));
    let test = args
        .sprt
        .map(|(elo0, elo1)| Sprt::new(elo0, elo1, alpha, beta, args.model.unwrap_or_default()));
    let plan = Match {
        seed: args.seed,
        track,
        rings,
        pairs: args.pairs.map(NonZeroU32::get),
        test: test.transpose().context("--sprt")?,
        agents,
    };
    Ok(plan.plan()?)
}

/// Plays what is missing of a plan into its folder, then reports from the folder.
fn play_and_save(
    manifest: &Manifest,
    dir: &Path,
    workers: &WorkerArgs,
) -> anyhow::Result<ExitCode> {
    let (mut store, mut results) = Results::open(dir, manifest)?;
    if !workers.quiet {
        if results.torn > 0 {
            note(format_args!(
                "{}: cut off {} bytes of a game that was not saved whole; it is played again",
                dir.display(),
                results.torn
            ));
        }
        if !results.games.is_empty() {
            let (done, total) = (results.games.len(), results.schedule.planned_games());
            note(format_args!(
                "{}: {done} of {total} games are there already",
                dir.display()
            ));
        }
    }
    play(&mut results, workers, |entry| store.append(entry))?;
    store.sync()?;
    let schedule = &results.schedule;
    if !schedule.is_over() {
        note(format_args!(
            "Stopped: {} of {} games are saved in {}. To go on: {}",
            schedule.finished_games(),
            schedule.planned_games(),
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
    let (names, (a, b)) = (plan.names(), plan.pairings()[0]);
    let name = [a, b]
        .map(|agent| names[usize::from(agent)].as_str())
        .join(" against ");
    let manifest = Manifest::new(name.clone(), plan.clone());
    let broken = |what: String| anyhow!("{name}: {what}");
    let mut results = Results::none(manifest.clone());
    let mut games = Archive::default();
    play(&mut results, workers, |entry| {
        games.push(entry);
        Ok::<_, Infallible>(())
    })?;
    let results = Results::new(manifest, games).map_err(broken)?;
    print(|out| Report::new(&results).text(out))?;
    let schedule = &results.schedule;
    if !schedule.is_over() {
        note(format_args!(
            "Stopped after {} of {} games, which are not kept.",
            schedule.finished_games(),
            schedule.planned_games()
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays the missing games and shows the progress.
fn play<E>(
    results: &mut Results,
    workers: &WorkerArgs,
    mut keep: impl FnMut(&Entry) -> Result<(), E>,
) -> anyhow::Result<()>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let stop = interrupt::listen()?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = workers.threads.unwrap_or_else(cores);
    let names = results.manifest.plan.names();
    let mut progress = Progress::new(names, &results.schedule, &results.games, workers.quiet);
    let ended = results.play(threads, stop, |entry, schedule| {
        keep(entry)?;
        progress.add(entry, schedule);
        Ok::<_, E>(())
    });
    progress.finish(&results.schedule);
    Ok(ended?)
}

pub(super) fn report(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    if args.table.is_some() && !matches!(args.format, ReportFormat::Csv) {
        bail!("--table: goes with --format csv only");
    }
    let results = Results::read(&args.dir)?;
    let report = Report::new(&results);
    if args.html {
        return write_page(&args.dir, &results, &report);
    }
    if let Some(path) = &args.ring_book {
        let rings = ring_book(&report, args)
            .with_context(|| format!("{}: no ring book", args.dir.display()))?;
        write_output(path, &rings)?;
        return Ok(ExitCode::SUCCESS);
    }
    print(|out| match args.format {
        ReportFormat::Text => report.text(out),
        ReportFormat::Json => write_json(out, &report.header, &report.summary),
        ReportFormat::Csv => args.table.unwrap_or_default().write(out, &report.source()),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The file of the page in a results folder.
const PAGE: &str = "report.html";

/// Writes the page into the folder and says where it is.
fn write_page(dir: &Path, results: &Results, report: &Report<'_>) -> anyhow::Result<ExitCode> {
    let mut page = Vec::new();
    write_html(
        &mut page,
        &report.header,
        &report.summary,
        &results.manifest.plan,
        &results.games,
    )
    .with_context(|| dir.display().to_string())?;
    let path = dir.join(PAGE);
    store::write_file(&path, &page)?;
    print(|out| writeln!(out, "{}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The ring book that was asked for.
fn ring_book(report: &Report<'_>, args: &ReportArgs) -> anyhow::Result<Vec<u8>> {
    let rings = &report.summary.rings;
    if rings.all.is_empty() {
        bail!("no ring has been played in both legs of a pair yet");
    }
    let may_be_fair = |ring: &&RingBias| {
        let ends = ring.low.zip(ring.high);
        ends.is_some_and(|(low, high)| low <= 0.0 && high >= 0.0)
    };
    let most = args.most.map_or(usize::MAX, |most| most.get() as usize);
    let found: Vec<&RingBias> = match args.rings {
        RingKind::All => rings.most_balanced().take(most).collect(),
        RingKind::Balanced => rings
            .most_balanced()
            .filter(may_be_fair)
            .take(most)
            .collect(),
        RingKind::First => rings.favouring_first().take(most).collect(),
        RingKind::Second => rings.favouring_second().take(most).collect(),
    };
    if rings.margin.share.is_none() || rings.rings < 4 {
        bail!(
            "{} not tell which seat one favours, at least four rings and some chance are needed",
            if rings.rings == 1 {
                "1 ring does".to_owned()
            } else {
                format!("{} rings do", rings.rings)
            }
        );
    }
    if found.is_empty() {
        bail!("none of the {} rings is of this kind", rings.rings);
    }
    let mut text = Vec::new();
    write_ring_book(&mut text, &report.header, rings, &found)?;
    Ok(text)
}

/// Everything that is reported of results.
struct Report<'a> {
    header: Header,
    summary: Summary,
    names: Vec<String>,
    pairings: Vec<(u16, u16)>,
    games: &'a Archive,
}

impl<'a> Report<'a> {
    fn new(results: &'a Results) -> Self {
        let manifest = &results.manifest;
        let plan = &manifest.plan;
        let (names, pairings) = (plan.names(), plan.pairings());
        let mut summary = Summary::of(&names, &pairings, &results.games);
        if plan.format().is_adaptive() {
            // Not all agents are meant to meet.
            summary.pairings.retain(|pairing| pairing.games > 0);
        }
        Self {
            header: Header {
                name: manifest.name.clone(),
                track: plan.track(),
                course: Course::new(&results.schedule),
                seed: plan.seed(),
                planned_games: results.schedule.planned_games(),
                version: manifest.version.clone(),
            },
            summary,
            names,
            pairings,
            games: &results.games,
        }
    }

    fn source(&self) -> Source<'_> {
        Source {
            summary: &self.summary,
            names: &self.names,
            pairings: &self.pairings,
            games: self.games,
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
            store.write_file(&table.file_name(), &csv)?;
        }
        Ok(())
    }
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let results = Results::read(&args.dir)?;
    let format = match args.format {
        GamesFormat::Jsonl => ExportFormat::Jsonl,
        GamesFormat::Tsv => ExportFormat::Tsv,
        GamesFormat::Pgn => ExportFormat::Pgn,
    };
    let bad =
        |error: ExportError| anyhow::Error::new(error).context(args.dir.display().to_string());
    if let Some(path) = &args.output {
        let mut text = Vec::new();
        write_games(&results, format, &mut text).map_err(bad)?;
        write_output(path, &text)?;
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
    let cannot = || format!("{}: cannot be written", path.display());
    let target = if there.is_symlink() {
        fs::canonicalize(path).with_context(cannot)?
    } else {
        path.to_owned()
    };
    let there = fs::metadata(&target).with_context(cannot)?;
    if !there.is_file() {
        let file = fs::OpenOptions::new().write(true).open(&target);
        return file
            .and_then(|mut file| file.write_all(bytes))
            .with_context(cannot);
    }
    store::write_file(&target, bytes)?;
    fs::set_permissions(&target, there.permissions()).with_context(cannot)
}

pub(super) fn replay(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let results = Results::read(&args.dir)?;
    let plan = &results.manifest.plan;
    let record = results.find_game(&args.game);
    let record = &record.with_context(|| args.dir.display().to_string())?;
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
