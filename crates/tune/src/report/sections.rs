//! The sections of the report of a search.

use patchwork_rating::Estimate;
use patchwork_rating::sprt::PairEstimate;

use super::figures;
use super::results::{CandidateRow, TuningReport};
use crate::{EffectRow, SLOW, Stage};
use patchwork_report::document::{
    Bar, CsvTable, Document, ReportSection, ReportTable, Unit, brief_settings, counted,
};
use patchwork_report::{no_interval, sprt_notes};

const CANDIDATES: CsvTable = CsvTable::new("candidates", "One row per candidate");
const EFFECTS: CsvTable = CsvTable::new("effects", "One row per value of each key");
const CONVERGENCE: CsvTable = CsvTable::new("convergence", "One row per incumbent");

/// Number of candidates shown at first.
const LISTED: usize = 10;
/// Number of incumbents that the text lists.
const LISTED_INCUMBENTS: usize = 10;

/// The report as a document.
pub(super) fn document(report: &TuningReport) -> Document<'_> {
    let opponents = report.opponents.join(", ");
    let pairs = counted(report.pairs.into(), "pair");
    let games = counted(report.games, "game");
    Document {
        title: report.name.clone(),
        facts: vec![
            format!("{} of {} against {opponents}", report.method, report.base),
            format!("{pairs} in {games}"),
            format!("objective {}", report.objective),
            format!("seed {}", report.seed.0),
        ],
        nothing: None,
        answers: Vec::new(),
        methods: "",
        sections: vec![
            candidates(report),
            effects(report),
            convergence(report),
            proof(report),
        ],
    }
}

fn candidates(report: &TuningReport) -> ReportSection<'_> {
    let rows = report.candidates.iter().enumerate();
    let listed = rows.filter(|(_, row)| row.rank <= LISTED || row.is_base);
    let keys = figures::names(report);
    let settings = move |row: &&CandidateRow| {
        let mark = if row.is_base { " (base)" } else { "" };
        format!("{}{mark}", brief_settings(&row.settings, &keys))
    };
    let table = ReportTable::of(&report.candidates)
        .csv(CANDIDATES)
        .listed(listed.map(|(i, _)| i))
        .column("rank", "#", Unit::Count, |row| row.rank)
        .column("settings", "", Unit::Text, |row| &*row.settings)
        .column("", "settings", Unit::Code, settings)
        .estimate("result", "result", Unit::ThreeDecimals, |row| row.result)
        .main()
        .bar(Bar::Around)
        .column("pairs", "pairs", Unit::Count, |row| row.pairs)
        .column("is_base", "", Unit::Text, |row| row.is_base);
    let best = report
        .candidates
        .iter()
        .find(|row| row.settings == report.winner);
    let mut section = ReportSection::new("candidates", "Candidates");
    if let Some(best) = best {
        let value = Unit::ThreeDecimals.known(best.result);
        let interval = Unit::ThreeDecimals.confident(best.result);
        let of = counted(report.candidates.len() as u64, "candidate");
        section = section.headline(value, "expected result of the winner", [interval, Some(of)]);
    }
    section
        .table(table)
        .note(format!(
            "The best of {}: the expectation of a model of all results, not the best result seen. The standard deviation of a \
             single pair is {:.3}.",
            counted(report.candidates.len() as u64, "candidate"),
            report.noise
        ))
}

fn effects(report: &TuningReport) -> ReportSection<'_> {
    let value = |row: &&EffectRow| row.value.plain();
    let table = ReportTable::of(&report.effects)
        .csv(EFFECTS)
        .column("key", "key", Unit::Text, |row| &*row.key)
        .column("kind", "", Unit::Text, |row| row.kind)
        .column("importance", "explains", Unit::Share, |row| row.importance)
        .priority(1)
        .column("value", "value", Unit::Text, value)
        .column("place", "", Unit::ThreeDecimals, |row| row.place)
        .column("pairs", "pairs", Unit::Count, |row| row.pairs)
        .priority(2)
        .estimate("result", "result", Unit::ThreeDecimals, |row| row.result)
        .main()
        .bar(Bar::Around);
    let mut section = ReportSection::new("effects", "Marginal effects");
    if let Some(first) = report.effects.first() {
        let share = Unit::Share.number(first.importance);
        let more = "the share of the variance that the most important key explains alone";
        section = section.headline(share, first.key.clone(), [Some(more.to_owned())]);
    }
    for rows in figures::keys(report) {
        section = section.figure(move || figures::effect(report, rows));
    }
    section.table(table).note(
        "Results over random values of the other keys, and the share of the variance that the key explains alone.",
    )
}

fn convergence(report: &TuningReport) -> ReportSection<'_> {
    let rows = &report.convergence;
    let step = rows.len().div_ceil(LISTED_INCUMBENTS).max(1);
    let listed = (0..rows.len()).filter(|i| (rows.len() - 1 - i).is_multiple_of(step));
    let keys = figures::names(report);
    let table = ReportTable::of(rows)
        .csv(CONVERGENCE)
        .listed(listed)
        .column("pairs", "pairs", Unit::Count, |row| row.pairs)
        .column("games", "", Unit::Count, |row| row.games)
        .column("stage", "stage", Unit::Text, |row| stage(row.stage))
        .priority(2)
        .column("alive", "racing", Unit::Count, |row| {
            row.alive.map(|alive| alive as f64)
        })
        .priority(1)
        .column("settings", "", Unit::Text, |row| &*row.settings)
        .column("", "incumbent", Unit::Code, move |row| {
            brief_settings(&row.settings, &keys)
        })
        .estimate("result", "result", Unit::ThreeDecimals, |row| row.result)
        .main();
    let section = ReportSection::new("convergence", "Convergence");
    match rows.len() {
        0 => section.table(table),
        _ => section
            .table(table)
            .note("The incumbent and what was expected of it at the time."),
    }
}

