//! The files of the board, as they are served and exported: what `build` has made of `page/` and of this crate.

use std::borrow::Cow;

/// A file.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its content, or the packed module if it is a script that carries one.
    bytes: &'static [u8],
    is_module: bool,
    /// The content packed with brotli, if a server can send it so.
    pub brotli: Option<&'static [u8]>,
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! asset {
    ($name:literal, $kind:ident, $file:literal, $is_module:literal, $brotli:expr) => {
        Asset {
            name: $name,
            kind: $kind,
            bytes: include_bytes!(concat!("../dist/", $file)),
            is_module: $is_module,
            brotli: $brotli,
        }
    };
}

/// All files of the board. The page is `index.html`.
pub const FILES: &[Asset] = &[
    asset!("index.html", HTML, "index.html", false, None),
    asset!("board.css", STYLE, "board.css", false, Some(STYLE_BROTLI)),
    asset!("board.js", SCRIPT, "board.js", false, Some(SCRIPT_BROTLI)),
    asset!("rules.js", SCRIPT, "rules.deflate", true, None),
    asset!("engine.js", SCRIPT, "engine.deflate", true, None),
];

const STYLE_BROTLI: &[u8] = include_bytes!("../dist/board.css.br");
const SCRIPT_BROTLI: &[u8] = include_bytes!("../dist/board.js.br");

/// A WebAssembly module as a server sends it, which takes fewer bytes than the script: its name, and its bytes, deflated
/// and packed with brotli.
pub type PackedModule = (&'static str, &'static [u8], &'static [u8]);

macro_rules! module {
    ($name:literal) => {
        (
            concat!($name, ".wasm"),
            include_bytes!(concat!("../dist/", $name, ".deflate")),
            include_bytes!(concat!("../dist/", $name, ".br")),
        )
    };
}

/// The modules: that of the rules, and that of the searches.
pub const MODULES: [PackedModule; 2] = [module!("rules"), module!("engine")];

/// The script of the viewer of games, for pages that carry their games.
pub const VIEWER_SCRIPT: &str = include_str!("../dist/viewer.js");

/// The style sheet of the viewer of games.
pub const VIEWER_STYLE: &str = include_str!("../dist/viewer.css");

/// Lets the browser ask for the script that carries the module at once.
const FROM_DISK: &str = "<link rel=\"preload\" href=\"rules.js\" as=\"script\">";
/// Instead of it, tells the page that a server is there, and the browser to ask for the module itself.
const SERVED: &str = "<meta name=\"patchwork-server\" content=\"1\">\n\
    <link rel=\"preload\" href=\"rules.wasm\" as=\"fetch\" type=\"application/wasm\" crossorigin>";

impl Asset {
    /// The content of the file.
    pub fn content(&self) -> Cow<'static, [u8]> {
        if !self.is_module {
            return Cow::Borrowed(self.bytes);
        }
        // A script also works from a disk, where a page cannot fetch a module.
        let module = base64(self.bytes);
        Cow::Owned(format!("globalThis.PATCHWORK_MODULE=\"{module}\";\n").into_bytes())
    }

    /// The content as a server sends it, which answers the page's requests.
    pub fn served(&self) -> Vec<u8> {
        match std::str::from_utf8(self.bytes) {
            Ok(text) if self.kind == HTML => text.replacen(FROM_DISK, SERVED, 1).into_bytes(),
            _ => self.content().into_owned(),
        }
    }
}

/// Bytes in base64 (RFC 4648) with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| {
            bits << 8 | usize::from(group.get(i).copied().unwrap_or(0))
        });
        for digit in 0..4 {
            text.push(if digit <= group.len() {
                char::from(DIGITS[bits >> (18 - 6 * digit) & 63])
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648, section 10.
    #[test]
    fn bytes_are_written_in_base64() {
        let texts = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        for (length, text) in texts.into_iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..length]), text);
        }
        assert_eq!(base64(&[0xfb, 0xef, 0xff]), "++//");
    }

    /// With the page itself, of which a server packs 0.7 kB.
    #[test]
    fn a_browser_loads_at_most_410_kilobytes_until_it_has_played() {
        let files = FILES.iter().filter_map(|file| file.brotli);
        let modules = MODULES.iter().map(|(_, _, brotli)| *brotli);
        let bytes: usize = files.chain(modules).map(<[u8]>::len).sum();
        assert!(bytes < 410_000, "{bytes}");
    }

    #[test]
    fn a_script_carries_its_module() {
        let file = FILES.iter().find(|file| file.name == "engine.js");
        let script = file.expect("a file").content();
        assert!(script.starts_with(b"globalThis.PATCHWORK_MODULE=\""));
        assert!(script.ends_with(b"\";\n"));
    }
}
