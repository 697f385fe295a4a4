//! The truth of every number with an interval in a report, by the words of `docs/statistics.md`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::games::{self, Design, RING_SHARE, SEAT, chance, mean_of_games};
use patchwork_engine::game::PatchId;

/// Shares below it are not looked for.
const LEAST_SHARE: f64 = 1e-3;

/// The truths of a design, for the report of one table.
pub(crate) struct Truths<'a> {
    design: &'a Design,
    report: &'a Value,
    /// The number of games of the plan by the agents in the first and the second seat.
    seatings: BTreeMap<[usize; 2], f64>,
}

/// The agent with the name in a row.
fn agent(row: &Value, key: &str) -> usize {
    row[key]
        .as_str()
        .and_then(|name| name.parse().ok())
        .expect("the number of an agent")
}

impl<'a> Truths<'a> {
    pub(crate) fn new(design: &'a Design, report: &'a Value) -> Self {
        let mut seatings = BTreeMap::new();
        for game in design.games() {
            *seatings.entry(game.agents).or_default() += 1.0;
        }
        Self {
            design,
            report,
            seatings,
        }
    }

    /// The mean over the games of the plan for which a selection is true.
    fn mean(&self, keep: impl Fn([usize; 2]) -> bool, of: impl Fn([usize; 2]) -> f64) -> f64 {
        self.ratio(keep, |agents| [of(agents), 1.0])
    }

    /// A sum by the number of what it consists of, over games.
    fn ratio(&self, keep: impl Fn([usize; 2]) -> bool, of: impl Fn([usize; 2]) -> [f64; 2]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (&agents, &games) in self.seatings.iter().filter(|(agents, _)| keep(**agents)) {
            let of_game = of(agents);
            sum += games * of_game[0];
            count += games * of_game[1];
        }
        sum / count
    }

    /// The mean of the strengths to which ratings are relative.
    fn zero(&self) -> f64 {
        let rows = self.report["ratings"].as_array().expect("rows");
        let all = rows.iter().all(|row| row["separated"] == true);
        let of = rows.iter().filter(|row| all || row["separated"] == false);
        let of: Vec<f64> = of
            .map(|row| self.design.strength(agent(row, "agent")))
            .collect();
        of.iter().sum::<f64>() / of.len() as f64
    }

    fn rating(&self, of: usize) -> f64 {
        let mut rows = self.report["ratings"].as_array().expect("rows").iter();
        let row = rows.find(|row| agent(row, "agent") == of);
        row.and_then(|row| row["elo"]["value"].as_f64())
            .unwrap_or(f64::NAN)
    }

    /// Whether a pairing is in a class of a section, by the ratings that were found.
    fn is_in_class(&self, is_gap: bool, row: &Value, [one, other]: [usize; 2]) -> bool {
        let [one, other] = [one, other].map(|of| (self.rating(of) * 1e6).round() / 1e6);
        let found = if is_gap {
            (one - other).abs()
        } else {
            f64::midpoint(one, other)
        };
        let [from, to] = ["from", "to"].map(|key| row[key].as_f64());
        from.is_none_or(|from| from <= found) && to.is_none_or(|to| found < to)
    }

    /// The truth of the estimate at a path in the report, in a row; `None` if it is not planted in this design.
    pub(crate) fn of(&self, path: &str, row: &Value) -> Option<f64> {
        let design = self.design;
        let first = |agents: [usize; 2]| design.chance(agents);
        let of_first = |agents: [usize; 2]| design.margin(agents);
        let (section, name) = path.rsplit_once('.').unwrap_or(("", path));
        Some(match (section, name) {
            ("ratings[]", "elo") => design.strength(agent(row, "agent")) - self.zero(),
            ("comparisons[]", "elo") => design.lead([agent(row, "a"), agent(row, "b")]),
            ("first_player.by_rules[]", "elo") => {
                let number = row["rules"]
                    .as_str()
                    .and_then(|name| name.parse::<usize>().ok());
                design.rules[number.expect("the number of rules")]
            }
            ("first_player" | "first_player.by_level[]" | "first_player.by_gap[]", "elo") => SEAT,
            ("first_player", "equal_win_rate") => chance(SEAT),
            ("first_player", "win_rate") => self.mean(|_| true, first),
            ("first_player", "margin") => self.mean(|_| true, of_first),
            ("first_player.by_level[]" | "first_player.by_gap[]", name) => {
                let keep = |agents| self.is_in_class(section.contains("gap"), row, agents);
                if name == "win_rate" {
                    self.mean(keep, first)
                } else {
                    self.mean(keep, of_first)
                }
            }
            ("pairings[]", name) => {
                let both = [agent(row, "a"), agent(row, "b")];
                let turned = [both[1], both[0]];
                let half = |one: f64, other: f64| f64::midpoint(one, other);
                match name {
                    "a_score" => half(first(both), 1.0 - first(turned)),
                    "margin" => half(of_first(both), -of_first(turned)),
                    _ => half(first(both), first(turned)),
                }
            }
            ("rings.margin", "share") if !design.plies => RING_SHARE,
            ("rings.wins", "share") if design.step == 0.0 && design.luck == games::Luck::Seat => {
                games::WINS_SHARE
            }
            ("rings.margin" | "rings.wins", "share") => return None,
            ("sizes[all]" | "sizes[agent]" | "sizes[pairing]", name) if design.plies => {
                self.size(section, name, row)
            }
            (section, name) if section.starts_with("branching") && design.plies => {
                let truth = self.branching(section, name, row);
                // Plies that are (almost) never forced: no table shows one, and every interval begins at 0.
                return (truth > LEAST_SHARE).then_some(truth);
            }
            ("patches[]", "worth") if design.plies => games::worth(patch(row)),
            ("patches[]", "win_rate") if design.plies => {
                let place = patch(row).index();
                self.ratio(
                    |_| true,
                    |agents| {
                        let [one, other] = mean_of_games(agents).bought[place];
                        let won = first(agents);
                        [one * won + other * (1.0 - won), one + other]
                    },
                )
            }
            ("sweep.keys[].values[]" | "sweep.pairs[].cells[]", _)
            | ("sweep.keys[].best", "elo") => {
                return self.sweep(section, name, row);
            }
            (section, _)
                if section.starts_with("sizes")
                    || section.starts_with("patches")
                    || section.starts_with("branching") =>
            {
                return None;
            }
            _ => panic!("no truth is planted for {path}"),
        })
    }

