//! `report`, and what `run` and `match` print at the end.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::builder::TypedValueParser;
use patchwork_arena::report::{
    Course, Header, Source, Table, write_html, write_json, write_ring_book, write_text,
};
use patchwork_arena::stats::{RingBias, Summary};
use patchwork_arena::tournament::Results;
use patchwork_arena::tournament::store::{self, Archive, Store};

use super::args::{ReportForm, count, one_of};
use super::output::{print, write_file};

/// Report the results of a tournament
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena report results/quickstart\n  \
                  patchwork-arena report results/quickstart --format csv --table patches\n  \
                  patchwork-arena report results/quickstart --html\n  \
                  patchwork-arena report results/quickstart --ring-book fair.txt --rings balanced --most 100"
)]
pub(super) struct Args {
    /// Results folder
    dir: PathBuf,
    /// Form of the report
    #[arg(long, value_enum, default_value_t)]
    format: ReportForm,
    /// Which table, with --format csv [default: ratings]
    #[arg(long, value_name = "TABLE", value_parser = table())]
    table: Option<Table>,
    /// Write a page for a browser, report.html, into the folder
    #[arg(long, conflicts_with_all = ["format", "table", "ring_book"])]
    html: bool,
    /// Write a ring book: the rings that were played and the seat that each favours, as a file that
    /// tournaments can take their setups from
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    ring_book: Option<PathBuf>,
    /// Which rings, with --ring-book
    #[arg(long, default_value = "all", value_parser = one_of(RING_KINDS), requires = "ring_book")]
    rings: RingKind,
    /// Maximum number of rings, with --ring-book
    #[arg(long, value_name = "N", value_parser = count(), requires = "ring_book")]
    most: Option<u32>,
}

fn table() -> impl TypedValueParser<Value = Table> {
    one_of(Table::ALL.map(|table| (table.name(), table, table.about())))
}

/// Which rings go into a ring book.
#[derive(Clone, Copy)]
enum RingKind {
    All,
    Balanced,
    First,
    Second,
}

const RING_KINDS: [(&str, RingKind, &str); 4] = [
    ("all", RingKind::All, "All rings, the most balanced first"),
    (
        "balanced",
        RingKind::Balanced,
        "Rings that may favour neither player, the most balanced first",
    ),
    (
        "first",
        RingKind::First,
        "Rings that favour the first player, the most certain first",
    ),
    (
        "second",
        RingKind::Second,
        "Rings that favour the second player, the most certain first",
    ),
];

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.table.is_some() && args.format != ReportForm::Csv {
        bail!("--table: requires --format csv");
    }
    let results = Results::read(&args.dir)?;
    let report = Report::new(&results);
    if args.html {
        return write_page(&args.dir, &results, &report);
    }
    if let Some(path) = &args.ring_book {
        let rings = ring_book(&report, args)
            .with_context(|| format!("{}: no ring book", args.dir.display()))?;
        write_file(path, &rings)?;
        return Ok(ExitCode::SUCCESS);
    }
    print(|out| match args.format {
        ReportForm::Text => report.text(out),
        ReportForm::Json => write_json(out, &report.header, &report.summary),
        ReportForm::Csv => args.table.unwrap_or_default().write(out, &report.source()),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// File of the page in a results folder.
const PAGE: &str = "report.html";

/// Writes the page into the folder and prints its path.
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
fn ring_book(report: &Report<'_>, args: &Args) -> anyhow::Result<Vec<u8>> {
    let rings = &report.summary.rings;
    if rings.all.is_empty() {
        bail!("no ring has been played in both legs of a pair yet");
    }
    let may_be_fair = |ring: &&RingBias| {
        let ends = ring.low.zip(ring.high);
        ends.is_some_and(|(low, high)| low <= 0.0 && high >= 0.0)
    };
    let most = args.most.map_or(usize::MAX, |most| most as usize);
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
            "which seat a ring favours cannot be told from {} {}; at least 4 rings and some chance are needed",
            rings.rings,
            if rings.rings == 1 { "ring" } else { "rings" }
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
pub(super) struct Report<'a> {
    header: Header,
    summary: Summary,
    names: Vec<String>,
    pairings: Vec<(u16, u16)>,
    games: &'a Archive,
}

impl<'a> Report<'a> {
    pub(super) fn new(results: &'a Results) -> Self {
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

    pub(super) fn text(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        write_text(out, &self.header, &self.summary)
    }

    /// Writes the files that a results folder has beside the games.
    pub(super) fn save(&self, store: &Store) -> anyhow::Result<()> {
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
