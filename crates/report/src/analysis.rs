//! Analyses as text for a terminal, readable without colour.

use std::io;

use patchwork_engine::analysis::{ActionRow, ChoiceRow, Ended, PositionReport, SearchFacts};
use patchwork_engine::game::Player;
use patchwork_engine::record::picture::{LEGEND, Picture};

use crate::document::{
    LineTable, UNKNOWN, counted, duration, per_second, percent, signed, text_lines, thousands,
};

/// Steps of the principal variation with fewer visits are unreliable and not shown.
const WORTH_SHOWING: u32 = 10;
/// Length of the longest bar in characters.
const BAR: usize = 12;

/// Writes the position of an analysis.
pub fn write_position(
    out: &mut dyn io::Write,
    picture: &Picture,
    names: [Option<&str>; 2],
) -> io::Result<()> {
    let plies = counted(picture.plies as u64, "ply");
    write!(out, "After {plies}, {} track", picture.track)?;
    if let Some(mover) = picture.mover {
        let legal = counted(picture.legal.into(), "legal action");
        let special = match picture.special_patches_waiting {
            0 => "",
            _ => " and has a special patch to place",
        };
        writeln!(out, ": the {mover} player moves{special}, {legal}.")?;
    } else {
        writeln!(out, ": the game is over.")?;
    }
    writeln!(out, "Ring: {}", picture.ring)?;
    writeln!(out, "{LEGEND}\n")?;
    picture.write(out, &picture.heads(names))?;
    writeln!(out)
}

/// Writes everything except the position, in lines of at most `width` characters unless a single
/// word is longer.
pub fn write_report(
    out: &mut dyn io::Write,
    report: &PositionReport,
    width: usize,
) -> io::Result<()> {
    if let Some(outcome) = &report.outcome {
        let (winner, [one, other]) = (outcome.winner, outcome.scores);
        return writeln!(
            out,
            "The {winner} player has won {} to {}.",
            one.max(other),
            one.min(other)
        );
    }
    let Some(mover) = report.position.mover else {
        return Ok(());
    };
    if let Some(estimate) = &report.estimate {
        writeln!(
            out,
            "Position estimate for the {mover} player: {} points at the end, {} to win.",
            signed(f64::from(estimate.margin), 1),
            percent(f64::from(estimate.win_chance))
        )?;
    }
    if let Some(search) = &report.search {
        for line in search_lines(report, search, width) {
            writeln!(out, "{line}")?;
        }
        let shown = report.actions.len();
        if search.considered > shown {
            writeln!(
                out,
                "    and {} more; {} of {} considered were tried",
                thousands((search.considered - shown) as u64),
                thousands(search.tried as u64),
                thousands(search.considered as u64)
            )?;
        }
        writeln!(out)?;
    }
    write_verdict(out, report, mover)
}

fn write_verdict(
    out: &mut dyn io::Write,
    report: &PositionReport,
    mover: Player,
) -> io::Result<()> {
    let agent = &report.agent;
    if let Some(best) = &report.best {
        write!(out, "{agent} plays {}", best.action)?;
        if let (Some(value), None) = (best.value, report.winner) {
            let value = percent(f64::from(value));
            write!(out, " and expects {value} for the {mover} player")?;
        }
        if report.search.is_none() {
            let time = report.time.map_or(0.0, |time| time.seconds);
            write!(out, " after {}", duration(time))?;
            if best.iterations > 0 {
                let iterations = counted(best.iterations, "iteration");
                write!(out, " and {iterations}")?;
            }
            write!(
                out,
                "; it keeps no search tree, so there is nothing more to show"
            )?;
        }
        writeln!(out, ".")?;
    }
    if let Some(winner) = report.winner {
        writeln!(out, "Proven: the {winner} player wins with best play.")?;
    }
    match report.search.and_then(|search| search.ended) {
        Some(Ended::Forced) if report.position.legal == 1 => {
            writeln!(out, "It is the only legal action.")
        }
        Some(Ended::Forced) => writeln!(out, "It is the only action that the agent considers."),
        Some(Ended::Interrupted) => writeln!(out, "Interrupted before the budget was spent."),
        Some(Ended::Full) => writeln!(out, "Ended at the maximum number of iterations."),
        Some(Ended::Budget | Ended::Proven) | None => Ok(()),
    }
}

