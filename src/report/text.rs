//! The summary as text for a terminal of about 100 columns, readable without colour.

use std::cmp::Ordering;
use std::io;

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};

use super::Header;
use super::strength::{write_consistency, write_neighbours, write_points, write_warnings};
use crate::rating::{Mean, Prior};
use crate::stats::{
    DecisionKind, PatchUse, Phase, RingBias, Role, Seats, Standing, Summary, Thinking, Times, Trees,
};

pub(super) mod course;

/// A rule under the column names and nothing else.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('-'));

/// Opponents side by side in one part of the crosstable.
const CROSSTABLE_COLUMNS: usize = 10;

/// Agents of the largest crosstable; nobody reads a larger one.
const MOST_CROSSED: usize = 30;

/// Rows of the longest table of pairings.
const MOST_PAIRINGS: usize = 100;

/// Patches that gain most, and as many that gain least, of the 33.
const MOST_PATCHES: usize = 5;

/// Rings that favour either seat.
const MOST_RINGS: usize = 2;

/// Characters of a name beside many other columns.
const SHORT_NAME: usize = 19;

/// Writes the report at the end of a run.
///
/// # Errors
/// When the writer fails.
pub fn write_text(mut out: impl io::Write, header: &Header, summary: &Summary) -> io::Result<()> {
    let out = &mut out;
    write_heading(out, header, summary)?;
    if summary.games == 0 {
        return writeln!(
            out,
            "No game has been finished yet: there is nothing to report."
        );
    }
    course::write_course(out, &header.course)?;
    write_standings(out, summary)?;
    write_strengths(out, summary)?;
    if (3..=MOST_CROSSED).contains(&summary.ratings.len()) {
        write_crosstable(out, summary)?;
    }
    write_pairings(out, summary)?;
    write_first_player(out, summary)?;
    write_games(out, summary)?;
    write_branching(out, summary)?;
    write_patches(out, summary)?;
    write_rings(out, summary)?;
    write_thinking(out, &summary.thinking)
}

fn write_heading(out: &mut dyn io::Write, header: &Header, summary: &Summary) -> io::Result<()> {
    let Header {
        name,
        track,
        course,
        seed,
        planned_games,
        version,
    } = header;
    let games = summary.games;
    let track = track.name();
    let of_plan = if games < *planned_games {
        format!("{games} of {planned_games} games (incomplete)")
    } else {
        counted(games, "game")
    };
    writeln!(
        out,
        "{name}: {of_plan}, {track} track, {}, seed {seed}, version {version}\n",
        course.format
    )
}

fn write_standings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = table(
        &["#", "agent"],
        &[
            "Elo",
            "95%",
            "games",
            "wins",
            "score",
            "margin",
            "iter/s",
            "time/move",
        ],
    );
    for (i, row) in summary.ratings.iter().enumerate() {
        let mark = if row.separated { " *" } else { "" };
        add_row(
            &mut table,
            [(i + 1).to_string(), format!("{}{mark}", row.agent)],
            [
                optional(row.se, |_| signed(row.elo, 0)),
                optional(half_width(row), |half| format!("±{half:.0}")),
                row.games.to_string(),
                row.wins.to_string(),
                optional(row.score, percent),
                optional(row.mean_margin, |margin| signed(margin, 1)),
                optional(row.iterations_per_s, per_second),
                optional(row.seconds_per_move, duration),
            ],
        );
    }
    write_table(
        out,
        "Standings, with 95% intervals; margins in points a game",
        &mut table,
    )?;
    let separated: Vec<&str> = (summary.ratings.iter())
        .filter(|row| row.separated)
        .map(|row| row.agent.as_str())
        .collect();
    let prior = summary.prior_used.then_some(Prior::Auto);
    write_warnings(out, &separated, prior, summary.connected)?;
    writeln!(out)
}

fn write_strengths(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let ranks: Vec<(&str, bool)> = summary
        .ratings
        .iter()
        .map(|row| (row.agent.as_str(), row.separated))
        .collect();
    if summary.comparisons.is_empty() {
        return Ok(());
    }
    write_neighbours(out, &ranks, &summary.comparisons)?;
    write_consistency(out, &summary.consistency)?;
    write_points(out, &summary.points)?;
    writeln!(out)
}

