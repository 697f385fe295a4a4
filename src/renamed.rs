//! Subcommands that the program does not have: those of version 0.2 that have another form now, which get a sentence with
//! the new one until 0.4, and those that it was built without.

use std::ffi::OsString;

/// The old subcommands and options, and the new form. What has two words is a subcommand with one of its options.
const RENAMED: [(&str, &str); 18] = [
    ("plan", "run FILE --plan PLAN.json"),
    ("selfplay", "learn selfplay PLAN --output FILE"),
    ("replay", "analyze replay DIR GAME"),
    ("check-games", "verify FILE"),
    ("sprt", "rate --pairs A,B,C,D,E --sprt ELO0,ELO1"),
    ("packing", "paper packing"),
    ("puzzle", "paper puzzle"),
    ("characterize", "paper characterize"),
    ("perft", "bench perft DEPTH"),
    ("completions", "setup completions SHELL"),
    ("man", "setup man DIR"),
    ("cluster", "fleet"),
    ("merge", "import DIR... --into DIR"),
    ("pool", "import DIR... --into DIR"),
    ("analyze --results", "analyze DIR GAME --agent AGENT"),
    ("analyze --game", "analyze DIR GAME --agent AGENT"),
    ("report --html", "report DIR --output DIR/report.html"),
    ("bench --json", "bench --format json"),
];

/// A sentence about the first words of a command line that have another form now.
pub(super) fn sentence(words: impl Iterator<Item = OsString>) -> Option<String> {
    let words: Vec<String> = words
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let command = words.first()?;
    if let Some(sentence) = crate::not_built(command) {
        return Some(sentence);
    }
    let is_given = |old: &str| match old.split_once(' ') {
        None => command == old,
        Some((of, option)) => {
            let mut names = words.iter().map(|word| word.split('=').next());
            command == of && names.any(|name| name == Some(option))
        }
    };
    let (old, new) = RENAMED.iter().find(|(old, _)| is_given(old))?;
    Some(format!("`{old}` is now `patchwork-arena {new}`"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::Cli;

    fn told(line: &str) -> Option<String> {
        sentence(line.split(' ').map(OsString::from))
    }

    #[test]
    fn old_names_lead_to_subcommands_and_options_that_exist() {
        let is_built = |(_, new): &(_, &str)| {
            let name = new.split(' ').next().unwrap_or_default();
            crate::not_built(name).is_none()
        };
        for (old, new) in RENAMED.into_iter().filter(is_built) {
            assert!(
                told(&format!("x {old}")).is_some_and(|said| said.contains(new)),
                "{old}"
            );
            let mut command = &Cli::command();
            for word in new.split(' ').take_while(|word| !word.starts_with("--")) {
                if word.chars().all(|c| c.is_ascii_lowercase()) {
                    let inner = command.find_subcommand(word);
                    command = inner.unwrap_or_else(|| panic!("{new}: {word}"));
                }
            }
            for option in new.split(' ').filter_map(|word| word.strip_prefix("--")) {
                let mut known = command.get_arguments().filter_map(|arg| arg.get_long());
                assert!(known.any(|known| known == option), "{new}");
            }
            assert!(old.contains(' ') || Cli::command().find_subcommand(old).is_none());
        }
        assert_eq!(told("x report results/m"), None);
        assert_eq!(told("x"), None);
        assert!(told("x analyze --results=r").is_some_and(|said| said.contains("DIR GAME")));
    }

    /// The table goes with version 0.4.
    #[test]
    fn old_names_are_kept_until_0_4() {
        let version = env!("CARGO_PKG_VERSION");
        assert!(
            ["0.2.", "0.3."]
                .iter()
                .any(|kept| version.starts_with(kept))
        );
    }
}
