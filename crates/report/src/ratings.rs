//! Ratings in tables and sentences, whichever games they come from: what their columns mean, how certain the order of
//! the agents is, and whether the ratings can be trusted.

use std::collections::{BTreeMap, BTreeSet};

use patchwork_rating::statistic::{DIFFERENCE, ELO, LOS, P_ADJUSTED, RANKS};
use patchwork_rating::{
    Comparison, Consistency, Estimate, INCONSISTENT, MIN_EXPECTED, PairingFit, RANK_ALPHA,
    RatingPrior,
};

use crate::document::{
    Bar, CsvTable, Place, ReportSection, ReportTable, TableOf, UNKNOWN, Unit, counted, named,
    percent, signed,
};
use patchwork_tournament::stats::{RingStatistics, Standing};

/// Maximum number of listed pairings that the ratings do not explain.
const MAX_SURPRISING: usize = 3;

/// Number of standard errors from which a pairing is called surprising.
const SURPRISING: f64 = 2.0;

/// If results more uneven than these have at least this probability, they are suspiciously even.
const MORE_EVEN: f64 = 0.95;

/// The question that the ratings answer.
pub const STRONGER: &str = "Who is stronger, and by how much?";

pub(super) const COMPARISONS: CsvTable = CsvTable::new(
    "comparisons",
    "One row per pair of agents: the difference of their ratings and how certain it is",
);

/// The standings, one table for each group of agents that games link; the first has all rows as CSV. `draws` has the name and
/// the heading of the column of draws; both are empty where games cannot be drawn. `more` adds columns after the score.
///
/// A table of two agents has no intervals: that of their difference says all.
pub fn standings<'a>(
    rows: &'a [Standing],
    comparisons: &'a [Comparison],
    draws: [&'static str; 2],
    csv: CsvTable,
    more: impl Fn(TableOf<'a, &'a Standing>) -> TableOf<'a, &'a Standing>,
) -> Vec<TableOf<'a, &'a Standing>> {
    let all = || {
        more(scores(rows, comparisons, draws))
            .column("perfect", "", Unit::Text, |row| row.perfect)
            .column("separated", "", Unit::Text, |row| row.separated)
            .column("group", "", Unit::Count, |row| row.group)
    };
    let groups = rows.chunk_by(|one, other| one.group == other.group);
    let mut start = 0;
    let tables = groups.map(|group| {
        let range = start..start + group.len();
        start = range.end;
        let table = all().shown(range.clone().collect());
        match (range.len() < rows.len(), group[0].group) {
            (false, _) => table,
            (true, Some(number)) => table.title(format!("Group {number}")),
            (true, None) => table.title("Agents that have not met another"),
        }
    });
    let mut tables: Vec<TableOf<'a, &'a Standing>> = tables.collect();
    let first = tables.drain(..tables.len().min(1)).next();
    tables.insert(0, first.unwrap_or_else(all).csv(csv));
    tables
}

/// The ratings and results of agents.
fn scores<'a>(
    rows: &'a [Standing],
    comparisons: &'a [Comparison],
    draws: [&'static str; 2],
) -> TableOf<'a, &'a Standing> {
    let los = los_of_next(rows.iter().map(|row| &*row.agent), comparisons);
    let rank = |row: &&Standing| {
        let ranks = row.ranks();
        ranks.map_or_else(|| UNKNOWN.to_owned(), |ranks| ranks.to_string())
    };
    let table = ReportTable::of(rows)
        .column("", "rank", Unit::Count, rank)
        .explained(RANKS)
        .name("agent", "agent", |row| (&row.agent, row.separated));
    let table = match rows {
        [_, _] => table
            .estimate("elo", "", Unit::Elo, |row| row.elo)
            .statistic(ELO)
            .column("", "Elo", Unit::Elo, |row| row.elo.value)
            .main(),
        _ => table
            .estimate("elo", "Elo", Unit::Elo, |row| row.elo)
            .statistic(ELO)
            .main()
            .null(0.0)
            .bar(Bar::Around),
    };
    table
        .column("best_rank", "", Unit::Count, |row| row.best_rank)
        .column("worst_rank", "", Unit::Count, |row| row.worst_rank)
        .column("", "LOS", Unit::Chance, move |row| {
            los.get(&*row.agent).copied()
        })
        .explained(LOS)
        .column("games", "games", Unit::Count, |row| row.games)
        .priority(2)
        .column("wins", "wins", Unit::Count, |row| row.wins)
        .priority(5)
        .column(draws[0], draws[1], Unit::Count, |row| {
            row.draws.unwrap_or(0)
        })
        .priority(5)
        .column("score", "score", Unit::Share, |row| row.score)
        .priority(1)
}