/// Half of the interval's width.
pub(super) fn half_width(row: &Standing) -> Option<f64> {
    row.low.zip(row.high).map(|(low, high)| (high - low) / 2.0)
}

fn write_crosstable(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let agents = &summary.ratings;
    let mut title = "Score against each other in %, columns numbered as above";
    for (part, opponents) in agents.chunks(CROSSTABLE_COLUMNS).enumerate() {
        let from = part * CROSSTABLE_COLUMNS;
        let numbers: Vec<String> = (1..=opponents.len())
            .map(|i| (from + i).to_string())
            .collect();
        let mut table = table(&["#", "agent"], &numbers);
        for (i, row) in agents.iter().enumerate() {
            let scores = opponents.iter().enumerate().map(|(j, opponent)| {
                let (wins, games) = summary.head_to_head(&row.agent, &opponent.agent);
                if i == from + j {
                    "-".to_string()
                } else if games == 0 {
                    String::new()
                } else {
                    format!("{:.1}", 100.0 * wins as f64 / games as f64)
                }
            });
            add_row(
                &mut table,
                [(i + 1).to_string(), shortened(&row.agent)],
                scores,
            );
        }
        write_table(out, title, &mut table)?;
        writeln!(out)?;
        title = "Score, continued";
    }
    Ok(())
}

fn write_pairings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = table(
        &["agent", "opponent"],
        &["won-lost", "score", "95%", "margin", "1st wins", "95%"],
    );
    let met = summary.pairings.iter().filter(|pairing| pairing.games > 0);
    let left_out = met.clone().count().saturating_sub(MOST_PAIRINGS);
    for pairing in met.take(MOST_PAIRINGS) {
        add_row(
            &mut table,
            [shortened(&pairing.a), shortened(&pairing.b)],
            [
                format!("{}-{}", pairing.a_wins, pairing.b_wins),
                optional(pairing.a_score, percent),
                percents(pairing.low, pairing.high),
                optional(pairing.mean_margin, |margin| signed(margin, 1)),
                optional(pairing.first_win_rate, percent),
                percents(pairing.first_low, pairing.first_high),
            ],
        );
    }
    if table.row_count() == 0 {
        return Ok(());
    }
    write_table(out, "Pairings", &mut table)?;
    if left_out > 0 {
        writeln!(out, " {left_out} more are in the table of pairings (CSV).")?;
    }
    writeln!(out)
}

fn write_first_player(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let first = &summary.first_player;
    writeln!(out, "First-player advantage")?;
    writeln!(
        out,
        " The first player won {} of {} (95%: {}).",
        optional(first.win_rate, percent),
        counted(first.games, "game"),
        percents(first.low, first.high),
    )?;
    if let Some(elo) = first.elo {
        writeln!(
            out,
            " With the agents' strengths taken into account, moving first is worth {} Elo (95%: {}).",
            signed(elo, 0),
            interval(first.elo_low, first.elo_high, |elo| signed(elo, 0)),
        )?;
    }
    if let Some(rho) = summary.rho {
        writeln!(
            out,
            " An agent's two results on one setup, seats swapped, correlate by {}.",
            signed(rho, 2)
        )?;
    }
    writeln!(out)?;
    write_first_player_by_strength(out, summary)
}

fn write_first_player_by_strength(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let first = &summary.first_player;
    if first.by_level.len().max(first.by_gap.len()) < 2 {
        return Ok(());
    }
    let mut table = table(
        &["agents"],
        &["games", "1st wins", "95%", "Elo", "95%", "margin", "95%"],
    );
    let levels = first.by_level.iter().map(|class| ("mean rating", class));
    let gaps = first.by_gap.iter().map(|class| ("apart by", class));
    for (what, class) in levels.chain(gaps) {
        let to = class
            .to
            .map_or_else(|| "or more".to_string(), |to| format!("to {to}"));
        let elo = |elo: f64| signed(elo, 0);
        let points = |points: f64| signed(points, 1);
        add_row(
            &mut table,
            [format!("{what} {} {to}", class.from)],
            [
                class.games.to_string(),
                optional(class.win_rate, percent),
                percents(class.low, class.high),
                optional(class.elo, elo),
                interval(class.elo_low, class.elo_high, elo),
                optional(class.margin, points),
                interval(class.margin_low, class.margin_high, points),
            ],
        );
    }
    write_table(out, "First-player advantage by strength", &mut table)?;
    writeln!(out)
}

