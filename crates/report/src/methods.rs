//! The methods of a tournament in one paragraph, for a paper.

use patchwork_tournament::stats::Summary;
use patchwork_tournament::{Archive, PLAY, Plan, PlannedRings, VERSION};

use super::header::{CLOCKS, Header};
use crate::document::counted;

/// What was played, by whom, on which machine, and how the numbers were estimated.
pub(super) fn methods(header: &Header, summary: &Summary, plan: &Plan, games: &Archive) -> String {
    let facts = games.facts();
    let setups = facts.iter().map(|game| plan.setup_number(game.id()));
    let mut setups: Vec<u64> = setups.collect();
    setups.sort_unstable();
    setups.dedup();
    let pairs = facts.chunk_by(|one, other| (one.pairing, one.pair) == (other.pairing, other.pair));
    let rings = match plan.rings() {
        PlannedRings::Own => "each with a random ring of its own",
        PlannedRings::Common => "of which those with the same number have the same random ring",
        PlannedRings::Book(_) => "with the rings of a book",
    };
    // The signature of another version is not known here.
    let signature = match header.version == VERSION {
        true => format!(" (signature {PLAY:016x})"),
        false => String::new(),
    };
    let agents = header.agents.iter().map(|agent| {
        let budget = agent.budget().map(|budget| format!(", {budget}"));
        let budget = budget.unwrap_or_default();
        format!("{} ({}{budget})", agent.agent, agent.hash)
    });
    let agents = agents.collect::<Vec<_>>().join(", ");
    let of_clock = |clock: &&str| {
        let timed = header.agents.iter().filter(|agent| agent.clock == *clock);
        let timed: Vec<&str> = timed.map(|agent| &*agent.agent).collect();
        (!timed.is_empty()).then(|| format!("{clock} for {}", timed.join(", ")))
    };
    let times: Vec<String> = CLOCKS.iter().filter_map(of_clock).collect();
    let machines = match games.processors().join("; ") {
        none if none.is_empty() => none,
        models => format!(", on {models}"),
    };
    let prior = match summary.prior_used {
        true => ", with Jeffreys' prior (Firth 1993)",
        false => "",
    };
    let clusters = match summary.rings.repeated {
        0 => "pair",
        _ => "ring",
    };
    let tests = match &header.sprt {
        Some(_) => {
            " Sequential probability ratio tests (Wald 1945) ended pairings; their estimates are corrected for the stopping (Siegmund \
             1978) or hold however often one looks (Waudby-Smith and Ramdas 2024)."
        }
        None => "",
    };
    format!(
        "{} of Patchwork ({} time board) were played in {} with swapped seats on {}, {rings}, by {} (in parentheses, the hash of the \
         settings and the budget per decision): {agents}. The program was Patchwork Arena {}{signature}, the format {}, the seed {}. Times \
         are {}{machines}. Elo and the advantage of moving first are maximum likelihood estimates (Bradley and Terry 1952; Davidson and Beaver 1977){prior}, with \
         standard errors clustered by {clusters} (Liang and Zeger 1986); shares have Wilson's (1927) intervals for the effective number of \
         games (Korn and Graubard 1998); means are ratio estimates (Cochran 1977). Intervals have 95% confidence; p-values are adjusted by \
         Holm's method (1979) and significant at {} or below.{tests}",
        counted(summary.games, "game"),
        header.rules,
        counted(pairs.count() as u64, "pair"),
        counted(setups.len() as u64, "setup"),
        counted(plan.agents().len() as u64, "agent"),
        header.version,
        header.format,
        header.seed.0,
        times.join(" and "),
        summary.rank_alpha
    )
}
