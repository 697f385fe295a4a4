//! Messages of a fleet: tasks, outcomes and plans, as the other side would get them.
#![cfg_attr(not(test), no_main)]

use std::io::Write as _;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};
use patchwork_fleet::{FleetOutcome, FleetTask, decode_plan};
use patchwork_tournament::PlanFile;

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    // Plans can name programs.
    patchwork_bots::register();
    if let Ok(task) = FleetTask::decode(bytes) {
        assert_eq!(FleetTask::decode(&task.encode()).ok(), Some(task));
    }
    match FleetOutcome::decode(bytes) {
        Ok(outcome) => {
            let again = outcome.encode().expect("what was read fits a message");
            assert_eq!(FleetOutcome::decode(&again).ok(), Some(outcome));
        }
        Err(error) => assert!(!error.to_string().chars().any(char::is_control)),
    }
    let _ = decode_plan(bytes);
    let _ = PlanFile::from_json(Path::new("plan.json"), bytes);
    if bytes.first() == Some(&b'{') {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(bytes).expect("a vector takes all");
        let _ = decode_plan(&packed.finish().expect("a vector takes all"));
    }
}
