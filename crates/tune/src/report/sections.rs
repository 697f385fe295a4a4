//! The sections of the report of a search.

use patchwork_rating::sprt::Verdict;

use super::figures;
use super::results::{CandidateRow, TuningReport, confidence, with_interval};
use super::run::BEST;
use crate::statistics::{ALONE, CANDIDATE_RESULT, EXPLAINED, VALUE_RESULT};
use crate::{EffectRow, KeyRow, SLOW, Stage};
use patchwork_report::document::{
    Answered, Bar, CsvTable, Document, ReportSection, ReportTable, Unit, brief_settings, counted,
};
use patchwork_report::sprt_notes;

const CANDIDATES: CsvTable = CsvTable::new("candidates", "One row per candidate");
const IMPORTANCE: CsvTable = CsvTable::new("importance", "One row per key");
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
            format!("objective {}", report.objective.name()),
            format!("seed {}", report.seed.0),
        ],
        nothing: None,
        answers: vec![Answered {
            question: "Which settings are better, and by how much?",
            lines: answer(report),
            leads: true,
        }],
        methods: "",
        sections: vec![
            proof(report),
            importance(report),
            effects(report),
            candidates(report),
            convergence(report),
        ],
    }
}

/// The result: which settings, how much better, how sure that is, at other budgets, and where the agent is.
fn answer(report: &TuningReport) -> Vec<String> {
    let mut candidates = report.candidates.iter();
    let winner = candidates.find(|row| row.settings == report.winner);
    let number = winner.map_or_else(String::new, |row| format!(" (candidate {})", row.number));
    let mut lines = vec![
        report.conclusion.clone(),
        format!("Recommended settings{number}: {}.", report.winner),
    ];
    if let Some(slow) = &report.slow {
        let at = format!(
            "At {SLOW} times the budget: {}",
            with_interval(slow.estimate.elo, &slow.estimate)
        );
        let proof = report.proof.as_ref();
        let change = proof.map(|proof| slow.estimate.elo.minus(&proof.test.elo()));
        lines.push(match change.filter(|change| change.interval().is_some()) {
            Some(change) => format!(
                "{at}; the advantage changes by {}.",
                Unit::Elo.with_interval(change)
            ),
            None => format!("{at}."),
        });
    }
    lines.extend(equal_time(report));
    lines.extend(instead_of_proof(report));
    let verdict = report.proof.as_ref().map(|proof| proof.test.verdict);
    lines.push(match verdict {
        _ if report.is_better() => format!(
            "The agent is {BEST} in the folder of the search. Next: name its path where an agent is expected, as in \
             `patchwork-arena match results/{}/{BEST} mcts-regret`.",
            report.name
        ),
        Some(Verdict::Continue) => format!("Next: {MORE} of [proof]{AGAIN}"),
        _ => format!("Next: {MORE} of the search, or widen the space{AGAIN}"),
    });
    lines
}

const MORE: &str = "raise `pairs`";
const AGAIN: &str = ", and run the same command again; its games are kept.";

/// What is expected of the best other candidate, if the search recommends the base.
fn instead_of_proof(report: &TuningReport) -> Option<String> {
    let mut rows = report.candidates.iter();
    let base = rows
        .clone()
        .find(|row| row.is_base && report.proof.is_none())?;
    let other = rows.find(|row| !row.is_base)?;
    let told = |row: &CandidateRow| Unit::ThreeDecimals.with_interval(row.result);
    Some(format!(
        "Expected results: {} for the base, {} for the best other candidate ({}).",
        told(base),
        told(other),
        other.number
    ))
}

/// The match at equal time.
fn equal_time(report: &TuningReport) -> Option<String> {
    let (time, equal) = report.times.milliseconds.zip(report.times.equal_time)?;
    Some(format!(
        "At equal processor time, {time} ms per decision: {} in {}.",
        with_interval(equal.estimate.elo, &equal.estimate),
        counted(equal.games, "game")
    ))
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
        .unlisted("other candidates")
        .column("rank", "#", Unit::Count, |row| row.rank)
        .column("number", "candidate", Unit::Count, |row| row.number)
        .column("settings", "", Unit::Text, |row| &*row.settings)
        .column("", "settings", Unit::Code, settings)
        .estimate("result", "result", Unit::ThreeDecimals, |row| row.result)
        .statistic(CANDIDATE_RESULT)
        .main()
        .bar(Bar::Around)
        .column("pairs", "pairs", Unit::Count, |row| row.pairs)
        .column("is_base", "", Unit::Text, |row| row.is_base);
    let of = counted(report.candidates.len() as u64, "candidate");
    ReportSection::new("candidates", "Candidates")
        .table(table)
        .note(format!(
            "The best of {of}, numbered in the order of their first games. A result is the expectation of a model of all \
             results, not the best result seen; the standard deviation of a single pair is {:.3}.",
            report.noise
        ))
}

