//! What a reader wants to know first, in words: the lines that a match begins with, those that a tournament ends with, and the
//! first screen of the page.

use patchwork_rating::distribution::two_sided;
use patchwork_rating::sprt::PairCounts;
use patchwork_rating::{Comparison, Estimate, RANK_ALPHA};

use super::TournamentReport;
use super::ratings::{STRONGER, consistency, difference, next_in_order, warnings};
use super::sprt::test_notes;
use crate::document::{Answered, Unit, counted, duration, ends, percent};
use crate::header::CLOCKS;
use patchwork_tournament::stats::{BestValue, GameSizeOf, Standing, Summary, SweptKey};

pub(super) const BEST: &str = "Which value is best?";
pub(super) const COST: &str = "At what cost?";
pub(super) const TRUST: &str = "Can these results be trusted?";
pub(super) const SEAT: &str = "What is moving first worth?";
pub(super) const SIZE: &str = "How large is the game?";
pub(super) const SETTINGS: &str = "Which agents are these?";
pub(super) const POINTS: &str = "Where do points come from?";

/// At most this many agents are named; the table has the others.
const MAX_NAMED: usize = 6;

/// The answers, in the order of the questions.
pub(super) fn answers(report: &TournamentReport<'_>) -> Vec<Answered> {
    let summary = &report.summary;
    let is_match = sides(report);
    let answer = |question, lines| Answered {
        question,
        lines,
        leads: false,
    };
    let strongest = Answered {
        leads: is_match.is_some(),
        ..answer(
            STRONGER,
            match is_match {
                Some(sides) => of_match(report, sides),
                None => strongest(report),
            },
        )
    };
    let best = Answered {
        leads: true,
        ..answer(BEST, best_values(report))
    };
    let mut answers = vec![
        best,
        strongest,
        answer(COST, cost(report)),
        answer(TRUST, trust(report)),
    ];
    if !report.all_faulted() {
        answers.push(answer(SEAT, vec![seat(summary)]));
        answers.push(answer(SIZE, size(summary)));
    }
    answers.retain(|answer| !answer.lines.is_empty());
    answers
}

/// The two agents of a match: the one that a test is about or that the title names first, else the stronger one.
fn sides<'a>(report: &'a TournamentReport<'_>) -> Option<[&'a str; 2]> {
    let [one, other] = &report.summary.ratings[..] else {
        return None;
    };
    let tests = report.header.sprt.as_ref();
    let is_first = |name: &str| match tests.and_then(|found| found.tests.first()) {
        Some(test) => test.a == name,
        None => report.header.name.starts_with(&format!("{name} against ")),
    };
    Some(match is_first(&other.agent) {
        true => [&other.agent, &one.agent],
        false => [&one.agent, &other.agent],
    })
}

fn of_match(report: &TournamentReport<'_>, [a, b]: [&str; 2]) -> Vec<String> {
    let summary = &report.summary;
    let tests = report.header.sprt.as_ref();
    let (elo, los) = summary.difference(a, b).unwrap_or_default();
    let (estimate, los) = match tests.and_then(|found| found.difference(a, b)) {
        Some(held) if !held.1.is_empty() => (held, None),
        _ => ((elo, ""), los),
    };
    let score = (summary.ratings.iter()).find_map(|row| (row.agent == a).then_some(row.score)?);
    let pairs = counted(summary.games / 2, "pair");
    let mut notes = vec![difference([a, b], estimate, los, score, &pairs)];
    notes.extend(tests.into_iter().flat_map(|found| {
        found.tests.iter().flat_map(|test| {
            test_notes(
                &found.sprt.report(&PairCounts(test.counts)),
                &test.outcome(),
            )
        })
    }));
    notes
}

/// For each key of a sweep, the best value and what is known of its lead; then what to play next.
fn best_values(report: &TournamentReport<'_>) -> Vec<String> {
    let sweep = report.header.sweep.iter();
    let keys = sweep.flat_map(|sweep| &sweep.keys);
    let line = |key: &SweptKey| {
        let BestValue {
            value,
            next,
            elo,
            worst,
        } = key.best.as_ref()?;
        let lead = Unit::Elo.with_interval(*elo);
        let key = &key.key;
        let lowest = match worst == next {
            true => String::new(),
            false => format!("; {worst} is worst"),
        };
        let is_known = elo.interval().is_some_and(|(low, _)| low > 0.0);
        Some(match is_known {
            true => format!("{key}: {value} is best, by {lead} over {next}{lowest}."),
            false => format!(
                "{key}: {value} and {next} are not significantly different, {lead} for {value}{}{lowest}.",
                more_pairs(*elo, RANK_ALPHA)
            ),
        })
    };
    let mut lines: Vec<String> = keys.clone().filter_map(line).collect();
    if !lines.is_empty() {
        lines.push(next_values(keys));
    }
    lines
}