fn write_games(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = table(
        &["per game"],
        &["mean", "95%", "sd", "1st player", "2nd player"],
    );
    let number = |value: Option<f64>| optional(value, one_place);
    let scores = &summary.scores;
    for (name, lengths) in [
        ("plies", &summary.plies.all),
        ("turns (plies but special patches)", &summary.plies.turns),
    ] {
        add_row(
            &mut table,
            [name.to_string()],
            [
                number(lengths.both.mean),
                interval(lengths.both.low, lengths.both.high, one_place),
                number(lengths.sd),
                number(lengths.first),
                number(lengths.second),
            ],
        );
    }
    add_row(
        &mut table,
        ["points of a player".to_string()],
        [
            number(scores.mean),
            String::new(),
            number(scores.sd),
            number(scores.first),
            number(scores.second),
        ],
    );
    for (name, seats) in [
        ("squares covered by a player", &summary.covered),
        ("buttons left to a player", &summary.buttons),
    ] {
        let Seats {
            first,
            second,
            mean,
        } = *seats;
        add_row(
            &mut table,
            [name.to_string()],
            [mean, None, None, first, second].map(|value| value.map_or(String::new(), one_place)),
        );
    }
    write_table(out, "The games", &mut table)?;

    let plies = &summary.plies.all;
    if let (Some(min), Some(max)) = (plies.min, plies.max) {
        writeln!(out, " Length: {min} to {max} plies.")?;
        for (player, mean, low, high, sd) in [
            (
                "first",
                plies.first,
                plies.first_low,
                plies.first_high,
                plies.first_sd,
            ),
            (
                "second",
                plies.second,
                plies.second_low,
                plies.second_high,
                plies.second_sd,
            ),
        ] {
            writeln!(
                out,
                " The {player} player has {} plies (95%: {}, sd {}).",
                number(mean),
                interval(low, high, one_place),
                number(sd),
            )?;
        }
    }
    writeln!(
        out,
        " The winner has {} points, the loser {}; the mean margin is {}.",
        number(scores.winner),
        number(scores.loser),
        number(scores.margin),
    )?;
    let bonus = &summary.bonus;
    write!(
        out,
        " 7x7 bonus: earned in {} ({})",
        counted(bonus.games, "game"),
        optional(bonus.rate, percent)
    )?;
    if let Some(rate) = bonus.winner_rate {
        write!(out, ", and {} of those who earned it won", percent(rate))?;
    }
    writeln!(out, ".")?;
    let decisions: Vec<String> = summary
        .decisions
        .iter()
        .map(|decision| {
            let what = match decision.kind {
                DecisionKind::Advance => "advances",
                DecisionKind::Patch => "patches bought",
                DecisionKind::Special => "special patches placed",
            };
            format!("{} {what}", number(decision.game.mean))
        })
        .collect();
    writeln!(out, " A game has {}.\n", decisions.join(", "))?;
    write_composition(out, summary)
}

fn write_composition(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = table(&["points of"], &["all", "buttons", "empty squares", "7x7"]);
    for row in &summary.scores.composition {
        let name = match row.role {
            Role::First => "the first player",
            Role::Second => "the second player",
            Role::Winner => "the winner",
            Role::Loser => "the loser",
        };
        add_row(
            &mut table,
            [name.to_string()],
            [row.points, row.buttons, row.squares, row.bonus].map(|v| optional(v, one_place)),
        );
    }
    write_table(out, "Where points come from", &mut table)?;
    writeln!(out)
}

fn write_branching(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let branching = &summary.branching;
    let played: u64 = branching.games_by_ply.iter().sum();
    let mut table = table(&["legal actions"], &["mean", "95%", "plies", "forced"]);
    let mut add = |name: &str, legal: &Mean, plies: u64, forced: Option<f64>| {
        add_row(
            &mut table,
            [name.to_string()],
            [
                optional(legal.mean, one_place),
                interval(legal.low, legal.high, one_place),
                plies.to_string(),
                forced.map_or_else(String::new, percent),
            ],
        );
    };
    add("every ply", &branching.all, played, branching.forced.mean);
    for phase in &branching.by_phase {
        let name = match phase.phase {
            Phase::Opening => "opening, spaces 0 to 17",
            Phase::Middle => "middle, spaces 18 to 35",
            Phase::End => "end, spaces 36 to 53",
        };
        add(name, &phase.legal, phase.plies, phase.forced);
    }
    let buying = &branching.buying;
    add(
        "where a patch was bought",
        &buying.legal,
        buying.plies,
        None,
    );
    write_table(out, "Branching factor", &mut table)?;
    writeln!(out)
}

