//! What says whether ratings can be trusted, in sentences.

use std::collections::BTreeSet;

use patchwork_rating::{
    Comparison, Consistency, INCONSISTENT, LotteryShare, PairingFit, RatingPrior,
};

use crate::document::{counted, named, percent, signed};
use patchwork_tournament::stats::RingStatistics;

/// Maximum number of listed pairings that the ratings do not explain.
const MAX_SURPRISING: usize = 3;

/// Maximum number of agents whose shares of the lottery are listed.
const MAX_SHARES: usize = 5;

/// Number of standard errors from which a pairing is called surprising.
const SURPRISING: f64 = 2.0;

/// If results more uneven than these have at least this probability, they are suspiciously even.
const MORE_EVEN: f64 = 0.95;

/// Warnings about the ratings: the meaning of the mark of these agents, and the `prior` if one was used.
pub(super) fn warnings(
    separated: &[&str],
    prior: Option<RatingPrior>,
    connected: bool,
) -> Vec<String> {
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
        "One Elo per agent does not fit these results"
    } else if p > MORE_EVEN {
        "One Elo per agent fits these results better than chance suggests"
    } else {
        "One Elo per agent fits these results"
    };
    let freedom = counted(consistency.freedom, "degree");
    let mut notes = vec![format!(
        "{verdict}: chi-square {chi_square:.1}, {freedom} of freedom, {p_value}."
    )];
    let surprising = consistency.pairings.iter().filter_map(|fit| {
        let surprise = fit.surprise.filter(|size| size.abs() >= SURPRISING)?;
        Some(surprise_of(fit, surprise))
    });
    notes.extend(surprising.take(MAX_SURPRISING));
    notes
}

/// If ratings do not explain the results: a ranking that needs no transitivity.
pub(super) fn lottery(consistency: &Consistency) -> Option<String> {
    let share = |row: &LotteryShare| {
        let (value, (low, high)) = (row.share.value?, row.share.interval()?);
        let [value, low, high] = [value, low, high].map(percent);
        Some(format!("{} {value} ({low} to {high})", row.agent))
    };
    let shares = consistency.lottery.iter().filter_map(share);
    let shown: Vec<String> = shares.take(MAX_SHARES).collect();
    // If nobody is expected to beat one agent, the order of the ratings says that, too.
    (shown.len() > 1).then(|| {
        format!(
            "One Elo per agent does not explain these results. A ranking that needs no transitivity is a maximal lottery: nobody is expected \
             to beat an opponent that is drawn with these shares: {}.",
            shown.join(", ")
        )
    })
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
        "{} against {}: won {}, expected {} ({} standard errors).",
        better,
        worse,
        share(won),
        share(should),
        signed(surprise.abs(), 1).trim_start_matches('+'),
    )
}
