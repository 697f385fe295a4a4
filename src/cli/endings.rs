//! The format in which a file is written: from the ending of its name, or from an argument.
//!
//! A known ending decides. `--format` beside it must say the same; where the name has no known ending, `--format` alone
//! decides. A name that ends in `.gz` besides is compressed.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use flate2::Compression;
use flate2::write::GzEncoder;
use patchwork_arena::input::{FileForm, is_compressed};
use patchwork_arena::tournament::StoreError;

use super::output::{print_data, write_file};

/// The format in which a command writes: that of the file, if the ending of its name tells it, or else the one of
/// `--format`. `None` if neither is given. `known` has the formats of the command.
///
/// # Errors
/// If the two contradict each other, or if the file has no known ending and there is no `--format`.
pub(super) fn written_form<T: Copy + PartialEq>(
    file: Option<&Path>,
    format: Option<T>,
    known: &[(FileForm, T)],
) -> anyhow::Result<Option<T>> {
    let Some(path) = file else { return Ok(format) };
    let told = FileForm::of(path);
    let found = known.iter().find(|(form, _)| Some(*form) == told);
    let endings: Vec<FileForm> = known.iter().map(|(form, _)| *form).collect();
    let listed = FileForm::listed(&endings);
    match (found, format) {
        (Some((_, form)), None) => Ok(Some(*form)),
        (Some((_, form)), Some(given)) if *form == given => Ok(Some(given)),
        (None, Some(given)) if told.is_none() => Ok(Some(given)),
        (_, Some(given)) => {
            let ending = told.map_or("", FileForm::ending);
            let wanted = known.iter().find(|(_, form)| *form == given);
            let wanted = wanted.map_or("", |(form, _)| form.ending());
            bail!(
                "{}: the name ends in {ending}, but the format of --format has the ending {wanted}; \
                 leave out --format, or change the name",
                path.display()
            )
        }
        (None, None) => bail!(
            "{}: the ending of the name does not tell the format; expected {listed}, each of which .gz may follow, \
             or --format",
            path.display()
        ),
    }
}

/// Writes a file, compressed if the ending of its name says so.
pub(super) fn write_as_named(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    if !is_compressed(path) {
        return write_file(path, write);
    }
    write_file(path, |out| {
        let mut encoder = GzEncoder::new(out, Compression::default());
        write(&mut encoder)?;
        encoder.finish()?.flush()
    })
}

/// Writes games to a file, or else to the standard output; `place` is where they come from.
pub(super) fn write_games(
    place: String,
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<ExitCode> {
    let mut broken = Ok(());
    let write = |out: &mut dyn Write| {
        write(out).map_err(|error| match error.kind() {
            // A game; otherwise, the output cannot be written.
            io::ErrorKind::InvalidData => {
                broken = Err(match error.downcast::<StoreError>() {
                    // Its sentence names the place.
                    Ok(error) => error.into(),
                    Err(error) => anyhow::Error::from(error).context(place.clone()),
                });
                io::ErrorKind::InvalidData.into()
            }
            _ => error,
        })
    };
    let written = match path {
        Some(path) => write_as_named(path, write),
        None => print_data(write),
    };
    broken?;
    written?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [(FileForm, u8); 2] = [(FileForm::JsonLines, 1), (FileForm::Tsv, 2)];

    fn form(name: &str, format: Option<u8>) -> Result<Option<u8>, String> {
        written_form(Some(Path::new(name)), format, &KNOWN).map_err(|error| error.to_string())
    }

    #[test]
    fn the_ending_and_the_argument_agree_or_one_is_missing() {
        assert_eq!(
            written_form(None, Some(2), &KNOWN).expect("a format"),
            Some(2)
        );
        assert_eq!(written_form::<u8>(None, None, &KNOWN).expect("none"), None);
        assert_eq!(form("g.jsonl", None), Ok(Some(1)));
        assert_eq!(form("g.TSV.gz", Some(2)), Ok(Some(2)));
        assert_eq!(form("games", Some(2)), Ok(Some(2)));
        assert_eq!(form("games.bin", Some(1)), Ok(Some(1)));
        let contradiction = form("g.jsonl", Some(2)).expect_err("a contradiction");
        assert_eq!(
            contradiction,
            "g.jsonl: the name ends in .jsonl, but the format of --format has the ending .tsv; leave out --format, \
             or change the name"
        );
        // The ending of another format is a contradiction as well.
        assert!(form("g.html", Some(2)).is_err());
        for name in ["g.bin", "g", "g.html"] {
            let unknown = form(name, None).expect_err("an unknown ending");
            assert!(
                unknown
                    .contains("expected .jsonl or .tsv, each of which .gz may follow, or --format"),
                "{unknown}"
            );
        }
    }
}
