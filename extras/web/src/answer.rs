//! Answers, and how they are sent.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use flate2::write::GzEncoder;

use super::request::Request;

/// Sends an event to a client.
pub type Tell<'a> = &'a mut dyn FnMut(&str) -> io::Result<()>;

/// An answer to a request.
pub enum Answer {
    /// A page, data or a file. Browsers keep it, and ask whether it has changed.
    File(Arc<PackedFile>),
    /// A redirect to another address.
    Redirect(&'static str),
    /// Sends events to a client until the client leaves or the server stops.
    Events(Box<dyn FnOnce(Tell<'_>) -> io::Result<()> + Send>),
}

/// A file as it is sent.
pub struct PackedFile {
    kind: &'static str,
    /// What its page may load.
    policy: &'static str,
    plain: Vec<u8>,
    /// By their names, the encodings of the content; the smallest first.
    packed: Vec<(&'static str, Vec<u8>)>,
    /// Differs between contents.
    tag: String,
}

impl PackedFile {
    /// Packs a page or its data.
    pub fn new(kind: &'static str, plain: Vec<u8>) -> Self {
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        let gzip = gzip.write_all(&plain).and_then(|()| gzip.finish());
        let gzip = gzip.map(|bytes| ("gzip", bytes));
        let mut sum = flate2::Crc::new();
        sum.update(&plain);
        Self {
            kind,
            packed: gzip.into_iter().collect(),
            tag: format!("\"{:08x}\"", sum.sum()),
            policy: POLICY,
            plain,
        }
    }

    /// Packs a file of the board, whose page may load less than others, and which may be packed with brotli.
    pub fn of_board(kind: &'static str, plain: Vec<u8>, brotli: Option<&[u8]>) -> Self {
        let mut file = Self::new(kind, plain);
        file.policy = BOARD_POLICY;
        let brotli = brotli.map(|bytes| ("br", bytes.to_vec()));
        file.packed.splice(0..0, brotli);
        file
    }

    /// A WebAssembly module that is deflated, and packed with brotli.
    pub fn module(deflated: &[u8], brotli: &[u8]) -> Self {
        let mut plain = Vec::new();
        let unpacked = DeflateDecoder::new(deflated).read_to_end(&mut plain);
        unpacked.expect("the module of this program is whole");
        Self::of_board("application/wasm", plain, Some(brotli))
    }

    pub(super) fn send(&self, stream: &TcpStream, request: &Request) -> io::Result<()> {
        let more = format!(
            "ETag: {}\r\nVary: Accept-Encoding\r\nCache-Control: private, no-cache\r\n",
            self.tag
        );
        let head = |status, more: &str| head(stream, status, self.kind, self.policy, more);
        let has = |name, what: &str| request.header(name).is_some_and(|text| text.contains(what));
        if has("if-none-match", &self.tag) {
            return head("304 Not Modified", &more);
        }
        let mut packed = self.packed.iter();
        let (more, bytes) = match packed.find(|(name, _)| has("accept-encoding", name)) {
            Some((name, bytes)) => (format!("Content-Encoding: {name}\r\n{more}"), bytes),
            None => (more, &self.plain),
        };
        let length = bytes.len();
        head("200 OK", &format!("Content-Length: {length}\r\n{more}"))?;
        body(stream, bytes, request.head_only)
    }
}

/// What pages may load: only resources of this server.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; \
                      base-uri 'none'; form-action 'self'";
/// What the board may load besides: nothing inline, the engine as WebAssembly, and its worker.
const BOARD_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                            img-src 'self' data:; connect-src 'self'; worker-src blob:; frame-ancestors 'none'; \
                            base-uri 'none'; form-action 'none'";

/// Sends the body of an answer, if it is asked for.
pub(super) fn body(mut stream: &TcpStream, bytes: &[u8], head_only: bool) -> io::Result<()> {
    if !head_only {
        stream.write_all(bytes)?;
    }
    stream.flush()
}

/// Sends the head of an answer; `more` has headers, each with its end.
pub(super) fn head(
    mut stream: &TcpStream,
    status: &str,
    kind: &str,
    policy: &str,
    more: &str,
) -> io::Result<()> {
    let text = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: {kind}\r\n{more}\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: {policy}\r\n\r\n"
    );
    stream.write_all(text.as_bytes())
}
