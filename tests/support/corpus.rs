//! The kept inputs of fuzz targets.

use std::fs;
use std::path::Path;

use super::program::PROJECT;

/// Runs a target over its corpus.
pub(crate) fn replay(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(PROJECT).join("fuzz/corpus").join(target);
    let files = fs::read_dir(folder).expect("a corpus");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{target} has no corpus");
    for path in paths {
        // The last name printed is that of the input that fails.
        println!("{}", path.display());
        check(&fs::read(path).expect("readable"));
    }
}
