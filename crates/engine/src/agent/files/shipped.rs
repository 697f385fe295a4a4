//! The shipped agents, built into the program as a folder that always exists.

use std::path::Path;

use crate::util::InputError;
use crate::util::config;

/// Replaces the folder in the paths of shipped agents.
pub(super) const FOLDER: &str = "<shipped>";

/// The folder inside a folder of agents that has frozen versions: found by their names, but not listed and not matched by
/// patterns.
pub(super) const ARCHIVE: &str = "archive";

/// Declares the files of `agents/` and `agents/archive/` that are built in.
macro_rules! shipped {
    ($($name:literal,)+ archive: $($frozen:literal,)+) => {
        /// The shipped agents in order of name, each with the text of its file.
        pub const SHIPPED: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../../agents/", $name, ".toml"))),)+
        ];

        /// The frozen versions in order of name, each with the text of its file.
        const ARCHIVED: &[(&str, &str)] = &[
            $(($frozen, include_str!(concat!("../../../agents/archive/", $frozen, ".toml"))),)+
        ];
    };
}

shipped! {
    "alpha-beta",
    "champion",
    "champion-1-at-30",
    "cheap-cheap",
    "cheap-expensive",
    "expensive-cheap",
    "expensive-expensive",
    "flat-greedy",
    "flat-uniform",
    "greedy-beam",
    "greedy-inorder",
    "greedy-regret",
    "mcts-estimate",
    "mcts-fast",
    "mcts-margin",
    "mcts-regret",
    "mcts-regret-wide",
    "mcts-uniform",
    "random",
    archive:
    "champion-1",
    "champion-1000",
    "champion-2",
    "champion-3",
    "mcts-estimate-1",
    "mcts-fast-1",
    "mcts-margin-1",
    "mcts-regret-1",
    "mcts-regret-wide-1",
}

/// The built-in agents of a folder in order of name, each with the text of its file, if the folder is one that is built in.
pub(super) fn agents(folder: &Path) -> Option<&'static [(&'static str, &'static str)]> {
    match folder.strip_prefix(FOLDER).ok()? {
        inside if inside == Path::new("") => Some(SHIPPED),
        inside if inside == Path::new(ARCHIVE) => Some(ARCHIVED),
        _ => None,
    }
}

/// The text of a shipped agent, if the path is the path of one.
fn text(path: &Path) -> Option<&'static str> {
    let file = path.file_name()?.to_str()?.strip_suffix(".toml")?;
    let mut agents = agents(path.parent()?)?.iter();
    agents
        .find(|(name, _)| *name == file)
        .map(|(_, text)| *text)
}

/// Whether there is an agent file with this path, on the disk or built in.
pub(super) fn is_file(path: &Path) -> bool {
    text(path).is_some() || path.is_file()
}

/// Reads an agent file from the disk, or one that is built in.
pub(super) fn read(path: &Path) -> Result<String, InputError> {
    text(path).map_or_else(|| config::read_text(path), |text| Ok(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use twox_hash::XxHash3_64;

    use crate::agent::{AgentFile, AgentFolder};

    #[test]
    fn every_file_of_agents_is_built_in() {
        let folder = AgentFolder::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("agents"));
        let shipped = AgentFolder::shipped();
        let stems = |files: &[PathBuf]| -> Vec<String> {
            let stem = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
            files.iter().map(stem).collect()
        };
        for (folder, built_in) in [(folder.archive(), shipped.archive()), (folder, shipped)] {
            let files = folder.files().expect("the folder");
            let built_in = built_in.files().expect("built in");
            assert_eq!(stems(&files), stems(&built_in));
            for (file, built_in) in files.iter().zip(&built_in) {
                assert_eq!(read(file).expect("a file"), read(built_in).expect("a text"));
                assert!(is_file(built_in));
            }
        }
        assert!(!is_file(&Path::new(FOLDER).join("no-such.toml")));
    }

    #[test]
    fn the_quickstart_has_the_first_champion_at_30_iterations() {
        let canonical = |name: &str, change: &str| {
            let path = AgentFolder::shipped().find(name).expect("an agent");
            let agent = AgentFile::read(&path).expect("an agent");
            let agent = agent.variant(&change.parse().expect("overrides"));
            agent.expect("a variant").config.canonical()
        };
        assert_eq!(
            canonical("champion-1-at-30", ""),
            canonical("champion-1", "budget.milliseconds=,budget.iterations=30")
        );
    }

    /// Ratings against a former agent stay comparable.
    #[test]
    fn former_agents_stay_what_they_were() {
        let hash = |name: &str| {
            let path = AgentFolder::shipped().find(name).expect("an agent");
            let agent = AgentFile::read(&path).expect("an agent");
            XxHash3_64::oneshot(agent.config.canonical().as_bytes())
        };
        let expected: [(&str, u64); 8] = [
            ("champion-1", 0xa1ba_61fc_c032_6b88),
            ("champion-2", 0x3938_421c_bce9_b8b1),
            ("champion-3", 0xbbb4_9d51_6c32_08ab),
            ("mcts-estimate-1", 0x570a_ae80_24f3_0959),
            ("mcts-fast-1", 0x3674_62a3_6f74_622b),
            ("mcts-margin-1", 0x10cb_ce0c_2eff_b55c),
            ("mcts-regret-1", 0x1e8d_5a20_8295_58da),
            ("mcts-regret-wide-1", 0xfd78_6662_bf94_8e16),
        ];
        for (name, expected) in expected {
            assert_eq!(hash(name), expected, "{name}");
        }
    }
}