/// Which keys matter.
fn importance(report: &TuningReport) -> ReportSection<'_> {
    let key = |row: &&KeyRow| match &*row.condition {
        "" => row.key.clone(),
        condition => format!("{} (if {condition})", row.key),
    };
    let table = ReportTable::of(&report.importance)
        .csv(IMPORTANCE)
        .column("key", "", Unit::Text, |row| &*row.key)
        .column("condition", "", Unit::Text, |row| &*row.condition)
        .column("", "key", Unit::Text, key)
        .estimate("total", "explains", Unit::Share, |row| row.total)
        .statistic(EXPLAINED)
        .main()
        .bar(Bar::Range(0.0, 1.0))
        .estimate("own", "alone", Unit::Share, |row| row.own)
        .statistic(ALONE);
    let mut section = ReportSection::new("importance", "What matters");
    if let Some(first) = report.importance.first() {
        let share = Unit::Share.known(first.total);
        let interval = Unit::Share.confident(first.total);
        section = section.headline(
            share,
            format!("of the variance explained by {}", first.key),
            [interval],
        );
    }
    section.table(table).note(
        "The share of the variance of the expected result over the space that a key explains, with its interactions and \
         alone; shares under a condition are of the variance where the condition holds. The intervals have 95% of the \
         draws of the model.",
    )
}

fn effects(report: &TuningReport) -> ReportSection<'_> {
    let value = |row: &&EffectRow| figures::value(row);
    let table = ReportTable::of(&report.effects)
        .csv(EFFECTS)
        .column("key", "key", Unit::Text, |row| &*row.key)
        .column("kind", "", Unit::Text, |row| row.kind)
        .column("value", "", Unit::Text, |row| row.value.plain())
        .column("from", "", Unit::Text, |row| row.from.plain())
        .column("to", "", Unit::Text, |row| row.to.plain())
        .column("", "value", Unit::Text, value)
        .column("place", "", Unit::ThreeDecimals, |row| row.place)
        .column("pairs", "pairs", Unit::Count, |row| row.pairs)
        .priority(2)
        .estimate("result", "result", Unit::ThreeDecimals, |row| row.result)
        .statistic(VALUE_RESULT)
        .main()
        .bar(Bar::Around);
    let mut section = ReportSection::new("effects", "Values");
    for rows in figures::keys(report) {
        section = section.figure(move || figures::effect(report, rows));
    }
    section
        .table(table)
        .note(
            "The expected result of each value over random values of the other keys, and the pairs of the candidates that \
             have it; for an interval, the result is that of its middle.",
        )
        .note(report.objective.about())
}

fn convergence(report: &TuningReport) -> ReportSection<'_> {
    let rows = &report.convergence;
    let step = rows.len().div_ceil(LISTED_INCUMBENTS).max(1);
    let listed = (0..rows.len()).filter(|i| (rows.len() - 1 - i).is_multiple_of(step));
    let keys = figures::names(report);
    let table = ReportTable::of(rows)
        .csv(CONVERGENCE)
        .listed(listed)
        .unlisted("other incumbents")
        .column("pairs", "pairs", Unit::Count, |row| row.pairs)
        .column("games", "", Unit::Count, |row| row.games)
        .column("stage", "stage", Unit::Text, |row| stage(row.stage))
        .priority(2)
        .column("alive", "racing", Unit::Count, |row| {
            row.alive.map(|alive| alive as f64)
        })
        .priority(1)
        .column("number", "candidate", Unit::Count, |row| row.number)
        .column("settings", "", Unit::Text, |row| &*row.settings)
        .column("", "incumbent", Unit::Code, move |row| {
            brief_settings(&row.settings, &keys)
        })
        .estimate("result", "result", Unit::ThreeDecimals, |row| row.result)
        .main();
    let note =
        (!rows.is_empty()).then_some("The incumbent and what was expected of it at the time.");
    ReportSection::new("convergence", "Convergence")
        .table(table)
        .notes(note.map(str::to_owned))
}

/// The winner's thinking time.
fn pace(report: &TuningReport) -> Option<String> {
    let times = &report.times;
    let (winner, base) = times.winner_seconds.zip(times.base_seconds)?;
    (base > 0.0).then(|| {
        format!(
            "In the proof the winner took {} per move, {:.2} times the {} of the base.",
            Unit::Seconds.number(winner),
            winner / base,
            Unit::Seconds.number(base)
        )
    })
}

const fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Search => "search",
        Stage::Race => "race",
        Stage::Done => "done",
    }
}

fn proof(report: &TuningReport) -> ReportSection<'_> {
    let mut section = ReportSection::new("proof", "Proof");
    if let Some(proof) = &report.proof {
        let verdict = match (proof.is_better(), report.is_better()) {
            (true, true) => "proven to be better",
            (true, false) => "weaker at equal time, so not proven to be better",
            _ => "not proven to be better",
        };
        let games = counted(proof.games, "game");
        section = section.headline(
            Unit::Elo.known(proof.test.elo()),
            format!("Elo against the base: {verdict}"),
            [
                Some(confidence(proof.test.elo(), &proof.test.estimate)),
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
            [Some(confidence(elo, &slow.estimate))],
        );
    }
    section.notes(pace(report))
}
