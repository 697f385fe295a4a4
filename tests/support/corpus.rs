//! The kept inputs of fuzz targets.

use std::fs;
use std::path::Path;

use crate::program::PROJECT;

/// The size of a block of an archive.
const BLOCK: usize = 512;

/// Runs a target over its folder of the corpus: an archive of plain files as `tar --format=ustar` writes it. Before each file,
/// there is a block with its name and its size in octal digits; the archive ends with zeros.
pub fn replay(target: &str, check: impl Fn(&[u8])) {
    let path = Path::new(PROJECT).join("fuzz/corpus.tar");
    let archive = fs::read(path).expect("a corpus");
    let folder = format!("{target}/");
    let (mut rest, mut inputs) = (&archive[..], 0);
    while let Some((head, files)) = rest
        .split_at_checked(BLOCK)
        .filter(|(head, _)| head[0] != 0)
    {
        let text = |range| {
            str::from_utf8(&head[range])
                .expect("ASCII")
                .trim_matches('\0')
        };
        let size = usize::from_str_radix(text(124..136).trim(), 8).expect("octal digits");
        let name = text(0..100);
        if name.starts_with(&folder) {
            // The last name printed is that of the input that fails.
            println!("{name}");
            check(&files[..size]);
            inputs += 1;
        }
        rest = &files[size.next_multiple_of(BLOCK)..];
    }
    assert!(inputs > 0, "{target} has no corpus");
}
