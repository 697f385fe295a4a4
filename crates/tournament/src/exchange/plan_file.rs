//! A plan as a file: everything that a machine needs to play a tournament's games, including the agents.

use std::path::Path;

use patchwork_engine::util::{InputError, limits};
use serde::{Deserialize, Serialize};

use super::game_times::GameTimes;
use crate::planning::identity::PLAY;
use crate::planning::manifest::{Manifest, check_folder_name, hex};
use crate::playing::results::Results;
use crate::playing::schedule::Schedule;

/// The contents of a plan file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// Number of games; the maximum if a test may end pairings early.
    pub games: u64,
    /// Number of pairs; a maximum in the same case.
    pub pairs: u64,
    /// Estimated time of all games on one core in seconds, if any game has been timed.
    pub core_seconds: Option<f64>,
    /// The name, the version of play, the plan and its hash.
    pub manifest: Manifest,
}

impl PlanFile {
    /// The plan of a tournament. Times are estimated from the games in its folder, if there are any.
    ///
    /// # Errors
    /// When the folder exists and cannot be used for this tournament.
    pub fn new(manifest: Manifest, dir: &Path) -> Result<Self, InputError> {
        let results = Results::preview(dir, &manifest)?;
        let times = GameTimes::of(&results.games)?;
        let all = Schedule::new(&results.manifest.plan);
        let time = times.games(all.missing());
        Ok(Self {
            core_seconds: time.map(|time| time.as_secs_f64()),
            ..Self::of(manifest)
        })
    }

    /// The plan of a manifest, without an estimate of the time.
    pub fn of(manifest: Manifest) -> Self {
        let games = manifest.plan.game_count() as u64;
        Self {
            games,
            pairs: games / 2,
            core_seconds: None,
            manifest,
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).expect("a plan has only plain values");
        json.push(b'\n');
        json
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, is not a plan file, has been changed, or has another version of play.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let text = limits::PLAN
            .read_text(path)
            .map_err(|error| InputError::in_file(path, format!("cannot be read: {error}")))?;
        Self::from_json(path, text.as_bytes())
    }

    /// Parses the text of a file; the path is used in messages.
    pub fn from_json(path: &Path, bytes: &[u8]) -> Result<Self, InputError> {
        let name = path.display();
        let broken = |what: String| {
            InputError::new(format!(
                "{name}: {what}; write it again with `patchwork-arena run --plan`"
            ))
        };
        let not_a_plan =
            |error: &dyn std::error::Error| broken(format!("not a plan file: {error}"));
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut json = serde_json::Deserializer::from_slice(bytes);
        let file: Self =
            serde_path_to_error::deserialize(&mut json).map_err(|error| not_a_plan(&error))?;
        json.end().map_err(|error| not_a_plan(&error))?;
        let manifest = &file.manifest;
        if manifest.play != hex(PLAY) {
            return Err(InputError::new(format!(
                "{name}: version {} wrote it, whose version of play is {}, and this program has {}: its agents play \
                 differently; all machines need the same version",
                manifest.version,
                manifest.play,
                hex(PLAY)
            )));
        }
        if !manifest.is_intact() {
            let what = "the plan does not match the plan_hash beside it";
            return Err(broken(what.to_owned()));
        }
        // The matches of a tuning have their folders in its own.
        let mut parts = manifest.name.split('/');
        if !parts.all(|part| check_folder_name(part).is_ok()) {
            check_folder_name(&manifest.name).map_err(|what| broken(format!("name: {what}")))?;
        }
        Ok(file)
    }

    /// The manifest of the tournament. Its games count as played by this version of the program, which plays the same.
    pub fn tournament(self) -> Manifest {
        Manifest::new(self.manifest.name, self.manifest.plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use crate::testing::plan;

    fn text() -> String {
        let plan = plan(&["a", "b", "c"], Format::RoundRobin, 2).unwrap();
        let manifest = Manifest::new("t".to_owned(), plan);
        let file = PlanFile::new(manifest, Path::new("no-such-folder")).unwrap();
        assert_eq!((file.games, file.pairs), (12, 6));
        // Nothing has been timed.
        assert_eq!(file.core_seconds, None);
        String::from_utf8(file.to_json()).unwrap()
    }

    fn read(text: &str) -> Result<PlanFile, String> {
        PlanFile::from_json(Path::new("p.json"), text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let text = text();
        let file = read(&text).unwrap();
        assert_eq!(String::from_utf8(file.to_json()).unwrap(), text);
    }

    #[test]
    fn changed_files_are_refused() {
        let text = text();
        let play = hex(PLAY);
        for (old, new, expected) in [
            (
                "\"seed\": 7",
                "\"seed\": 8",
                "p.json: the plan does not match the plan_hash",
            ),
            (
                "\"pairs\": 6",
                "\"pairs\": 6, \"x\": 1",
                "p.json: not a plan file: x: unknown field `x`",
            ),
            (
                "\"name\": \"t\"",
                "\"name\": \"../t\"",
                "p.json: name: '../t' cannot name",
            ),
            ("\"manifest\"", "\"manifesto\"", "p.json: not a plan file: "),
            (
                &play,
                "0123456789abcdef",
                "whose version of play is 0123456789abcdef",
            ),
        ] {
            assert!(text.contains(old), "{old}");
            let error = read(&text.replacen(old, new, 1)).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert!(read("").is_err());
        assert!(read(&(text + "{}")).is_err());
        let error = PlanFile::read(Path::new("no-such-file")).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("no-such-file: cannot be read")
        );
    }
}