/// The difference of two agents in a sentence. `words` say what the interval is, if it is not that of a fixed number of games;
/// `los` is known only for such a number.
pub fn difference(
    [a, b]: [&str; 2],
    (elo, words): (Estimate, &str),
    los: Option<f64>,
    score: Option<f64>,
    played: &str,
) -> String {
    let interval = match (Unit::Elo.confident(elo), words) {
        (Some(interval), "") => interval,
        (Some(interval), words) => format!("{interval}, {words}"),
        (None, _) if score == Some(0.5) => "no interval, because all pairs ended alike".to_owned(),
        (None, _) => "no interval, because the games set no limit".to_owned(),
    };
    let los = los.map_or_else(String::new, |los| {
        format!("LOS {}, ", Unit::Chance.number(los))
    });
    let (elo, score) = (Unit::Elo.known(elo), Unit::Share.known(score));
    format!("{elo} Elo ({interval}) for {a} minus {b}: {los}score {score}, {played}")
}

/// The section about how certain the order of the agents is. `compared` is the number of comparisons by which p-values are
/// adjusted, and `alpha` the limit of those that count. After sequential tests, differences are too far from 0, and the table
/// is for programs.
pub fn comparisons<'a>(
    order: impl Iterator<Item = &'a str>,
    rows: &'a [Comparison],
    separated: BTreeSet<&'a str>,
    (compared, alpha): (u64, f64),
    fit: &Consistency,
) -> ReportSection<'a> {
    let section = ReportSection::new("comparisons", "Neighbours in rank");
    let order: Vec<&str> = order.collect();
    let table = neighbours(order.iter().copied(), rows, separated);
    let is_tested = alpha < RANK_ALPHA;
    match (rows, order.len()) {
        // The answer has the difference of two agents.
        (_, 2) => section.table(table.place(Place::Data)),
        ([], _) => section.table(table),
        _ if is_tested => section
            .table(table.place(Place::Data))
            .notes(consistency(fit)),
        _ => section
            .table(table)
            .note(format!(
                "Adjusted p: adjusted by Holm's method for {}; values of at most {alpha} are significant.",
                counted(compared, "comparison"),
            ))
            .notes(consistency(fit)),
    }
}

/// Warnings about the ratings: the meaning of the mark of these agents, and the `prior` if one was used.
pub fn warnings(separated: &[&str], prior: Option<RatingPrior>, connected: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if !separated.is_empty() {
        notes.push(
            "* No wins in both directions link this agent with most others: its Elo shows the direction, not the distance."
                .to_owned(),
        );
    }
    if let Some(prior) = prior {
        let why = match prior {
            RatingPrior::Always => "A prior was requested.".to_owned(),
            _ if separated.is_empty() => {
                "The results alone do not allow a finite Elo, because the seat and one order of the agents explain all."
                    .to_owned()
            }
            _ => format!("The results alone do not allow a finite Elo for {}.", named(separated)),
        };
        notes.push(format!(
            "{why} Jeffreys' prior (Firth's penalised likelihood) keeps the numbers finite."
        ));
    }
    if !connected {
        notes.push(
            "Some groups of agents have not met: do not compare across them. Without an anchor each has mean 0."
                .to_owned(),
        );
    }
    notes
}

/// The comparisons of each agent with the next one in this order, with their places among all.
pub(super) fn next_in_order<'a>(
    order: impl Iterator<Item = &'a str>,
    comparisons: &'a [Comparison],
) -> impl Iterator<Item = (usize, &'a Comparison)> {
    let order: Vec<&str> = order.collect();
    let next: BTreeSet<(&str, &str)> = order.windows(2).map(|two| (two[0], two[1])).collect();
    let all = comparisons.iter().enumerate();
    all.filter(move |(_, row)| next.contains(&(&*row.a, &*row.b)))
}

/// A sentence about which ratings have mean 0, given how many agents are marked.
pub const fn zero_of_scale(marked: usize, agents: usize) -> &'static str {
    if marked == 0 || marked == agents {
        "The mean Elo is 0."
    } else {
        "The mean Elo of the agents without a mark is 0."
    }
}