/// The statistics of a search, line by line.
pub fn search_lines(report: &PositionReport, search: &SearchFacts, width: usize) -> Vec<String> {
    let mut lines = vec![effort(report, search)];
    lines.push(format!(
        "Mean depth {:.1}, at most {}; entropy of the visits {:.2} bits",
        search.mean_depth, search.max_depth, search.entropy
    ));
    lines.push(format!(
        "Tree {:.1} MiB: {} of {} bytes, {} of {} bytes",
        search.bytes as f64 / f64::from(1 << 20),
        counted(search.nodes as u64, "node"),
        search.bytes_per_node,
        counted(search.edges as u64, "edge"),
        search.bytes_per_edge
    ));
    if report.choices.len() > 1 {
        lines.push(format!("Visits by choice: {}", choices(&report.choices)));
    }
    if !report.line.is_empty() {
        lines.extend(wrapped(&variation(report), width));
    }
    lines.push(String::new());
    lines.extend(table(&report.actions, width));
    lines
}

fn effort(report: &PositionReport, search: &SearchFacts) -> String {
    let threads = counted(search.threads.into(), "thread");
    let iterations = counted(search.iterations, "iteration");
    let time = report.time.map_or(0.0, |time| time.seconds);
    let rate = report.time.and_then(|time| time.iterations_per_second);
    let rate = rate.map_or(String::new(), |rate| format!(", {}", per_second(rate)));
    format!(
        "{}, {threads}: {iterations} in {}{rate}",
        report.agent,
        duration(time)
    )
}

fn choices(choices: &[ChoiceRow]) -> String {
    let mut choices: Vec<&ChoiceRow> = choices.iter().collect();
    choices.sort_by_key(|choice| std::cmp::Reverse(choice.visits));
    let texts = choices.iter().map(|choice| {
        let name = match choice.choice.as_str() {
            "A" => "advance".to_owned(),
            "S" => "special patch".to_owned(),
            patch => format!("patch {patch}"),
        };
        format!("{name}: {}", percent(choice.share))
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The principal variation as words. The player is written only when it changes.
fn variation(report: &PositionReport) -> Vec<String> {
    let mut words = vec!["Line:".to_owned()];
    let mut player = None;
    for (i, step) in report.line.iter().enumerate() {
        if i > 0 && step.visits < WORTH_SHOWING {
            words.push("...".to_owned());
            break;
        }
        if player != Some(step.player) {
            if player.is_some() {
                words.push("|".to_owned());
            }
            player = Some(step.player);
            words.push(step.player.to_string());
        }
        words.push(step.action.clone());
    }
    words
}

/// Wraps words into lines of at most `width` characters, with all lines but the first indented. A
/// word that is longer has its own line.
fn wrapped(words: &[String], width: usize) -> Vec<String> {
    let options = text_lines(width)
        .subsequent_indent("      ")
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    let text = words.join(" ");
    let lines = textwrap::wrap(&text, options);
    lines.into_iter().map(String::from).collect()
}

fn table(rows: &[ActionRow], width: usize) -> Vec<String> {
    let longest = rows.iter().map(|row| row.action.len()).max().unwrap_or(0);
    let longest = longest.max("action".len());
    let most = rows.iter().map(|row| row.share).fold(0.0, f64::max);
    let columns = LineTable::new(2).right("#", 3).left("action", longest);
    let columns = columns.right("visits", 11).right("share", 6);
    let columns = columns.right("value", 6).right("prior", 6);
    let columns = columns.left("proven", 6).left("", 0);
    let head = columns.head().trim_end().to_owned();
    let room = width.saturating_sub(head.len() + 2).min(BAR);
    let mut lines = vec![head];
    for (row, rank) in rows.iter().zip(1..) {
        let proven = match row.proven {
            None => UNKNOWN,
            Some(true) => "win",
            Some(false) => "loss",
        };
        let bar = if most > 0.0 {
            (row.share / most * room as f64).round() as usize
        } else {
            0
        };
        let line = columns.line(&[
            &rank,
            &row.action,
            &thousands(row.visits.into()),
            &percent(row.share),
            &percent(row.value.map(f64::from)),
            &percent(f64::from(row.prior)),
            &proven,
            &"=".repeat(bar),
        ]);
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_at_the_width() {
        let words = ["Line:", "first", "17:a1b1", "A"].map(str::to_owned);
        assert_eq!(wrapped(&words, 80), ["Line: first 17:a1b1 A"]);
        assert_eq!(
            wrapped(&words, 12),
            ["Line: first", "      17:a1b1", "      A"]
        );
        // Too narrow for a word: it has a line of its own.
        assert_eq!(wrapped(&words, 1).len(), 4);
    }
}