/// What to play next: values beyond the least or the greatest one of a key if that is best.
fn next_values<'a>(keys: impl Iterator<Item = &'a SweptKey>) -> String {
    let beyond = keys.filter_map(|key| {
        let best = &key.best.as_ref()?.value;
        let number: f64 = best.parse().ok()?;
        let values = key.values.iter().filter_map(|row| row.value.parse().ok());
        let (least, most) = ends(values);
        let side = match number {
            // Few keys have negative values.
            number if number == least && least > 0.0 => "below",
            number if number == most => "above",
            _ => return None,
        };
        (least < most).then(|| format!("{} {side} {best}", key.key))
    });
    let beyond: Vec<String> = beyond.collect();
    match beyond.is_empty() {
        true => "Next: `patchwork-arena tune` searches between these values.".to_owned(),
        false => format!(
            "Next: play {}; the best value is the last one on that side.",
            beyond.join(" and ")
        ),
    }
}

/// How many times as many pairs would give a difference of this size the two-sided p-value `p`.
fn times_as_many(elo: Estimate, p: f64) -> Option<f64> {
    Some((two_sided(p) * elo.error? / elo.value?).powi(2))
}

fn more_pairs(elo: Estimate, p: f64) -> String {
    match times_as_many(elo, p) {
        Some(factor) if (1.0..1000.0).contains(&factor) => {
            let places = usize::from(factor < 10.0);
            format!(" (about {factor:.places$} times as many pairs would show it)")
        }
        _ => String::new(),
    }
}

/// Who may be the strongest agent, and what is known of the lead of the first one; in each group of agents that have met.
fn strongest(report: &TournamentReport<'_>) -> Vec<String> {
    let summary = &report.summary;
    let by_group = summary
        .ratings
        .chunk_by(|one, other| one.group == other.group);
    let led: Vec<(&[Standing], &Comparison)> = by_group
        .filter_map(|group| {
            let order = group.iter().map(|row| &*row.agent);
            let (_, lead) = next_in_order(order, &summary.comparisons).next()?;
            Some((group, lead))
        })
        .collect();
    let line = |&(group, lead): &(&[Standing], &Comparison)| {
        let line = leader(report, group, lead);
        match (summary.connected, group[0].group) {
            (false, Some(number)) => format!("Group {number}: {line}"),
            _ => line,
        }
    };
    led.iter().map(line).collect()
}

/// Who may be the strongest agent of a group; `lead` compares the first two.
fn leader(report: &TournamentReport<'_>, group: &[Standing], lead: &Comparison) -> String {
    let (summary, a, b) = (&report.summary, &lead.a, &lead.b);
    let tests = report.header.sprt.as_ref();
    let elo = match tests.and_then(|found| found.difference(a, b)) {
        Some((elo, words)) if !words.is_empty() => {
            format!("{}, {words},", Unit::Elo.with_interval(elo))
        }
        _ => Unit::Elo.with_interval(lead.elo),
    };
    let may_lead = group.iter().filter(|row| row.best_rank == Some(1));
    let candidates: Vec<&str> = may_lead.map(|row| &*row.agent).collect();
    let tested = summary.tested().count().max(1);
    let adjusted = if tested > 1 { " after adjustment" } else { "" };
    // At this p-value, Holm's method tells them apart whatever the other comparisons are.
    let p = summary.rank_alpha / tested as f64;
    match candidates.len() {
        1 => format!("{a} is the strongest agent, {elo} ahead of {b}."),
        count => format!(
            "The strongest agent is one of {count}: {}. {a} is ahead of {b} by {}, which is not significant{adjusted}{}.",
            named(candidates.into_iter()),
            elo.trim_end_matches(','),
            more_pairs(lead.elo, p)
        ),
    }
}

/// At most [`MAX_NAMED`] items of a list, and the number of the others.
fn named<T: std::fmt::Display>(items: impl ExactSizeIterator<Item = T>) -> String {
    let others = items.len().saturating_sub(MAX_NAMED);
    let mut named: Vec<String> = items.take(MAX_NAMED).map(|item| item.to_string()).collect();
    if others > 0 {
        named.push(counted(others as u64, "other"));
    }
    named.join(", ")
}

/// The times per move, by the clock on which they are measured.
fn cost(report: &TournamentReport<'_>) -> Vec<String> {
    let of_clock = |clock: &str| {
        let timed = report.summary.ratings.iter().filter_map(|row| {
            let time = duration(Some(row.seconds_per_move?));
            let is_own = report.header.clock_of(&row.agent) == clock;
            is_own.then(|| format!("{time} for {}", row.agent))
        });
        let timed: Vec<String> = timed.collect();
        let (first, rest) = clock.split_at(1);
        let first = first.to_uppercase();
        (!timed.is_empty()).then(|| format!("{first}{rest} per move: {}.", named(timed.iter())))
    };
    CLOCKS.iter().filter_map(|clock| of_clock(clock)).collect()
}

