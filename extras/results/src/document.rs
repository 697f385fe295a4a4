//! Ratings of results from other programs.

use std::collections::BTreeSet;
use std::io;

use patchwork_rating::RANK_ALPHA;
use patchwork_report::document::{
    Answered, CsvTable, Document, ReportSection, ReportTable, TableOf, TextForm, Unit, counted,
    percent, thousands, write_csv, write_document, write_text,
};
use patchwork_report::ratings::{
    STRONGER, comparisons, correlation, difference, standings, warnings, zero_of_scale,
};

use patchwork_tournament::stats::Standing;

use super::rated::{EvenPairing, Rated};

/// The table of `rate --format csv`.
const RATED: CsvTable = CsvTable::new("ratings", "One row per agent, from the highest rating down");

/// Writes the ratings of a table of results as text.
pub fn write_rated(
    out: impl io::Write,
    title: &str,
    rated: &Rated,
    form: TextForm,
) -> io::Result<()> {
    write_text(out, &document(title, rated), form)
}

/// Writes the ratings of a table of results as a page for a browser. `source` is the command that prints them as data.
pub fn write_rated_page(
    out: impl io::Write,
    title: &str,
    rated: &Rated,
    source: &str,
) -> io::Result<()> {
    write_document(out, &document(title, rated), source)
}

/// Writes the ratings of a table of results as CSV with a header line.
pub fn write_rated_csv(out: impl io::Write, rated: &Rated) -> io::Result<()> {
    write_csv(out, &rated_table(rated))
}

/// The table of the ratings.
pub fn rated_table(rated: &Rated) -> ReportTable<'_> {
    ratings(rated).swap_remove(0).finish()
}

fn document<'a>(title: &str, rated: &'a Rated) -> Document<'a> {
    let games = counted(rated.games, "game");
    let all = thousands(rated.games);
    let pairs = match rated.paired {
        0 => format!("0 of {all} games are in pairs; they count as independent"),
        paired => format!("{} of {all} games are in pairs", thousands(paired)),
    };
    let aside = [
        (rated.unfinished, "unfinished game"),
        (rated.left_out, "unreadable game"),
    ];
    let aside = aside.into_iter().filter(|(count, _)| *count > 0);
    let aside = aside.map(|(count, what)| format!("{} left out", counted(count, what)));
    Document {
        title: title.to_owned(),
        facts: std::iter::once(format!("{games}, {pairs}"))
            .chain(aside)
            .collect(),
        nothing: None,
        answers: difference_of_two(rated).into_iter().collect(),
        methods: "",
        sections: vec![strengths(rated), ranks(rated), seat(rated)],
    }
}

/// The difference of two agents, whose ratings have no intervals of their own.
fn difference_of_two(rated: &Rated) -> Option<Answered> {
    let ([a, b], [row]) = (&rated.ratings[..], &rated.comparisons[..]) else {
        return None;
    };
    let names = [&*a.agent, &*b.agent];
    Some(Answered {
        question: STRONGER,
        lines: vec![difference(
            names,
            (row.elo, ""),
            row.los,
            a.score,
            &counted(rated.games, "game"),
        )],
        leads: true,
    })
}

/// The agents whose rating shows only a direction.
fn separated(rated: &Rated) -> BTreeSet<&str> {
    let rows = rated.ratings.iter().filter(|row| row.separated);
    rows.map(|row| &*row.agent).collect()
}

fn has_draws(rated: &Rated) -> bool {
    rated.ratings.iter().any(|row| row.draws > Some(0))
}

fn ratings(rated: &Rated) -> Vec<TableOf<'_, &Standing>> {
    let draws = has_draws(rated);
    let draws = ["draws", if draws { "draws" } else { "" }];
    let (rows, compared) = (&rated.ratings, &rated.comparisons);
    standings(rows, compared, draws, RATED, |table| table)
}

