//! The summary as JSON.

use std::io;

use serde::Serialize;

use super::Header;
use crate::stats::Summary;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    header: &'a Header,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// Writes one JSON object: the fields of the header, then those of the summary. Numbers are not
/// rounded; one that the games do not tell is `null`.
///
/// # Errors
/// When the writer fails.
pub fn write_json(mut out: impl io::Write, header: &Header, summary: &Summary) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, &Report { header, summary })?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::test_header;
    use crate::stats::fixture::{PAIRINGS, names, tournament};
    use serde_json::Value;

    #[test]
    fn all_keys_are_there() {
        let summary = Summary::new(&names(), &PAIRINGS, &tournament(5));
        let mut text = Vec::new();
        write_json(&mut text, &test_header(30), &summary).expect("a vector takes all");
        let json: Value = serde_json::from_slice(&text).expect("JSON");
        let has = |at: &str, keys: &str| {
            let object = json.pointer(at).unwrap_or_else(|| panic!("no {at}"));
            for key in keys.split(' ') {
                let value = object.get(key);
                assert!(
                    value.is_some_and(|value| !value.is_null()),
                    "{at}/{key} is {value:?}"
                );
            }
        };
        has(
            "",
            "name track seed planned_games version games ratings first_player branching",
        );
        has(
            "",
            "plies scores buttons covered bonus thinking pairings prior_used connected rho",
        );
        let first = json["ratings"]
            .as_array()
            .and_then(|rows| rows.iter().position(|row| row["agent"] == "greedy"));
        let at = format!("/ratings/{}", first.expect("greedy plays"));
        has(
            &at,
            "agent elo low high se games wins score mean_margin iterations_per_s",
        );
        has(&at, "seconds_per_move perfect");
        has(
            "/first_player",
            "games win_rate low high elo elo_low elo_high",
        );
        has(
            "/branching",
            "mean low high by_ply games_by_ply by_phase buying",
        );
        has("/branching/by_phase/0", "phase mean plies");
        has("/branching/buying", "mean plies");
        has(
            "/plies",
            "mean low high sd min max first first_low first_high first_sd turns",
        );
        has(
            "/plies/turns",
            "mean low high sd second second_low second_high second_sd",
        );
        has("/scores", "mean sd first second winner loser margin");
        let at = format!("/thinking{}", at.replace("ratings", "agents"));
        has(
            &at,
            "agent plies forced solved broken_proofs searches iterations_per_move iterations_per_s",
        );
        has(&at, "time");
        has(
            &format!("{at}/time"),
            "moves mean p5 p25 p50 p75 p95 p99 max",
        );
        has("/buttons", "first second mean");
        has("/covered", "first second mean");
        has("/bonus", "games rate");
        has(
            "/pairings/2",
            "a b games a_wins b_wins a_score low high mean_margin",
        );
        has(
            "/pairings/2",
            "first_wins first_win_rate first_low first_high",
        );
        assert_eq!(json["track"], "original");
        assert_eq!(json["branching"]["by_phase"][2]["phase"], "end");
        assert_eq!(json["ratings"][0]["elo"], summary.ratings[0].elo);
    }
}
