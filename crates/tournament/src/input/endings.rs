//! The formats of files by the endings of their names.

use std::path::Path;

use patchwork_engine::util::suggest::one_of;

/// A format of the files that the program writes and reads, told by the ending of the name.
///
/// ```
/// use std::path::Path;
///
/// use patchwork_tournament::input::{FileForm, is_compressed};
///
/// let path = Path::new("games.jsonl.gz");
/// assert_eq!(FileForm::of(path), Some(FileForm::JsonLines));
/// assert!(is_compressed(path));
/// assert_eq!(FileForm::of(Path::new("games.dat")), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileForm {
    /// A JSON object per line.
    JsonLines,
    /// A table with columns separated by tabs.
    Tsv,
    /// A table with columns separated by commas.
    Csv,
    /// Games in the Portable Game Notation, or the project's notation modelled on it.
    Pgn,
    /// One JSON object.
    Json,
    /// A page for a browser.
    Html,
    /// Text for people.
    Text,
    /// Settings of agents, tournaments and studies.
    Toml,
}

/// All endings with their formats.
const ENDINGS: [(&str, FileForm); 8] = [
    (".jsonl", FileForm::JsonLines),
    (".tsv", FileForm::Tsv),
    (".csv", FileForm::Csv),
    (".pgn", FileForm::Pgn),
    (".json", FileForm::Json),
    (".html", FileForm::Html),
    (".txt", FileForm::Text),
    (".toml", FileForm::Toml),
];

/// The ending of files that are compressed with gzip; it follows that of the format.
const COMPRESSED: &str = ".gz";

impl FileForm {
    /// The format of a file, if the ending of its name is known. Upper and lower case are the same, and an ending of
    /// compressed files is passed over.
    pub fn of(path: &Path) -> Option<Self> {
        let name = lower_name(path);
        let name = name.strip_suffix(COMPRESSED).unwrap_or(&name);
        let known = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        known.map(|(_, form)| *form)
    }

    /// Its ending, with the dot.
    pub fn ending(self) -> &'static str {
        let known = ENDINGS.iter().find(|(_, form)| *form == self);
        known.map_or("", |(ending, _)| ending)
    }

    /// The endings of several formats, as a list in a sentence: `.csv, .json or .txt`.
    pub fn listed(forms: &[Self]) -> String {
        let endings: Vec<&str> = forms.iter().map(|form| form.ending()).collect();
        one_of(&endings)
    }
}

/// Whether the ending of a name is that of compressed files.
pub fn is_compressed(path: &Path) -> bool {
    lower_name(path).ends_with(COMPRESSED)
}

/// The name of a file in lower case.
fn lower_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_is_that_of_its_format() {
        for (ending, form) in ENDINGS {
            assert_eq!(form.ending(), ending);
            for name in [format!("a/b{ending}"), format!("x.y{ending}.gz")] {
                assert_eq!(FileForm::of(Path::new(&name)), Some(form));
                assert_eq!(FileForm::of(Path::new(&name.to_uppercase())), Some(form));
            }
        }
        for name in ["", "games", "games.gz", "jsonl", "a.json/b", "x.jsonl.zip"] {
            assert_eq!(FileForm::of(Path::new(name)), None, "{name}");
        }
        assert_eq!(FileForm::listed(&[FileForm::Csv]), ".csv");
        let three = [FileForm::Csv, FileForm::Json, FileForm::Text];
        assert_eq!(FileForm::listed(&three), ".csv, .json or .txt");
    }
}