/// The winner's thinking time, and its result at equal time.
fn pace(report: &TuningReport) -> Vec<String> {
    let times = &report.times;
    let mut notes = Vec::new();
    if let (Some(winner), Some(base)) = (times.winner_seconds, times.base_seconds)
        && base > 0.0
    {
        notes.push(format!(
            "In the proof the winner took {} per move, {:.2} times the {} of the base.",
            Unit::Seconds.number(winner),
            winner / base,
            Unit::Seconds.number(base)
        ));
    }
    notes.extend(
        times
            .milliseconds
            .zip(times.equal_time)
            .map(|(time, equal)| {
                format!(
                    "At equal processor time, {time} ms per decision: {} in {}.",
                    with_interval(&equal.estimate),
                    counted(equal.games, "game")
                )
            }),
    );
    notes
}

const fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Search => "search",
        Stage::Race => "race",
        Stage::Done => "done",
    }
}

fn proof(report: &TuningReport) -> ReportSection<'_> {
    let mut section =
        ReportSection::new("proof", "Proof").note(format!("Winner: {}", report.winner));
    if let Some(proof) = &report.proof {
        let elo = proof.test.estimate.elo;
        let verdict = match (proof.is_better(), report.times.contradicted_at().is_some()) {
            (true, false) => "proven to be better",
            (true, true) => "weaker at equal time, so not proven to be better",
            _ => "not proven to be better",
        };
        let games = counted(proof.games, "game");
        section = section.headline(
            Unit::Elo.known(elo),
            format!("Elo against the base: {verdict}"),
            [
                Some(confidence(&proof.test.estimate)),
                proof.test.corrected.map(|corrected| {
                    format!(
                        "{} corrected for the stopping",
                        Unit::Elo.with_interval(corrected)
                    )
                }),
                Some(format!("{games} on new setups")),
            ],
        );
        section = section.notes(sprt_notes(&proof.test));
    }
    if let Some(slow) = &report.slow {
        let elo = slow.estimate.elo;
        section = section.headline(
            Unit::Elo.known(elo),
            format!("Elo at {SLOW} times the budget"),
            [Some(confidence(&slow.estimate))],
        );
        section = section.note(format!(
            "At {SLOW} times the budget: {} in {}.",
            with_interval(&slow.estimate),
            counted(slow.games, "game")
        ));
        let proven = report.proof.as_ref();
        let change = proven.and_then(|proof| difference(elo, proof.test.estimate.elo));
        section = section.notes(change.map(|change| {
            let change = Unit::Elo.with_interval(change);
            format!("The advantage changes by {change} with the larger budget.")
        }));
    }
    section.notes(pace(report)).note(&*report.conclusion)
}

/// The interval of a match, or why there is none.
fn confidence(of: &PairEstimate) -> String {
    let known = Unit::Elo.confident(of.elo);
    known.unwrap_or_else(|| no_interval(of).to_owned())
}

/// The Elo of a match with its interval, or why there is none.
fn with_interval(of: &PairEstimate) -> String {
    match Unit::Elo.confident(of.elo) {
        Some(_) => Unit::Elo.with_interval(of.elo),
        None if of.elo.value.is_none() => format!("Elo unknown ({})", no_interval(of)),
        None => format!("{} Elo ({})", Unit::Elo.known(of.elo), no_interval(of)),
    }
}

/// The difference of two independent estimates with intervals.
fn difference(one: Estimate, other: Estimate) -> Option<Estimate> {
    let half = |of: Estimate| of.interval().map(|(low, high)| (high - low) / 2.0);
    let width = half(one)?.hypot(half(other)?);
    let value = one.value? - other.value?;
    Some(Estimate {
        value: Some(value),
        low: Some(value - width),
        high: Some(value + width),
        error: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_rating::sprt::PairCounts;

    #[test]
    fn a_proof_without_an_interval_says_why() {
        let of = |counts: &str| {
            let counts: PairCounts = counts.parse().expect("counts");
            confidence(&counts.estimate())
        };
        assert_eq!(
            of("0,0,0,0,8"),
            "no interval, because all pairs ended alike"
        );
        assert_eq!(
            of("0,0,8,0,0"),
            "no interval, because all pairs ended alike"
        );
        assert_eq!(
            of("1,0,0,0,1"),
            "no interval, because the pairs carry too little information"
        );
        assert!(of("3,0,20,0,9").starts_with("95%: "));
        let counts: PairCounts = "0,0,0,0,8".parse().expect("counts");
        let sentence = with_interval(&counts.estimate());
        assert_eq!(
            sentence,
            "Elo unknown (no interval, because all pairs ended alike)"
        );
    }

    #[test]
    fn a_difference_of_estimates_is_wider_than_both() {
        let of = |value| Estimate::with_error(value, 3.0, 1.0);
        let found = difference(of(10.0), of(4.0)).expect("both have intervals");
        assert_eq!(found.value, Some(6.0));
        assert_eq!(
            found.interval(),
            Some((6.0 - 18_f64.sqrt(), 6.0 + 18_f64.sqrt()))
        );
        assert_eq!(difference(of(10.0), Estimate::default()), None);
    }
}
