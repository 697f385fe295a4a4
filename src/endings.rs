//! The format in which a result is written, and where: from `--format` and `--output`, or from the ending of the file.
//!
//! A known ending decides. `--format` beside it must say the same; where the name has no known ending, `--format` alone
//! decides. A name that ends in `.gz` besides is compressed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use flate2::Compression;
use flate2::write::GzEncoder;
use patchwork_report::document::TextForm;
use patchwork_tournament::TournamentError;
use patchwork_tournament::input::{FileForm, is_compressed};
use serde::Serialize;

use super::output::{
    STANDARD, check_target, note, output_width, print, print_data, print_unbroken, write_file,
    write_json,
};

/// The formats of a command.
pub(super) trait Written: Copy + PartialEq + Send + Sync + 'static {
    /// The formats, each with its ending. The first one is the default if it is text.
    const FORMS: &'static [(FileForm, Self)];
}

/// Declares formats that are named as those of files.
macro_rules! forms {
    ($($(#[$meta:meta])* $Forms:ident: $($Form:ident)+;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $Forms {
            $($Form,)+
        }

        impl Written for $Forms {
            const FORMS: &'static [(FileForm, Self)] = &[$((FileForm::$Form, Self::$Form)),+];
        }
    )+};
}

forms! {
    /// The formats of a command without tables.
    Form: Text Json;
    /// The formats of an analysis; only that of a whole game has PGN.
    GameForm: Text Json Pgn;
    /// The formats of a command with tables.
    TableForm: Text Json Csv;
    /// The formats of a report.
    ReportForm: Text Json Csv Html;
    /// The formats of games; CSV is that of tables.
    GamesForm: JsonLines Tsv Pgn Csv;
}

pub(super) fn form_name<F: Written>() -> impl TypedValueParser<Value = F> {
    one_of(names().map(|(name, form)| (name, form, "")))
}

fn names<F: Written>() -> impl Iterator<Item = (&'static str, F)> {
    F::FORMS.iter().map(|(file, form)| match file {
        FileForm::Text => ("text", *form),
        _ => (&file.ending()[1..], *form),
    })
}

/// Parses one of several values, given with their names and descriptions, which may be empty.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (&'static str, T, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<_> = choices.into_iter().collect();
    let names = choices.iter().map(|&(name, _, about)| match about {
        "" => PossibleValue::new(name),
        about => PossibleValue::new(name).help(about),
    });
    PossibleValuesParser::new(names).map(move |given| {
        let chosen = choices.iter().find(|(name, ..)| *name == given);
        chosen.expect("one of the possible values").1
    })
}

/// What is printed beside the result.
#[derive(clap::Args)]
pub(super) struct Quiet {
    /// Print nothing but the result
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl Quiet {
    /// Says something on the standard error, unless only the result is wanted.
    pub(super) fn note(&self, line: std::fmt::Arguments<'_>) {
        if !self.quiet {
            note(line);
        }
    }
}

/// The format of a result, and where it is written.
#[derive(clap::Args)]
pub(super) struct Output<F: Written> {
    /// Output format [default: from the extension of the output file, otherwise text where that is possible]
    #[arg(long, value_parser = form_name::<F>())]
    format: Option<F>,
    /// Output file instead of standard output; its extension sets the format, and a further .gz compresses it
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) quiet: Quiet,
}

impl<F: Written> Output<F> {
    /// The format. To be asked before the work: fails if the file cannot be written, or if it has another format.
    pub(super) fn form(&self) -> anyhow::Result<F> {
        check_target(self.file())?;
        let default = F::FORMS.first().filter(|(file, _)| *file == FileForm::Text);
        let form = written_form(self.file(), self.format)?;
        let names: Vec<&str> = names::<F>().map(|(name, _)| name).collect();
        form.or(default.map(|(_, form)| *form)).with_context(|| {
            format!(
                "--format: missing; expected one of {}, or --output",
                names.join(", ")
            )
        })
    }

    /// The output, if it is a folder that exists and this format is asked for.
    pub(super) fn folder(&self, form: F) -> Option<&Path> {
        let is_asked_for = self.format == Some(form);
        self.file().filter(|path| is_asked_for && path.is_dir())
    }

    /// Whether there is an argument.
    pub(super) fn is_given(&self) -> bool {
        self.format.is_some() || self.output.is_some()
    }

    /// The file; none for the standard output, which `-` stands for.
    pub(super) fn file(&self) -> Option<&Path> {
        let path = self.output.as_deref();
        path.filter(|path| *path != Path::new(STANDARD))
    }

