//! A document as text for a terminal, readable without colour.

mod form;
mod table;

use std::io;

use textwrap::core::display_width;

use self::form::Emphasis;
pub use self::form::TextForm;
use patchwork_engine::util::escape::escaped_line;

use self::table::write_table;
use super::document::{Block, Document, Grid, Headline, Meeting, ReportSection, RoundBox};
use super::names::{SHORT_NAME, all_shortened_to};

/// Rows of a table in the brief report.
const BRIEF_ROWS: usize = 16;

/// Rows of a table in the full report.
const FULL_ROWS: usize = 100;

/// Writes a document in full, or its leading section and one line for each other section.
pub(super) fn write_text(
    mut out: impl io::Write,
    document: &Document<'_>,
    form: TextForm,
) -> io::Result<()> {
    let out: &mut dyn io::Write = &mut out;
    writeln!(out, "{}\n", heading(document, form))?;
    if let Some(nothing) = document.nothing {
        return writeln!(out, "{nothing}");
    }
    let visible = document
        .sections
        .iter()
        .filter(|section| section.is_in_text());
    for section in visible.filter(|section| form.full || section.leads) {
        write_section(out, section, form)?;
    }
    if !form.full {
        for headline in brief(document) {
            writeln!(out, "{}", line(headline, form))?;
        }
    }
    Ok(())
}

/// The headlines of the brief report.
fn brief<'a>(document: &'a Document<'_>) -> impl Iterator<Item = &'a Headline> {
    let others = document.sections.iter().filter(|section| !section.leads);
    others.filter_map(|section| section.headlines.first())
}

/// The title with as many facts as fit on the line, or with all of them in the full report. Lines break
/// between facts.
fn heading(document: &Document<'_>, form: TextForm) -> String {
    const NO_BREAK: &str = "\u{a0}";
    let facts = &document.facts;
    let told = |count: usize| format!("{}: {}", document.title, facts[..count].join(", "));
    if form.full {
        let facts: Vec<String> = facts
            .iter()
            .map(|fact| fact.replace(' ', NO_BREAK))
            .collect();
        let head = format!("{}: {}", document.title, facts.join(", "));
        return form.wrapped(&head, "", "  ").replace(NO_BREAK, " ");
    }
    let fits = |&count: &usize| display_width(&told(count)) <= form.width;
    let count = (1..=facts.len()).rev().find(fits).unwrap_or(1);
    form.wrapped(&told(count.min(facts.len())), "", "  ")
}

/// A headline on one line, with as many details as fit.
fn line(headline: &Headline, form: TextForm) -> String {
    let Headline { value, name, more } = headline;
    let told = |count: usize| match &more[..count] {
        [] => format!("{value} {name}"),
        more => format!("{value} {name} ({})", more.join("; ")),
    };
    let fits = |&count: &usize| display_width(&told(count)) <= form.width;
    let count = (0..=more.len()).rev().find(fits).unwrap_or(0);
    form.wrapped(&told(count), "", "  ")
}

fn write_section(
    out: &mut dyn io::Write,
    section: &ReportSection<'_>,
    form: TextForm,
) -> io::Result<()> {
    let title = form.wrapped(section.title, "", "  ");
    writeln!(out, "{}", form.styled(&title, Emphasis::Strong))?;
    let rows = if form.full { FULL_ROWS } else { BRIEF_ROWS };
    for block in &section.blocks {
        match block {
            Block::Note(note) => writeln!(out, "{}", form.wrapped(note, " ", "   "))?,
            Block::Warning(note) => {
                let note = form.wrapped(note, " ", "   ");
                writeln!(out, "{}", form.styled(&note, Emphasis::Warning))?;
            }
            Block::Table(table) => write_table(out, table, form, rows)?,
            Block::Grid(grid) if grid.in_text => write_grid(out, grid, form)?,
            Block::Rounds(rounds) => write_rounds(out, rounds, form)?,
            Block::Definitions(all) => {
                for one in all {
                    let about = if one.about.is_empty() {
                        &one.value
                    } else {
                        one.about
                    };
                    let definition = format!("{}: {about}", one.name);
                    writeln!(out, "{}", form.wrapped(&definition, " ", "   "))?;
                    if !one.about.is_empty() {
                        writeln!(out, "{}", form.wrapped(&one.value, "    ", "    "))?;
                    }
                }
            }
            Block::Figure(_) | Block::Coordinates(_) | Block::Grid(_) | Block::Viewer => {}
        }
    }
    writeln!(out)
}

