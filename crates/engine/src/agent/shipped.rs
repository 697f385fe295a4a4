//! The shipped agents, built into the program as a folder that always exists.

use std::path::{Path, PathBuf};

use crate::util::InputError;
use crate::util::config;

/// Replaces the folder in the paths of shipped agents.
pub(super) const FOLDER: &str = "<shipped>";

/// Declares the files of `agents/` that are built in.
macro_rules! shipped {
    ($($(#[$condition:meta])? $name:literal,)+) => {
        /// The shipped agents in order of name, each with the text of its file.
        pub const SHIPPED: &[(&str, &str)] = &[
            $($(#[$condition])? ($name, include_str!(concat!("../../agents/", $name, ".toml"))),)+
        ];

        /// The names of those that are not built into WebAssembly.
        pub const NATIVE: &[&str] = &[
            $($({
                const _: &str = stringify!($condition);
                $name
            },)?)+
        ];
    };
}

shipped! {
    "alpha-beta",
    "champion",
    "champion-1",
    "champion-1000",
    // A browser compares no agents of former versions and of the quickstart, and has no former networks.
    #[cfg(not(target_family = "wasm"))]
    "champion-2",
    #[cfg(not(target_family = "wasm"))]
    "champion-3",
    #[cfg(not(target_family = "wasm"))]
    "champion-30",
    #[cfg(not(target_family = "wasm"))]
    "cheap-cheap",
    #[cfg(not(target_family = "wasm"))]
    "cheap-expensive",
    #[cfg(not(target_family = "wasm"))]
    "expensive-cheap",
    #[cfg(not(target_family = "wasm"))]
    "expensive-expensive",
    "flat-greedy",
    "flat-uniform",
    "greedy-beam",
    "greedy-inorder",
    "greedy-regret",
    "mcts-estimate",
    #[cfg(not(target_family = "wasm"))]
    "mcts-estimate-1",
    "mcts-fast",
    #[cfg(not(target_family = "wasm"))]
    "mcts-fast-1",
    "mcts-margin",
    #[cfg(not(target_family = "wasm"))]
    "mcts-margin-1",
    "mcts-regret",
    #[cfg(not(target_family = "wasm"))]
    "mcts-regret-1",
    "mcts-regret-wide",
    #[cfg(not(target_family = "wasm"))]
    "mcts-regret-wide-1",
    "mcts-uniform",
    "random",
}

pub(super) fn path(name: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{name}.toml"))
}

/// The text of a shipped agent, if the path is the path of one.
fn text(path: &Path) -> Option<&'static str> {
    let file = path.strip_prefix(FOLDER).ok()?;
    let (_, text) = SHIPPED
        .iter()
        .find(|(name, _)| file == Path::new(&format!("{name}.toml")))?;
    Some(text)
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
    use super::*;
    use twox_hash::XxHash3_64;

    use crate::agent::{AgentFile, AgentFolder};

    #[test]
    fn every_file_of_agents_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
        let files = AgentFolder::new(folder).files().expect("the folder");
        let stems = |files: &[PathBuf]| -> Vec<String> {
            let stem = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
            files.iter().map(stem).collect()
        };
        let built_in = AgentFolder::shipped().files().expect("built in");
        assert_eq!(stems(&files), stems(&built_in));
        for (file, built_in) in files.iter().zip(&built_in) {
            assert_eq!(read(file).expect("a file"), read(built_in).expect("a text"));
            assert!(is_file(built_in));
        }
        assert!(!is_file(&path("no-such")));
    }

    /// Ratings against a former agent stay comparable.
    #[test]
    fn former_agents_stay_what_they_were() {
        let hash = |name: &str| {
            let agent = AgentFile::read(&path(name)).expect("an agent");
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
