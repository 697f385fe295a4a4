//! Settings keep their canonical form, which identifies agents: rings, random streams and so games follow from its hash.

use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use patchwork_engine::agent::AgentSettings;
use twox_hash::XxHash3_64;

/// Hashes, settings and canonical forms of a former version, as the program made them before keys had versions: the
/// shipped agents, then 1,000 settings with random keys of all kinds.
const KEPT: &[u8] = include_bytes!("data/identities.tsv.gz");

#[test]
fn settings_have_the_canonical_form_of_former_versions() {
    patchwork_bots::register();
    let mut rows = String::new();
    let mut unpacked = GzDecoder::new(KEPT);
    unpacked.read_to_string(&mut rows).expect("gzip");
    for row in rows.lines() {
        let [hash, settings, canonical] =
            [0, 1, 2].map(|at| row.split('\t').nth(at).expect("a column"));
        let table: toml::Table = serde_json::from_str(settings).expect("settings");
        let read = AgentSettings::from_table(Path::new(""), table);
        let found = read
            .unwrap_or_else(|wrong| panic!("{settings}: {wrong}"))
            .canonical();
        let canonical: String = serde_json::from_str(canonical).expect("a text");
        assert_eq!(found, canonical, "{settings}");
        assert_eq!(
            format!("{:016x}", XxHash3_64::oneshot(found.as_bytes())),
            hash,
            "{settings}"
        );
    }
    assert_eq!(rows.lines().count(), 1028);
}