fn write_patches(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut known: Vec<&PatchUse> = summary
        .patches
        .iter()
        .filter(|patch| patch.margin_gain_low.is_some())
        .collect();
    if known.len() <= 2 * MOST_PATCHES {
        return Ok(());
    }
    known.sort_by(|one, other| {
        other
            .margin_gain
            .partial_cmp(&one.margin_gain)
            .unwrap_or(Ordering::Equal)
    });
    let mut table = table(
        &["#"],
        &[
            "price", "time", "income", "squares", "bought", "on space", "wins", "gain", "95%",
        ],
    );
    let (best, worst) = (&known[..MOST_PATCHES], &known[known.len() - MOST_PATCHES..]);
    let points = |points: f64| signed(points, 1);
    for patch in best.iter().chain(worst) {
        add_row(
            &mut table,
            [patch.patch.to_string()],
            [
                patch.price.to_string(),
                patch.time.to_string(),
                patch.income.to_string(),
                patch.size.to_string(),
                optional(patch.rate, percent),
                optional(patch.mean_space, one_place),
                optional(patch.win_rate, percent),
                optional(patch.margin_gain, points),
                interval(patch.margin_gain_low, patch.margin_gain_high, points),
            ],
        );
    }
    write_table(
        out,
        "Patches whose buyers gain most and least points, against their own mean in the same seat",
        &mut table,
    )?;
    writeln!(out, " The others are in the table of patches (CSV).\n")
}

fn write_rings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let rings = &summary.rings;
    let effect = &rings.margin;
    let (Some(share), Some(sd)) = (effect.share, effect.between_sd) else {
        return Ok(());
    };
    if effect.from == Some(crate::stats::ChanceFrom::Legs) {
        writeln!(
            out,
            "Rings\n Too few rings were played by several pairs to tell what one does for all agents. For the two that\n \
             played it, its advantage for the first player has a standard deviation of {} points.",
            one_place(sd),
        )?;
    } else {
        writeln!(
            out,
            "Rings\n The ring explains {} (95%: {}) of how far a game's margin differs from what is usual for\n \
         its agents; its own advantage for the first player has a standard deviation of {} points.",
            percent(share),
            percents(effect.share_low, effect.share_high),
            one_place(sd),
        )?;
    }
    let most = |title: &str, found: &[RingBias], out: &mut dyn io::Write| -> io::Result<()> {
        for ring in found.iter().take(MOST_RINGS) {
            writeln!(
                out,
                " {title} by {} points (95%: {}):\n  {}",
                optional(ring.bias.map(f64::abs), one_place),
                interval(
                    ring.low
                        .zip(ring.high)
                        .map(|(low, high)| low.abs().min(high.abs())),
                    ring.farthest(),
                    one_place
                ),
                ring.ring
            )?;
        }
        Ok(())
    };
    most("Favours the first player", &rings.first, out)?;
    most("Favours the second player", &rings.second, out)?;
    let count = rings.rings;
    if rings.first.is_empty() && rings.second.is_empty() {
        writeln!(out, " None of the {count} rings surely favours a seat.")?;
    } else {
        writeln!(
            out,
            " All {count} rings are in the table of rings (CSV); report --ring-book writes them for tournaments."
        )?;
    }
    Ok(())
}