fn strengths(rated: &Rated) -> ReportSection<'_> {
    let separated: Vec<&str> = separated(rated).into_iter().collect();
    let scale = match &rated.anchor {
        Some(anchor) => format!("Intervals are relative to {anchor}."),
        None => zero_of_scale(separated.len(), rated.ratings.len()).to_owned(),
    };
    let prior = rated.prior_used.then_some(rated.prior);
    let independent = "All games were taken as independent; the games of a pair may not be.";
    ReportSection::new("standings", "Standings")
        .leading()
        .tables_of(ratings(rated))
        .note(scale)
        .notes(warnings(&separated, prior, rated.connected))
        .notes(draws(rated))
        .notes(even(&rated.even))
        .notes((!rated.clustered && rated.paired > 0).then(|| independent.to_owned()))
        .notes(rated.notes.iter().cloned())
        .notes(
            (rated.filtered.iter())
                .map(|(what, &count)| format!("{} left out by {what}.", counted(count, "game"))),
        )
}

/// How draws count.
fn draws(rated: &Rated) -> Option<String> {
    let (share, parameter) = (rated.equal_draws?, rated.draw_parameter?);
    // Each draw is in the rows of two agents.
    let drawn = rated
        .ratings
        .iter()
        .filter_map(|row| row.draws)
        .sum::<u64>()
        / 2;
    Some(format!(
        "{} of {} drawn. A draw is half a point; by Davidson's model, equal agents draw {} of their games (draw parameter {parameter:.2}).",
        thousands(drawn),
        counted(rated.games, "game"),
        percent(share),
    ))
}

/// Says which pairings provide no information because all their pairs ended 1-1.
fn even(pairings: &[EvenPairing]) -> Option<String> {
    let [first, others @ ..] = pairings else {
        return None;
    };
    let more = match others.len() as u64 {
        0 => String::new(),
        count => format!(", as did those of {}", counted(count, "other pairing")),
    };
    Some(format!(
        "All {} of {} and {} ended 1-1{more}: the setups decide these games, as between agents that play alike and leave nothing to \
         chance. Nothing can then be said about who is stronger, however narrow the interval is.",
        counted(first.pairs, "pair"),
        first.a,
        first.b,
    ))
}

fn ranks(rated: &Rated) -> ReportSection<'_> {
    comparisons(
        rated.ratings.iter().map(|row| &*row.agent),
        &rated.comparisons,
        separated(rated),
        (rated.compared, RANK_ALPHA),
        &rated.consistency,
    )
}

fn seat(rated: &Rated) -> ReportSection<'_> {
    let first = &rated.first_player;
    let (won, verb) = (
        percent(first.score),
        if has_draws(rated) { "scored" } else { "won" },
    );
    let games = counted(rated.games, "game");
    let won = format!("{verb} {won} of games");
    let mut section = ReportSection::new("first-player", "First-player advantage");
    let terms = [("for moving first".to_owned(), first.elo, Some(won))];
    let of_rules = first.by_rules.iter().map(|row| {
        let games = counted(row.games, "game");
        (
            format!("for moving first on {}", row.rules),
            row.elo,
            Some(games),
        )
    });
    let terms = match first.by_rules.is_empty() {
        true => terms.into_iter().collect::<Vec<_>>(),
        false => of_rules.collect(),
    };
    for (name, elo, more) in terms {
        let value = format!("{} Elo", Unit::Elo.known(elo));
        section = section.headline(value, name, [Unit::Elo.confident(elo), more]);
    }
    let worth = first.elo.value.map(|_| {
        let elo = Unit::Elo.with_interval(first.elo);
        format!("With the agents' strengths taken into account, moving first is worth {elo}.")
    });
    section
        .notes(worth)
        .notes(correlation(rated.rho))
        .notes(first.by_rules.iter().map(|row| {
            let (elo, games) = (Unit::Elo.with_interval(row.elo), counted(row.games, "game"));
            format!("On {}, moving first is worth {elo}, by {games}.", row.rules)
        }))
        .note(format!(
            "The first player {verb} {} of {games}.",
            percent(first.score)
        ))
}
