//! The fuzz targets and what they found: every input of the kept corpus (`fuzz/corpus.tar`) passes its target.

use patchwork_test_support::corpus::replay;

macro_rules! targets {
    ($($target:ident: $path:literal;)*) => {
        $(
            #[path = $path]
            mod $target;

            #[test]
            fn $target() {
                replay(stringify!($target), $target::check);
            }
        )*
    };
}

targets! {
    configuration: "../fuzz/fuzz_targets/configuration.rs";
    games_as_text: "../fuzz/fuzz_targets/games_as_text.rs";
    http: "../fuzz/fuzz_targets/http.rs";
    nets: "../fuzz/fuzz_targets/nets.rs";
    notation: "../fuzz/fuzz_targets/notation.rs";
    optimiser: "../fuzz/fuzz_targets/optimiser.rs";
    protocol: "../fuzz/fuzz_targets/protocol.rs";
    store: "../fuzz/fuzz_targets/store.rs";
}