    pub(super) fn layout(&self, full: bool) -> TextForm {
        TextForm {
            width: output_width(),
            full,
            colour: console::colors_enabled() && self.file().is_none(),
        }
    }

    /// Writes a result in the format [`Self::form`], and returns the exit code of success.
    pub(super) fn write(
        &self,
        form: F,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<ExitCode> {
        // A game that cannot be read is not a fault of the output; its sentence names the place.
        let mut broken = Ok(());
        let write = |out: &mut dyn Write| {
            write(out).map_err(|error| match error.downcast::<TournamentError>() {
                Ok(error) => {
                    broken = Err(error);
                    io::ErrorKind::InvalidData.into()
                }
                Err(error) => error,
            })
        };
        let written = match (self.file(), file_form(form)) {
            (Some(path), _) => write_as_named(path, write),
            (None, FileForm::Text) => print(write),
            (None, FileForm::Json) => print_unbroken(write),
            (None, _) => print_data(write),
        };
        broken?;
        written?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes a result as JSON, or else as text.
    pub(super) fn answer(
        &self,
        json: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<ExitCode> {
        let form = self.form()?;
        self.write(form, |out| match file_form(form) {
            FileForm::Json => write_json(out, json),
            _ => text(out),
        })
    }
}

fn file_form<F: Written>(form: F) -> FileForm {
    let found = F::FORMS.iter().find(|(_, known)| *known == form);
    found.expect("every format is declared").0
}

/// The format of what is printed by a command whose result is a file.
#[derive(clap::Args)]
pub(super) struct Printed {
    /// Format of what is printed
    #[arg(long, default_value = "text", value_parser = form_name::<Form>())]
    format: Form,
    #[command(flatten)]
    pub(super) quiet: Quiet,
}

impl Printed {
    pub(super) fn answer(
        &self,
        json: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<ExitCode> {
        match self.format {
            Form::Text => print(text)?,
            Form::Json => print_unbroken(|out| write_json(out, json))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The format in which a command writes: that of the file, if the ending of its name tells it, or else the one of
/// `--format`. `None` if neither is given.
fn written_form<F: Written>(file: Option<&Path>, format: Option<F>) -> anyhow::Result<Option<F>> {
    let Some(path) = file else { return Ok(format) };
    let told = FileForm::of(path);
    let found = F::FORMS.iter().find(|(file, _)| Some(*file) == told);
    let endings: Vec<FileForm> = F::FORMS.iter().map(|(file, _)| *file).collect();
    let listed = FileForm::listed(&endings);
    match (found, format) {
        (Some((_, form)), None) => Ok(Some(*form)),
        (Some((_, form)), Some(given)) if *form == given => Ok(Some(given)),
        (None, Some(given)) if told.is_none() => Ok(Some(given)),
        (_, Some(given)) => {
            let ending = told.map_or("", FileForm::ending);
            bail!(
                "{}: the name ends in {ending}, but the format of --format has the ending {}; \
                 leave out --format, or change the name",
                path.display(),
                file_form(given).ending()
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
fn write_as_named(
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

#[cfg(test)]
mod tests {
    use super::*;
    use GamesForm::{JsonLines, Tsv};

    #[test]
    fn the_ending_and_the_argument_agree_or_one_is_missing() {
        let form = |name: &str, format| {
            written_form(Some(Path::new(name)), format).map_err(|error| error.to_string())
        };
        assert_eq!(written_form(None, Some(Tsv)).expect("a format"), Some(Tsv));
        assert_eq!(written_form::<GamesForm>(None, None).expect("none"), None);
        assert_eq!(form("g.jsonl", None), Ok(Some(JsonLines)));
        assert_eq!(form("g.TSV.gz", Some(Tsv)), Ok(Some(Tsv)));
        assert_eq!(form("games", Some(Tsv)), Ok(Some(Tsv)));
        assert_eq!(form("games.bin", Some(JsonLines)), Ok(Some(JsonLines)));
        let contradiction = form("g.jsonl", Some(Tsv)).expect_err("a contradiction");
        assert_eq!(
            contradiction,
            "g.jsonl: the name ends in .jsonl, but the format of --format has the ending .tsv; leave out --format, \
             or change the name"
        );
        // The ending of another format is a contradiction as well.
        assert!(form("g.html", Some(Tsv)).is_err());
        for name in ["g.bin", "g", "g.html"] {
            let unknown = form(name, None).expect_err("an unknown ending");
            assert!(
                unknown.contains(
                    "expected .jsonl, .tsv, .pgn or .csv, each of which .gz may follow, or --format"
                ),
                "{unknown}"
            );
        }
    }
}