fn trust(report: &TournamentReport<'_>) -> Vec<String> {
    let summary = &report.summary;
    let (count, apart) = summary.tested().fold((0, 0), |(count, apart), row| {
        (
            count + 1,
            apart + u64::from(row.is_told_apart(summary.rank_alpha)),
        )
    });
    let games = report.header.games(summary.games);
    let mut lines = vec![match count {
        0 | 1 => format!("{games}."),
        _ => format!(
            "{games}; {apart} of {} of agents differ significantly after adjustment for {}.",
            counted(count, "pair"),
            counted(count, "comparison")
        ),
    }];
    lines.extend(faults(summary));
    lines.extend(consistency(&summary.consistency).into_iter().take(1));
    let separated: Vec<&str> = summary.separated().collect();
    lines.extend(warnings(&separated, None, summary.connected));
    lines
}

/// Which agents lost games by a fault, and why.
fn faults(summary: &Summary) -> Option<String> {
    let found = summary.terminations.iter();
    let games: u64 = found.clone().map(|row| row.games).sum();
    let told = found.map(|row| format!("{} of {} ({})", row.games, row.agent, row.reason.name()));
    let verb = if games == 1 { "was" } else { "were" };
    (games > 0).then(|| {
        format!(
            "{} {verb} lost by a fault: {}.",
            counted(games, "game"),
            named(told.collect::<Vec<_>>().iter())
        )
    })
}

fn seat(summary: &Summary) -> String {
    let first = &summary.first_player;
    let won = Unit::Share.with_interval(first.win_rate);
    match first.elo.value {
        Some(_) => format!(
            "Moving first is worth {} between equals; over all games, the first player won {}.",
            Unit::Elo.with_interval(first.elo),
            percent(first.win_rate.value)
        ),
        None => format!("The first player won {won} of the games."),
    }
}

/// Of the game as the strongest agent plays it: the mix of all agents describes the mix.
fn size(summary: &Summary) -> Vec<String> {
    let mean = |value: Estimate| Unit::OneDecimal.with_interval(value);
    let of = |by| summary.sizes.iter().find(|row| row.by == by);
    let mut lines = Vec::new();
    if let Some(all) = of(GameSizeOf::All) {
        let range = match (all.plies_min, all.plies_max) {
            (Some(min), Some(max)) => format!("; individual games took {min} to {max}"),
            _ => String::new(),
        };
        let mean = mean(all.plies);
        lines.push(format!("A game takes {mean} plies on average{range}."));
    }
    if let Some(best) = of(GameSizeOf::Agent) {
        lines.push(format!(
            "{}, rated highest, has {} legal actions on average at its own plies, in games of {} plies. Lagerkvist (2020, \
             arXiv:2001.04233) counts only the placements of the last patch on offer, affordable or not; by that count, the mean is {}, \
             over {}.",
            best.a,
            mean(best.legal),
            mean(best.plies),
            mean(best.papers),
            counted(best.papers_games, "game"),
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use patchwork_rating::{Errors, GameScore, RatedGame, comparisons, ranking, rate};

    use super::*;

    /// The comparison of the first two of four agents after this many games in each seat of each pairing. The first one
    /// has won 52% of its games against the second, and both a half of those against the others.
    fn lead(games: u32) -> Comparison {
        let game = |(cluster, [first, second]): (u64, [usize; 2])| {
            let wins = if first == 0 && second == 1 { 54 } else { 50 };
            let score = match cluster % 100 < wins {
                true => GameScore::Win,
                false => GameScore::Loss,
            };
            RatedGame {
                cluster,
                first,
                second,
                score,
            }
        };
        let pairings = (0..4).flat_map(|a| (0..4).map(move |b| [a, b]));
        let pairings = pairings.filter(|[a, b]| a != b);
        let all = pairings.flat_map(|seats| (0..u64::from(games)).map(move |i| (i, seats)));
        let played: Vec<RatedGame> = all.map(game).collect();
        let ratings = rate(&played, 4, Errors::Independent);
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        comparisons(&names, &ranking(&names, &ratings), &ratings)
            .into_iter()
            .find(|row| (&*row.a, &*row.b) == ("a", "b"))
            .expect("a is first")
    }

    #[test]
    fn as_many_times_as_many_pairs_as_it_says_show_the_difference() {
        let few = lead(200);
        let times = times_as_many(few.elo, RANK_ALPHA / 6.0).expect("an error");
        assert!(!few.is_told_apart(RANK_ALPHA) && times > 1.0);
        let games = |times: f64| (200.0 * times / 100.0) as u32 * 100;
        assert!(lead(games(1.05 * times)).is_told_apart(RANK_ALPHA));
        assert!(!lead(games(0.95 * times)).is_told_apart(RANK_ALPHA));
    }
}
