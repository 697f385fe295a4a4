//! Agent files that extend others: the tables of a chain of files merged into one.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use super::folder::{AgentFolder, is_path};
use super::registry::drop_idle;
use super::shipped;
use super::tables;
use crate::util::InputError;
use crate::util::config::{from_table, parse_table};
use crate::util::suggest::did_you_mean;

/// The maximum number of files of which each extends the next.
const MAX_FILES: usize = 100;

/// The keys of an agent file with this text and of the files that it extends, directly or indirectly; those of
/// earlier files take precedence. Also returns the files with their texts, the extended ones last.
pub(super) fn merged_keys(
    path: &Path,
    text: &str,
) -> Result<(Table, Vec<(PathBuf, String)>), InputError> {
    let mut files: Vec<(PathBuf, String)> = vec![(path.to_owned(), text.to_owned())];
    let mut layers: Vec<(Table, Vec<String>)> = Vec::new();
    loop {
        let last = &files[layers.len()..];
        let (path, text) = &last[0];
        let wrong = |error: InputError| error.located_in(last);
        let mut table = parse_table(path, text)?;
        let keys = LinkKeys::take(path, &mut table).map_err(wrong)?;
        layers.push((table, keys.unset.unwrap_or_default()));
        let Some(extends) = keys.extends else { break };
        let base = find(path, &extends).and_then(|base| check_cycle(&files, base));
        let base = base.map_err(|what| wrong(InputError::in_key(path, "extends", what)))?;
        let text = shipped::read(&base)?;
        files.push((base, text));
    }
    let mut merged = Table::new();
    for (i, (table, unset)) in layers.into_iter().enumerate().rev() {
        // A description applies to one file only.
        merged.remove("description");
        for key in unset {
            if !tables::remove(&mut merged, &key) {
                let what = not_set(&files[i + 1].0, &merged, &key);
                let error = InputError::in_key(&files[i].0, "unset", what);
                return Err(error.located_in(&files[i..=i]));
            }
        }
        tables::merge(&mut merged, table.clone());
        drop_idle(&mut merged, |key| tables::has(&table, key));
    }
    Ok((merged, files))
}

/// The keys that relate an agent file to others.
#[derive(Deserialize)]
struct LinkKeys {
    extends: Option<String>,
    unset: Option<Vec<String>>,
}

impl LinkKeys {
    /// Removes the keys from the table of a file.
    fn take(path: &Path, table: &mut Table) -> Result<Self, InputError> {
        let mut own = Table::new();
        for key in ["extends", "unset"] {
            own.extend(table.remove_entry(key));
        }
        let keys: Self = from_table(path, own)?;
        if keys.extends.is_none() && keys.unset.is_some() {
            let what = "requires the key extends";
            return Err(InputError::in_key(path, "unset", what));
        }
        Ok(keys)
    }
}

/// The file that a file extends, by its name or its path.
fn find(path: &Path, extends: &str) -> Result<PathBuf, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    if extends.contains('{') {
        return Err(format!(
            "'{extends}': expected the name of an agent without changes in braces; this file's own keys \
             are the changes"
        ));
    }
    if is_path(extends) {
        let base = folder.join(extends);
        return match shipped::is_file(&base) {
            true => Ok(base),
            false => Err(format!("there is no file {}", base.display())),
        };
    }
    let (here, shipped) = (AgentFolder::new(folder.to_owned()), AgentFolder::shipped());
    let mut bases = [here, shipped].into_iter();
    if let Some(base) = bases.find_map(|folder| folder.find_file(extends)) {
        return Ok(base);
    }
    let near = suggest(folder, extends);
    Err(format!(
        "there is no file {}, and no shipped agent {extends}{near}",
        folder.join(format!("{extends}.toml")).display()
    ))
}

/// Suggests the agent with the most similar name, in a folder or among the shipped agents.
fn suggest(folder: &Path, name: &str) -> String {
    let here = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let (here, shipped) = (AgentFolder::new(here.to_owned()), AgentFolder::shipped());
    let folders = [here.archive(), here, shipped.archive(), shipped];
    let files = folders.map(|folder| folder.files().unwrap_or_default());
    let mut names: Vec<&str> = (files.iter().flatten())
        .filter_map(|path| path.file_stem()?.to_str())
        .collect();
    names.sort_unstable();
    did_you_mean(name, names)
}

/// The next file of a chain, unless it is already in the chain or the chain is too long.
fn check_cycle(files: &[(PathBuf, String)], base: PathBuf) -> Result<PathBuf, String> {
    let same = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let real = same(&base);
    let Some(start) = files.iter().position(|(path, _)| same(path) == real) else {
        if files.len() == MAX_FILES {
            return Err(format!(
                "more than {MAX_FILES} files extend each other; expected at most {MAX_FILES}"
            ));
        }
        return Ok(base);
    };
    let paths = files[start..].iter().map(|(path, _)| path).chain([&base]);
    let stems = paths.map(|path| {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    });
    let chain = stems.collect::<Vec<_>>().join(" extends ");
    Err(format!("the files extend each other in a cycle: {chain}"))
}

/// The message for a key of `unset` that the extended files do not have.
fn not_set(base: &Path, merged: &Table, key: &str) -> String {
    let mut keys = Vec::new();
    nested_keys("", merged, &mut keys);
    let near = did_you_mean(key, keys.iter().map(String::as_str));
    format!("{} does not set {key}{near}", base.display())
}

/// All keys of a table, including those of nested tables.
fn nested_keys(before: &str, table: &Table, keys: &mut Vec<String>) {
    for (key, value) in table {
        let key = format!("{before}{key}");
        if let Value::Table(inner) = value {
            nested_keys(&format!("{key}."), inner, keys);
        }
        keys.push(key);
    }
}
