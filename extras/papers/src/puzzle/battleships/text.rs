//! Instances as text.

use std::fmt;
use std::str::FromStr;

use patchwork_engine::util::InputError;

use super::instance::{Battleships, Hint};

/// The error for a value of a key on a line.
fn wrong_value(line: usize, key: &str, found: &str, expected: &str) -> InputError {
    InputError::new(format!(
        "line {line}: {key}: found '{found}'; expected {expected}"
    ))
}

/// The error for a key that is missing.
fn missing(key: &str) -> InputError {
    InputError::new(format!("missing key `{key}`"))
}

fn numbers(line: usize, key: &str, rest: &str) -> Result<Vec<usize>, InputError> {
    rest.split_whitespace()
        .map(|word| {
            word.parse()
                .map_err(|_| wrong_value(line, key, word, "a number"))
        })
        .collect()
}

impl FromStr for Battleships {
    type Err = InputError;

    /// Reads lines of a key and its value: `size ROWS COLUMNS`, `rows` and `cols` with the sums, `fleet`
    /// such as `3x2` for two ships of length 3, and `grid`, followed by its rows: `.` unknown, `w` water, `c` submarine, `l`,
    /// `r`, `t`, `b` the ends of a ship, `m` its middle. Lines that begin with `#` are comments.
    fn from_str(text: &str) -> Result<Self, InputError> {
        let mut lines = (1..).zip(text.lines().map(str::trim));
        let mut size: Option<(usize, usize)> = None;
        let (mut rows, mut columns, mut fleet, mut hints) = (None, None, None, None);
        let mut stated = [None; 2];
        while let Some((line, text)) = lines.next() {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (key, rest) = text.split_once(' ').unwrap_or((text, ""));
            let wrong = |key, expected: &str| wrong_value(line, key, rest.trim(), expected);
            let known_size = || size.ok_or(missing("size"));
            match key {
                "size" => size = Some(read_size(line, rest)?),
                "rows" | "cols" => {
                    let (height, width) = known_size()?;
                    let (sums, count, most) = match key {
                        "rows" => (&mut rows, height, width),
                        _ => (&mut columns, width, height),
                    };
                    let read = numbers(line, key, rest)?;
                    if read.len() != count || read.iter().any(|&sum| sum > most) {
                        return Err(wrong(key, &format!("{count} numbers from 0 to {most}")));
                    }
                    *sums = Some(read);
                }
                "fleet" => {
                    let read = rest.parse();
                    fleet = Some(read.map_err(|error: InputError| {
                        InputError::new(format!("line {line}: fleet: {error}"))
                    })?);
                }
                "grid" | "solution" => {
                    let (height, width) = known_size()?;
                    let picture: Vec<(usize, &str)> = lines.by_ref().take(height).collect();
                    if key == "grid" {
                        hints = Some(read_grid(line, &picture, (height, width))?);
                    }
                }
                "solutions" | "solutions-without-hints" => {
                    let count: u64 = rest
                        .trim()
                        .parse()
                        .map_err(|_| wrong("solutions", "a number"))?;
                    stated[usize::from(key != "solutions")] = Some(count);
                }
                _ => {
                    return Err(InputError::new(format!(
                        "line {line}: unknown key `{key}`; expected size, rows, cols, fleet, grid, solutions, solutions-without-hints or solution"
                    )));
                }
            }
        }
        let instance = Self {
            rows: rows.ok_or(missing("rows"))?,
            columns: columns.ok_or(missing("cols"))?,
            fleet: fleet.ok_or(missing("fleet"))?,
            hints: hints.ok_or(missing("grid"))?,
            stated,
        };
        instance.check()?;
        Ok(instance)
    }
}

fn read_size(line: usize, rest: &str) -> Result<(usize, usize), InputError> {
    let sides = 1..=Battleships::MOST;
    match numbers(line, "size", rest)?[..] {
        [rows, columns] if sides.contains(&rows) && sides.contains(&columns) => Ok((rows, columns)),
        _ => {
            let expected = format!("rows and columns, each 1 to {}", Battleships::MOST);
            Err(wrong_value(line, "size", rest.trim(), &expected))
        }
    }
}

fn read_grid(
    line: usize,
    picture: &[(usize, &str)],
    (height, width): (usize, usize),
) -> Result<Vec<Option<Hint>>, InputError> {
    let mut hints = Vec::new();
    for (line, row) in picture {
        let wrong = |expected: &str| wrong_value(*line, "grid", row, expected);
        if row.chars().count() != width {
            return Err(wrong(&format!("{width} squares")));
        }
        for letter in row.chars() {
            let mut known = Hint::LETTERS.iter().filter(|(known, _)| *known == letter);
            match known.next() {
                Some(&(_, hint)) => hints.push(Some(hint)),
                None if letter == '.' => hints.push(None),
                None => return Err(wrong("squares such as . w c l r t b m")),
            }
        }
    }
    if hints.len() != height * width {
        let (found, expected) = (format!("{} rows", picture.len()), format!("{height} rows"));
        return Err(wrong_value(line, "grid", &found, &expected));
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