/// Of each agent that tells something: effort, trees, and how its expectations came true.
fn write_thinking(out: &mut dyn io::Write, thinking: &Thinking) -> io::Result<()> {
    let names = [
        "iter/move",
        "depth",
        "max",
        "nodes",
        "entropy",
        "forced",
        "solved",
        "median",
        "99%",
        "Brier",
    ];
    let mut table = table(&["agent"], &names);
    let whole = |value: f64| format!("{value:.0}");
    for row in &thinking.agents {
        if row.searches == 0 && row.solved.is_none() {
            continue;
        }
        let tree = |number: fn(&Trees) -> f64, format: fn(f64) -> String| {
            optional(row.tree.as_ref().map(number), format)
        };
        let time = |number: fn(&Times) -> f64| optional(row.time.as_ref().map(number), duration);
        add_row(
            &mut table,
            [shortened(&row.agent)],
            [
                optional(row.iterations_per_move, whole),
                tree(|tree| tree.mean_depth, one_place),
                tree(
                    |tree| f64::from(tree.max_depth),
                    |depth| format!("{depth:.0}"),
                ),
                tree(|tree| tree.mean_nodes, |nodes| format!("{nodes:.0}")),
                tree(|tree| tree.entropy, one_place),
                optional(row.forced, percent),
                optional(row.solved, percent),
                time(|time| time.p50),
                time(|time| time.p99),
                optional(row.calibration.as_ref().map(|c| c.brier), |brier| {
                    format!("{brier:.3}")
                }),
            ],
        );
    }
    if table.row_count() == 0 {
        return Ok(());
    }
    writeln!(out)?;
    write_table(
        out,
        "Searches: averages of decisions; time of a move; 0 is the best Brier score, 0.25 a shrug's",
        &mut table,
    )?;
    for row in thinking.agents.iter().filter(|row| row.broken_proofs > 0) {
        writeln!(
            out,
            " {} lost games after {} in which it had proven a win: an error of the agent.",
            row.agent,
            counted(row.broken_proofs, "decision")
        )?;
    }
    let Some(calibration) = &thinking.calibration else {
        return Ok(());
    };
    let mut table = self::table(&["expected to win"], &["decisions", "mean", "won", "95%"]);
    for bin in calibration.bins.iter().filter(|bin| bin.plies > 0) {
        add_row(
            &mut table,
            [format!("{:.0} to {:.0}%", 100.0 * bin.from, 100.0 * bin.to)],
            [
                bin.plies.to_string(),
                optional(bin.predicted, percent),
                optional(bin.won, percent),
                percents(bin.low, bin.high),
            ],
        );
    }
    writeln!(out)?;
    write_table(out, "Expectations against results, all agents", &mut table)
}