/// For each agent, the likelihood that it is stronger than the next one in this order.
fn los_of_next<'a>(
    order: impl Iterator<Item = &'a str>,
    comparisons: &'a [Comparison],
) -> BTreeMap<&'a str, f64> {
    let next = next_in_order(order, comparisons);
    next.filter_map(|(_, row)| Some((&*row.a, row.los?)))
        .collect()
}

/// All comparisons; people see those of each agent with the next one in this order.
fn neighbours<'a>(
    order: impl Iterator<Item = &'a str>,
    comparisons: &'a [Comparison],
    separated: BTreeSet<&'a str>,
) -> TableOf<'a, &'a Comparison> {
    let shown = next_in_order(order, comparisons);
    let others = separated.clone();
    ReportTable::of(comparisons)
        .csv(COMPARISONS)
        .shown(shown.map(|(place, _)| place).collect())
        .name("a", "agent", move |row| {
            (&row.a, separated.contains(&*row.a))
        })
        .name("b", "next", move |row| (&row.b, others.contains(&*row.b)))
        .estimate("elo", "Elo", Unit::Elo, |row| row.elo)
        .statistic(DIFFERENCE)
        .main()
        .null(0.0)
        .column("los", "LOS", Unit::Chance, |row| row.los)
        .statistic(LOS)
        .column("p_adjusted", "adjusted p", Unit::PValue, |row| {
            row.p_adjusted
        })
        .statistic(P_ADJUSTED)
}

/// The correlation of the two legs of a pair.
pub fn correlation(rho: Option<f64>) -> Option<String> {
    let rho = signed(rho?, 2);
    Some(format!(
        "The correlation between an agent's two results on the same setup, with the seats swapped, is {rho}."
    ))
}

/// With fewer common rings than this, the report says what its intervals rest on.
const FEW_RINGS: u64 = 20;

/// Says that a table rests on few rings that many pairs played.
pub(super) fn few_rings(rings: &RingStatistics) -> Option<String> {
    let few = rings.repeated > 0 && rings.rings < FEW_RINGS;
    few.then(|| {
        format!(
            "The table rests on {} for all pairs. With fewer than {FEW_RINGS}, intervals are wide, because few rings show little of how \
             much results differ from ring to ring.",
            counted(rings.rings, "ring")
        )
    })
}

/// Whether one rating per agent explains the results.
pub(super) fn consistency(consistency: &Consistency) -> Vec<String> {
    let (Some(chi_square), Some(p)) = (consistency.chi_square, consistency.p) else {
        return Vec::new();
    };
    let p_value = if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    };
    let verdict = if p < INCONSISTENT {
        "The model of one Elo per agent does not fit these results"
    } else if p > MORE_EVEN {
        "The model of one Elo per agent fits these results better than chance suggests"
    } else {
        "The model of one Elo per agent fits these results"
    };
    let freedom = counted(consistency.freedom, "degree");
    let mut notes = vec![format!(
        "{verdict}: {p_value} (chi-square {chi_square:.1}, {freedom} of freedom, over pairings and pools of pairings in \
         which both sides are expected to win at least {MIN_EXPECTED} games)."
    )];
    let surprising = consistency.pairings.iter().filter_map(|fit| {
        let surprise = fit.surprise.filter(|size| size.abs() >= SURPRISING)?;
        Some(surprise_of(fit, surprise))
    });
    let mut surprising: Vec<String> = surprising.collect();
    if let Some(more) = surprising.len().checked_sub(MAX_SURPRISING + 1) {
        surprising.truncate(MAX_SURPRISING);
        let more = counted(more as u64 + 1, "more pairing");
        surprising.push(format!(
            "Not listed: {more} at least {SURPRISING} standard errors off."
        ));
    }
    notes.extend(surprising);
    notes
}

fn surprise_of(fit: &PairingFit, surprise: f64) -> String {
    let share = |wins: f64| percent(wins / fit.games as f64);
    let (wins, expected) = (fit.wins as f64, fit.expected);
    let (lost, unexpected) = (fit.games as f64 - wins, fit.games as f64 - expected);
    let (better, worse, won, should) = if surprise > 0.0 {
        (&fit.a, &fit.b, wins, expected)
    } else {
        (&fit.b, &fit.a, lost, unexpected)
    };
    format!(
        "{} won {} against {}; {} was expected ({} standard errors).",
        better,
        share(won),
        worse,
        share(should),
        signed(surprise.abs(), 1).trim_start_matches('+'),
    )
}
