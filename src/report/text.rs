//! The summary as text for a terminal of about 100 columns, readable without colour.

use std::io;

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};

use super::Header;
use crate::stats::{Phase, Seats, Standing, Summary};

/// A rule under the column names and nothing else.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('-'));

/// Opponents side by side in one part of the crosstable.
const CROSSTABLE_COLUMNS: usize = 10;

/// Agents of the largest crosstable; nobody reads a larger one.
const MOST_CROSSED: usize = 30;

/// Rows of the longest table of pairings.
const MOST_PAIRINGS: usize = 100;

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
    write_standings(out, summary)?;
    if (3..=MOST_CROSSED).contains(&summary.ratings.len()) {
        write_crosstable(out, summary)?;
    }
    write_pairings(out, summary)?;
    write_first_player(out, summary)?;
    write_games(out, summary)
}

fn write_heading(out: &mut dyn io::Write, header: &Header, summary: &Summary) -> io::Result<()> {
    let Header {
        name,
        track,
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
        "{name}: {of_plan}, {track} track, seed {seed}, version {version}\n"
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
        let mark = if row.perfect { " *" } else { "" };
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
    if summary.ratings.iter().any(|row| row.perfect) {
        writeln!(
            out,
            " * won or lost every game: the Elo only tells the direction, the distance is unknown."
        )?;
    }
    if summary.prior_used {
        writeln!(
            out,
            " The results alone allow no finite Elo: a virtual draw was added to each pairing that met."
        )?;
    }
    if !summary.connected {
        writeln!(
            out,
            " Some groups of agents have not met: each averages 0 Elo, do not compare across them."
        )?;
    }
    writeln!(out)
}

/// Half of the interval's width.
fn half_width(row: &Standing) -> Option<f64> {
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
    writeln!(out, ".\n")?;
    write_branching(out, summary)
}

fn write_branching(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let branching = &summary.branching;
    let played: u64 = branching.games_by_ply.iter().sum();
    let mut table = table(&["legal actions"], &["mean", "95%", "plies"]);
    let mut add = |name: &str, mean: Option<f64>, ends: String, plies: u64| {
        let mean = optional(mean, one_place);
        add_row(
            &mut table,
            [name.to_string()],
            [mean, ends, plies.to_string()],
        );
    };
    let ends = interval(branching.all.low, branching.all.high, one_place);
    add("every ply", branching.all.mean, ends, played);
    for phase in &branching.by_phase {
        let name = match phase.phase {
            Phase::Opening => "opening, spaces 0 to 17",
            Phase::Middle => "middle, spaces 18 to 35",
            Phase::End => "end, spaces 36 to 53",
        };
        add(name, phase.mean, String::new(), phase.plies);
    }
    let buying = &branching.buying;
    add(
        "where a patch was bought",
        buying.mean,
        String::new(),
        buying.plies,
    );
    write_table(out, "Branching factor", &mut table)
}

/// A table with columns of text, flush left, and columns of numbers, flush right.
fn table(texts: &[&str], numbers: &[impl AsRef<str>]) -> Table {
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

fn add_row(
    table: &mut Table,
    texts: impl IntoIterator<Item = String>,
    numbers: impl IntoIterator<Item = String>,
) {
    table.add_row(texts.into_iter().chain(numbers).map(Cell::new));
}

fn write_table(out: &mut dyn io::Write, title: &str, table: &mut Table) -> io::Result<()> {
    writeln!(out, "{title}\n{}", table.trim_fmt())
}

fn optional(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".to_string(), format)
}

fn interval(low: Option<f64>, high: Option<f64>, format: impl Fn(f64) -> String) -> String {
    low.zip(high).map_or_else(
        || "-".to_string(),
        |(low, high)| format!("{} to {}", format(low), format(high)),
    )
}

fn one_place(value: f64) -> String {
    unsigned_zero(format!("{value:.1}"))
}

/// An interval of shares; they are never negative, so a dash cannot be read as a sign.
fn percents(low: Option<f64>, high: Option<f64>) -> String {
    low.zip(high).map_or_else(
        || "-".to_string(),
        |(low, high)| format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high),
    )
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn signed(value: f64, places: usize) -> String {
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

fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A name with its middle cut out when it is long; versions of an agent differ at their ends.
fn shortened(name: &str) -> String {
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
    use crate::stats::fixture::{PAIRINGS, game, names, tournament};

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
        assert!(one.contains("greedy *") && one.contains("virtual draw"));
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