/// A table with columns of text, flush left, and columns of numbers, flush right.
pub(super) fn table(texts: &[&str], numbers: &[impl AsRef<str>]) -> Table {
    let mut table = Table::new();
    let numbers = numbers.iter().map(AsRef::as_ref);
    table.load_style(STYLE);
    table.set_header(texts.iter().copied().chain(numbers));
    for column in table.column_iter_mut().skip(texts.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    // Ranks are numbers as well.
    if texts.first() == Some(&"#")
        && let Some(ranks) = table.column_mut(0)
    {
        ranks.set_cell_alignment(CellAlignment::Right);
    }
    table
}

pub(super) fn add_row(
    table: &mut Table,
    texts: impl IntoIterator<Item = String>,
    numbers: impl IntoIterator<Item = String>,
) {
    table.add_row(texts.into_iter().chain(numbers).map(Cell::new));
}

pub(super) fn write_table(
    out: &mut dyn io::Write,
    title: &str,
    table: &mut Table,
) -> io::Result<()> {
    writeln!(out, "{title}\n{}", table.trim_fmt())
}

pub(super) fn optional(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".to_string(), format)
}

pub(super) fn interval(
    low: Option<f64>,
    high: Option<f64>,
    format: impl Fn(f64) -> String,
) -> String {
    low.zip(high).map_or_else(
        || "-".to_string(),
        |(low, high)| format!("{} to {}", format(low), format(high)),
    )
}

pub(super) fn one_place(value: f64) -> String {
    unsigned_zero(format!("{value:.1}"))
}

/// An interval of shares; they are never negative, so a dash cannot be read as a sign.
pub(super) fn percents(low: Option<f64>, high: Option<f64>) -> String {
    low.zip(high).map_or_else(
        || "-".to_string(),
        |(low, high)| format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high),
    )
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

pub(crate) fn signed(value: f64, places: usize) -> String {
    unsigned_zero(format!("{value:+.places$}"))
}

/// A number that is rounded to 0 has no sign.
fn unsigned_zero(number: String) -> String {
    if number.contains(|c: char| ('1'..='9').contains(&c)) {
        number
    } else {
        number.trim_start_matches(['+', '-']).to_string()
    }
}

/// A rate in few letters: `12.3k/s`.
#[must_use]
pub fn per_second(rate: f64) -> String {
    match rate {
        r if r < 999.5 => format!("{r:.0}/s"),
        r if r < 999_950.0 => format!("{:.1}k/s", r / 1e3),
        r => format!("{:.2}M/s", r / 1e6),
    }
}

/// A time in few letters: `3.3 ms`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.5e-6 => "<1 us".to_string(),
        s if s < 999.5e-6 => format!("{:.0} us", s * 1e6),
        s if s < 9.95e-3 => format!("{:.1} ms", s * 1e3),
        s if s < 0.9995 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

/// A whole number with commas between its thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(super) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A name with its middle cut out when it is long; versions of an agent differ at their ends.
pub(super) fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= SHORT_NAME {
        return name.to_string();
    }
    let start: String = letters[..SHORT_NAME / 2].iter().collect();
    let end: String = letters[letters.len() - (SHORT_NAME - SHORT_NAME / 2 - 1)..]
        .iter()
        .collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameId;
    use crate::report::test_header;
    use crate::support::tournaments::{PAIRINGS, game, names, tournament};

    fn text(summary: &Summary, planned: u64) -> String {
        let mut text = Vec::new();
        write_text(&mut text, &test_header(planned), summary).expect("a vector takes all");
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn a_whole_tournament() {
        let summary = Summary::new(&names(), &PAIRINGS, &tournament(50));
        let text = text(&summary, 300);
        assert!(text.starts_with("sprint: 300 games, original track"));
        assert!(names().iter().all(|name| text.contains(name)));
        assert!(text.contains("20.0k/s") && text.contains("50 ms"));
        assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains(" \n"));
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{widest:?}");
    }

    #[test]
    fn hardly_any_games() {
        let none = text(&Summary::new(&names(), &PAIRINGS, &[]), 300);
        assert!(none.contains("0 of 300 games (incomplete)"));
        assert!(none.contains("nothing to report"));

        let one = Summary::new(&names(), &PAIRINGS, &tournament(1)[..1]);
        let one = text(&one, 300);
        assert!(one.contains("greedy *") && one.contains("Jeffreys' prior"));
        assert!(!one.contains("NaN") && !one.contains("1 games"));
    }

    #[test]
    fn an_agent_against_itself() {
        let id = |pair, leg| GameId {
            pairing: 0,
            pair,
            leg,
        };
        let games: Vec<_> = (0..8)
            .map(|i| game(id(i / 2, (i % 2) as u8), [0, 0]))
            .collect();
        let text = text(&Summary::new(&names()[..1], &[(0, 0)], &games), 8);
        assert!(text.contains("8 games"));
    }

    #[test]
    fn many_agents_stay_narrow() {
        let names: Vec<String> = (0..24)
            .map(|i| format!("agent-with-a-long-name-{i:02}"))
            .collect();
        let mut pairings = Vec::new();
        let mut games = Vec::new();
        for a in 0..24 {
            for b in a + 1..24 {
                for leg in 0..2 {
                    let id = GameId {
                        pairing: pairings.len() as u32,
                        pair: 0,
                        leg,
                    };
                    games.push(game(id, if leg == 0 { [a, b] } else { [b, a] }));
                }
                pairings.push((a, b));
            }
        }
        let text = text(&Summary::new(&names, &pairings, &games), 552);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(105), "{widest:?}");
    }

    #[test]
    fn numbers_are_short_and_have_units() {
        assert_eq!(per_second(12_345.0), "12.3k/s");
        assert_eq!(per_second(999_960.0), "1.00M/s");
        assert_eq!(per_second(12.2), "12/s");
        assert_eq!(duration(0.000_000_3), "<1 us");
        assert_eq!(duration(0.000_02), "20 us");
        assert_eq!(duration(0.0451), "45 ms");
        assert_eq!(duration(0.999_6), "1.0 s");
        assert_eq!(signed(-0.04, 1), "0.0");
        assert_eq!(signed(3.0, 0), "+3");
        assert_eq!(shortened("mcts-bl-lb-every-regret"), "mcts-bl-l…ry-regret");
    }
}