/// Shares in percent, with as many columns side by side as fit.
fn write_grid(out: &mut dyn io::Write, grid: &Grid<'_>, form: TextForm) -> io::Result<()> {
    const CELL: usize = 6;
    writeln!(out, "{}", form.wrapped(&grid.about, " ", "   "))?;
    let rank = grid.rows.len().to_string().len();
    let most = SHORT_NAME.min(form.width.saturating_sub(rank + 1 + CELL));
    let rows: Vec<&str> = grid.rows.iter().map(AsRef::as_ref).collect();
    let short = all_shortened_to(&rows, most);
    let names: Vec<String> = rows
        .iter()
        .map(|name| escaped_line(&short[name]).into_owned())
        .collect();
    let longest = names.iter().map(|name| display_width(name)).max();
    let name = longest.unwrap_or(0);
    let columns = grid.columns().len();
    let side = (form.width.saturating_sub(rank + 1 + name) / CELL).max(1);
    for from in (0..columns).step_by(side) {
        let part = from..columns.min(from + side);
        let heads = part.clone().map(|j| format!("{:>CELL$}", j + 1));
        let heads: String = heads.collect();
        writeln!(out, "{:rank$} {:name$}{heads}", "", "")?;
        for (i, row) in names.iter().enumerate() {
            let cells = part.clone().map(|j| match (grid.cell)(i, j) {
                _ if grid.is_square() && i == j => format!("{:>CELL$}", "-"),
                Some(cell) => format!("{:>CELL$}", cell.text()),
                None => " ".repeat(CELL),
            });
            let cells: String = cells.collect();
            let gap = " ".repeat(name - display_width(row));
            let line = format!("{:rank$} {row}{gap}{cells}", i + 1);
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

fn write_rounds(
    out: &mut dyn io::Write,
    rounds: &[RoundBox<'_>],
    form: TextForm,
) -> io::Result<()> {
    for round in rounds {
        let end = if round.meetings.is_empty() { "" } else { ":" };
        writeln!(out, " {}{end}", round.name)?;
        for meeting in &round.meetings {
            writeln!(
                out,
                "{}",
                form.wrapped(&meeting_line(meeting), "  ", "    ")
            )?;
        }
        for agent in round.byes {
            let bye = format!("{agent} has a bye");
            writeln!(out, "{}", form.wrapped(&bye, "  ", "    "))?;
        }
    }
    Ok(())
}

/// One line per meeting, with the winner first.
fn meeting_line(meeting: &Meeting<'_>) -> String {
    let winner = meeting.winner.unwrap_or(0);
    let [(first, wins), (second, losses)] = [meeting.sides[winner], meeting.sides[1 - winner]];
    let how = match (&meeting.how, meeting.winner) {
        (_, None) => " so far".to_owned(),
        (Some(how), _) => format!(", {how}"),
        (None, _) => String::new(),
    };
    format!("{first} {wins}-{losses} {second}{how}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::header::Header;
    use crate::report::samples::{samples, test_header, with_findings};
    use crate::support::tournaments::{game, names, plan, tournament};
    use crate::tournament::{Format, Plan};
    use patchwork_engine::record::{Entry, GameId};

    const FULL: TextForm = TextForm {
        width: 80,
        full: true,
        colour: false,
    };

    fn written(header: &Header, plan: &Plan, entries: &[Entry], form: TextForm) -> String {
        let mut text = Vec::new();
        with_findings(header, plan, entries, |findings| {
            write_text(&mut text, &findings.document(), form)
                .expect("writing to a vector cannot fail");
        });
        let text = String::from_utf8(text).expect("text");
        assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains(" \n"));
        if !form.colour {
            let wide = text.lines().find(|line| display_width(line) > form.width);
            assert_eq!(wide, None, "{text}");
        }
        text
    }

    fn text(entries: &[Entry], planned: u64, form: TextForm) -> String {
        let plan = plan(&names(), Format::RoundRobin, 50).expect("a plan");
        written(&test_header(planned), &plan, entries, form)
    }

    #[test]
    fn a_whole_tournament() {
        let text = text(&tournament(50), 300, TextForm { width: 140, ..FULL });
        assert!(text.starts_with("sprint: 300 games, 3 agents, original track"));
        assert!(names().iter().all(|name| text.contains(name)));
        assert!(text.contains("20.0k/s") && text.contains("50 ms"), "{text}");
    }

    #[test]
    fn the_brief_report_fits_a_terminal_and_answers_first() {
        let brief = text(&tournament(20), 120, TextForm::default());
        assert!(brief.lines().count() < 40);
        for expected in [
            "Standings",
            "better",
            "for moving first between equals",
            "plies per game",
            "legal actions per ply",
        ] {
            assert!(brief.contains(expected), "{brief}");
        }
        assert!(!brief.contains("Pairings"));
    }

    #[test]
    fn headings_and_headlines_have_a_line_each() {
        let more = [
            "95%: -221 to +139",
            "won 47.4% of games",
            "and more than fits a line of 80",
        ];
        let headline = Headline {
            value: "-37 Elo".to_owned(),
            name: "for moving first between equals".to_owned(),
            more: more.map(str::to_owned).to_vec(),
        };
        let told = |width| {
            let form = TextForm {
                width,
                ..TextForm::default()
            };
            line(&headline, form)
        };
        let start = "-37 Elo for moving first between equals";
        assert_eq!(
            told(80),
            format!("{start} (95%: -221 to +139; won 47.4% of games)")
        );
        assert_eq!(told(60), format!("{start} (95%: -221 to +139)"));
        assert_eq!(told(40), start);

        let facts = [
            "106 games",
            "2 agents",
            "original track",
            "gauntlet",
            "seed 2",
            "version 0.1.0",
        ];
        let document = Document {
            title: "gauntlet-sprt".to_owned(),
            facts: facts.map(str::to_owned).to_vec(),
            nothing: None,
            sections: Vec::new(),
        };
        let brief = heading(&document, TextForm::default());
        assert_eq!(
            brief,
            "gauntlet-sprt: 106 games, 2 agents, original track, gauntlet, seed 2"
        );
        let full = heading(&document, FULL);
        assert_eq!(full, format!("{brief},\n  version 0.1.0"));
    }

    #[test]
    fn wider_terminals_get_more_columns() {
        let entries = tournament(10);
        let heads = |section: &str, width| {
            let text = text(&entries, 60, TextForm { width, ..FULL });
            let (_, section) = text.split_once(section).expect("a section");
            let heads = section.lines().nth(1).expect("column names");
            heads.split_whitespace().count()
        };
        assert!(heads("Standings", 80) < heads("Standings", 100));
        assert!(heads("Searches", 80) < heads("Searches", 100));
        assert!(heads("Searches", 100) < heads("Searches", 140));
        for width in [20, 40, 60] {
            text(&entries, 60, TextForm { width, ..FULL });
        }
    }

    #[test]
    fn colours_only_where_they_are_wanted() {
        let entries = tournament(10);
        let plain = text(&entries, 60, FULL);
        assert!(!plain.contains('\u{1b}'));
        let coloured = text(
            &entries,
            60,
            TextForm {
                colour: true,
                ..FULL
            },
        );
        assert!(coloured.contains("\u{1b}[1mStandings"));
        let codes = ["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[33m", "\u{1b}[0m"];
        let stripped = codes
            .iter()
            .fold(coloured, |text, code| text.replace(code, ""));
        assert_eq!(stripped, plain);
    }

    #[test]
    fn what_a_format_adds_is_told() {
        let plan = plan(&names(), Format::RoundRobin, 2).expect("a plan");
        let mut all = String::new();
        for format in samples() {
            let header = Header {
                format,
                ..test_header(12)
            };
            all += &written(&header, &plan, &tournament(2), FULL);
            written(&header, &plan, &tournament(2), TextForm::default());
        }
        for expected in [
            "in round 1 of 3",
            "in round 3 of 3",
            " so far",
            " has a bye",
            " Final:",
            " has won.",
            "continue",
            "accept H1",
        ] {
            assert!(all.contains(expected), "{all} lacks {expected}");
        }
    }

    #[test]
    fn the_winner_comes_first() {
        let meeting = |wins: [u32; 2], winner: usize, how: Option<&str>| Meeting {
            sides: [("x", wins[0]), ("y", wins[1])],
            winner: Some(winner),
            how: how.map(str::to_owned),
        };
        assert_eq!(meeting_line(&meeting([3, 1], 0, None)), "x 3-1 y");
        let how = Some("by points (+5)");
        assert_eq!(
            meeting_line(&meeting([2, 2], 1, how)),
            "y 2-2 x, by points (+5)"
        );
    }

    #[test]
    fn hardly_any_games() {
        let none = text(&[], 300, FULL);
        assert!(none.contains("0 of 300 games (incomplete)"));
        assert!(none.contains("nothing to report"));

        let one = text(&tournament(1)[..1], 300, FULL);
        assert!(one.contains("greedy *") && one.contains("Jeffreys' prior"));
        assert!(!one.contains("1 games"));
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
        assert!(text(&games, 8, FULL).contains("8 games"));
    }

    #[test]
    fn many_agents_stay_narrow() {
        let names: Vec<String> = (0..24)
            .map(|i| format!("agent-with-a-long-name-{i:02}"))
            .collect();
        let plan = plan(&names, Format::RoundRobin, 1).expect("a plan");
        let games = plan.games().map(|planned| game(planned.id, planned.seats));
        let games: Vec<Entry> = games.collect();
        written(&test_header(552), &plan, &games, FULL);
        let brief = written(&test_header(552), &plan, &games, TextForm::default());
        assert!(brief.lines().count() < 40, "{brief}");
        assert!(brief.contains("and 8 more"), "{brief}");
    }
}