    fn size(&self, section: &str, name: &str, row: &Value) -> f64 {
        let of = match section {
            "sizes[all]" => Vec::new(),
            "sizes[agent]" => vec![agent(row, "a")],
            _ => vec![agent(row, "a"), agent(row, "b")],
        };
        let keep = |agents: [usize; 2]| of.iter().all(|of| agents.contains(of));
        let counts =
            |agents: [usize; 2], seat: usize| section != "sizes[agent]" || agents[seat] == of[0];
        let own = |agents: [usize; 2], by_seat: [[f64; 2]; 2]| {
            let seats = (0..2)
                .filter(|&seat| counts(agents, seat))
                .map(|seat| by_seat[seat]);
            seats.fold([0.0; 2], |sums, one| [sums[0] + one[0], sums[1] + one[1]])
        };
        self.ratio(keep, |agents| {
            let game = mean_of_games(agents);
            match name {
                "legal" => own(agents, game.seats.map(|[plies, legal, _]| [legal, plies])),
                "papers" => own(agents, game.papers),
                "tree" => [game.tree, 1.0],
                _ => [game.seats.map(|[plies, ..]| plies).iter().sum(), 1.0],
            }
        })
    }

    fn branching(&self, section: &str, name: &str, row: &Value) -> f64 {
        const NAMES: [&str; 6] = ["opening", "middle", "end", "advance", "patch", "special"];
        let value = row["value"].as_str().expect("a text");
        self.ratio(
            |_| true,
            |agents| {
                let game = mean_of_games(agents);
                let [plies, legal, forced] = match section {
                    "branching[all]" => [0, 1, 2].map(|i| game.seats[0][i] + game.seats[1][i]),
                    "branching[ply]" => game.by_ply[value.parse::<usize>().expect("a number") - 1],
                    _ => {
                        game.classes[NAMES
                            .iter()
                            .position(|name| *name == value)
                            .expect("a class")]
                    }
                };
                [if name == "legal" { legal } else { forced }, plies]
            },
        )
    }

    /// The mean strength of the agents with a value of the swept key.
    fn of_value(&self, value: &Value) -> f64 {
        let value = value
            .as_str()
            .and_then(|value| value.parse().ok())
            .expect("the number of a value");
        let own = self.design.members(value);
        own.clone()
            .map(|agent| self.design.strength(agent))
            .sum::<f64>()
            / own.len() as f64
    }

    fn sweep(&self, section: &str, name: &str, row: &Value) -> Option<f64> {
        let design = self.design;
        if section == "sweep.keys[].best" {
            return Some(self.of_value(&row["value"]) - self.of_value(&row["next"]));
        }
        let value = if section.contains("cells") {
            &row["a_value"]
        } else {
            &row["value"]
        };
        if name == "elo" {
            let all = (0..design.swept.len()).map(|value| self.of_value(&value.to_string().into()));
            let mean = all.sum::<f64>() / design.swept.len() as f64;
            return Some(self.of_value(value) - mean);
        }
        let own = design.members(
            value
                .as_str()
                .and_then(|value| value.parse().ok())
                .expect("a number"),
        );
        // Those of the agents with the value against agents without it.
        let seat = |[one, other]: [usize; 2]| match (own.contains(&one), own.contains(&other)) {
            (true, false) => Some(0),
            (false, true) => Some(1),
            _ => None,
        };
        let of = |agents: [usize; 2]| match (name, seat(agents)) {
            ("score", Some(0)) => design.chance(agents),
            ("score", _) => 1.0 - design.chance(agents),
            (_, Some(0)) => design.margin(agents),
            _ => -design.margin(agents),
        };
        Some(self.mean(|agents| seat(agents).is_some(), of))
    }
}

fn patch(row: &Value) -> PatchId {
    let number = row["patch"].as_u64().expect("a number");
    PatchId::new(number as u8).expect("a patch")
}
