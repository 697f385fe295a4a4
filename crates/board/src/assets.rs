//! The files of the board, as they are served and exported: what `build` has made of `page/` and of this crate.

/// A file.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! files {
    ($($name:literal: $kind:ident,)+) => {
        /// All files of the board. The page is `index.html`.
        pub const FILES: &[Asset] = &[$(Asset {
            name: $name,
            kind: $kind,
            bytes: include_bytes!(concat!("../dist/", $name)),
        },)+];
    };
}

files! {
    "index.html": HTML,
    "board.css": STYLE,
    "board.js": SCRIPT,
    "engine.js": SCRIPT,
    "engine-simd.js": SCRIPT,
}

/// The script of the viewer of games, for pages that carry their games.
pub const VIEWER_SCRIPT: &str = include_str!("../dist/viewer.js");

/// The style sheet of the viewer of games.
pub const VIEWER_STYLE: &str = include_str!("../dist/viewer.css");

/// Tells the page that a server is there.
const SERVED: &str = "<meta name=\"patchwork-server\" content=\"1\">\n</head>";

impl Asset {
    /// The content as a server sends it, which answers the page's requests.
    #[must_use]
    pub fn served(&self) -> Vec<u8> {
        match std::str::from_utf8(self.bytes) {
            Ok(text) if self.kind == HTML => text.replacen("</head>", SERVED, 1).into_bytes(),
            _ => self.bytes.to_vec(),
        }
    }
}
