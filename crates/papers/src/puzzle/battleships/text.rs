//! Instances as text.

use std::fmt;
use std::str::FromStr;

use super::instance::{Battleships, BattleshipsError, Hint};

/// The lines of a file.
struct Lines<'a> {
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
}

impl Lines<'_> {
    /// The following lines of a picture.
    fn picture(&mut self, rows: usize) -> Vec<(usize, String)> {
        let lines = self.lines.by_ref().take(rows);
        lines
            .map(|(at, line)| (at + 1, line.trim().to_owned()))
            .collect()
    }
}

fn numbers(line: usize, key: &'static str, rest: &str) -> Result<Vec<usize>, BattleshipsError> {
    rest.split_whitespace()
        .map(|word| {
            word.parse().map_err(|_| BattleshipsError::Value {
                line,
                key,
                found: word.to_owned(),
                expected: "a number".to_owned(),
            })
        })
        .collect()
}

impl FromStr for Battleships {
    type Err = BattleshipsError;

    /// Reads lines of a key and its value: `size ROWS COLUMNS`, `rows` and `cols` with the sums, `fleet`
    /// such as `3x2` for two ships of length 3, and `grid`, followed by its rows: `.` unknown, `w` water, `c` submarine, `l`,
    /// `r`, `t`, `b` the ends of a ship, `m` its middle. Lines that begin with `#` are comments.
    fn from_str(text: &str) -> Result<Self, BattleshipsError> {
        let mut lines = Lines {
            lines: text.lines().enumerate().peekable(),
        };
        let mut size: Option<(usize, usize)> = None;
        let (mut rows, mut columns, mut fleet, mut hints) = (None, None, None, None);
        let mut stated = [None; 2];
        while let Some((at, text)) = lines.lines.next() {
            let (line, text) = (at + 1, text.trim());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (key, rest) = text.split_once(' ').unwrap_or((text, ""));
            let wrong = |key, expected: String| BattleshipsError::Value {
                line,
                key,
                found: rest.trim().to_owned(),
                expected,
            };
            let known_size = || size.ok_or(BattleshipsError::Missing("size"));
            match key {
                "size" => size = Some(read_size(line, rest)?),
                "rows" | "cols" => {
                    let (height, width) = known_size()?;
                    let (key, count, most) = if key == "rows" {
                        ("rows", height, width)
                    } else {
                        ("cols", width, height)
                    };
                    let sums = numbers(line, key, rest)?;
                    if sums.len() != count || sums.iter().any(|&sum| sum > most) {
                        return Err(wrong(key, format!("{count} numbers from 0 to {most}")));
                    }
                    *(if key == "rows" {
                        &mut rows
                    } else {
                        &mut columns
                    }) = Some(sums);
                }
                "fleet" => {
                    let read = rest.parse();
                    fleet = Some(read.map_err(|error| BattleshipsError::Fleet { line, error })?);
                }
                "grid" | "solution" => {
                    let (height, width) = known_size()?;
                    let picture = lines.picture(height);
                    if key == "grid" {
                        hints = Some(read_grid(line, &picture, (height, width))?);
                    }
                }
                "solutions" | "solutions-without-hints" => {
                    let count: u64 = rest
                        .trim()
                        .parse()
                        .map_err(|_| wrong("solutions", "a number".to_owned()))?;
                    stated[usize::from(key != "solutions")] = Some(count);
                }
                _ => {
                    let key = key.to_owned();
                    return Err(BattleshipsError::Key { line, key });
                }
            }
        }
        let instance = Self {
            rows: rows.ok_or(BattleshipsError::Missing("rows"))?,
            columns: columns.ok_or(BattleshipsError::Missing("cols"))?,
            fleet: fleet.ok_or(BattleshipsError::Missing("fleet"))?,
            hints: hints.ok_or(BattleshipsError::Missing("grid"))?,
            stated,
        };
        instance.check()?;
        Ok(instance)
    }
}

fn read_size(line: usize, rest: &str) -> Result<(usize, usize), BattleshipsError> {
    let sides = 1..=Battleships::MOST;
    match numbers(line, "size", rest)?[..] {
        [rows, columns] if sides.contains(&rows) && sides.contains(&columns) => Ok((rows, columns)),
        _ => Err(BattleshipsError::Value {
            line,
            key: "size",
            found: rest.trim().to_owned(),
            expected: format!("rows and columns, each 1 to {}", Battleships::MOST),
        }),
    }
}

fn read_grid(
    line: usize,
    picture: &[(usize, String)],
    (height, width): (usize, usize),
) -> Result<Vec<Option<Hint>>, BattleshipsError> {
    let mut hints = Vec::new();
    for (line, row) in picture {
        let wrong = |expected: String| BattleshipsError::Value {
            line: *line,
            key: "grid",
            found: row.clone(),
            expected,
        };
        if row.chars().count() != width {
            return Err(wrong(format!("{width} squares")));
        }
        for letter in row.chars() {
            let mut known = Hint::LETTERS.iter().filter(|(known, _)| *known == letter);
            match known.next() {
                Some(&(_, hint)) => hints.push(Some(hint)),
                None if letter == '.' => hints.push(None),
                None => return Err(wrong("squares such as . w c l r t b m".to_owned())),
            }
        }
    }
    if hints.len() != height * width {
        return Err(BattleshipsError::Value {
            line,
            key: "grid",
            found: format!("{} rows", picture.len()),
            expected: format!("{height} rows"),
        });
    }
    Ok(hints)
}

impl fmt::Display for Battleships {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |sums: &[usize]| {
            let words: Vec<String> = sums.iter().map(ToString::to_string).collect();
            words.join(" ")
        };
        let (rows, columns) = self.size();
        writeln!(f, "size {rows} {columns}")?;
        writeln!(f, "rows {}", list(&self.rows))?;
        writeln!(f, "cols {}", list(&self.columns))?;
        writeln!(f, "fleet {}", self.fleet)?;
        writeln!(f, "grid")?;
        for row in self.hints.chunks(columns) {
            let row: String = row
                .iter()
                .map(|hint| hint.map_or('.', Hint::letter))
                .collect();
            writeln!(f, "{row}")?;
        }
        for (key, stated) in ["solutions", "solutions-without-hints"]
            .iter()
            .zip(self.stated)
        {
            if let Some(count) = stated {
                writeln!(f, "{key} {count}")?;
            }
        }
        Ok(())
    }
}
