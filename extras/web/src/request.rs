//! HTTP requests, with limits on every part.

use std::collections::HashMap;
use std::io;

use patchwork_engine::util::InputError;
use patchwork_tournament::TournamentError;

/// Maximum size of the head of a request: its first line and headers.
pub const MAX_HEAD: usize = 16 << 10;
/// Maximum size of the body of a request.
pub const MAX_BODY: usize = 16 << 10;
const MAX_HEADERS: usize = 64;

/// The method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Read something.
    Get,
    /// Change something.
    Post,
}

/// A complete request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What to do.
    pub method: Method,
    /// Whether only the head of the answer is asked for.
    pub head_only: bool,
    /// The decoded parts of the path; none is empty, `.` or `..`, and none contains a path separator.
    pub path: Vec<String>,
    /// The values after the question mark, decoded; those of a name that is given several times with commas between them.
    pub query: HashMap<String, String>,
    /// Headers by their names in lower case; a repeated header is refused.
    headers: HashMap<String, String>,
    /// The body; empty for [`Method::Get`].
    pub body: Vec<u8>,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not HTTP/1.1, or is malformed.
    #[error("the request cannot be understood")]
    Malformed,
    /// Neither GET, HEAD nor POST.
    #[error("only GET, HEAD and POST are supported")]
    Method,
    /// The head or the body is too large.
    #[error("the request is too large")]
    TooLarge,
    /// The Host header is not this server.
    #[error(
        "the request is for another host; expected localhost or an address of this server, a name given with --host, or a token"
    )]
    Host,
    /// A page of another site sent it.
    #[error("the request is from another origin")]
    Origin,
    /// The token is missing or wrong.
    #[error("a token is required: use the address that the program printed")]
    Token,
    /// There is nothing at this path.
    #[error("there is nothing here")]
    NotFound,
    /// It did not arrive in time.
    #[error("the request took too long")]
    Slow,
    /// The server has too many connections.
    #[error("too many connections")]
    Busy,
    /// It changes what somebody else has changed in the meantime.
    #[error(
        "somebody has changed it in the meantime; what is stored now is shown, and saving again replaces it"
    )]
    Conflict,
    /// What it asks for cannot be done; a sentence.
    #[error("{0}")]
    Mistake(String),
}

macro_rules! mistakes {
    ($($error:ty),+) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                Self::Mistake(error.to_string())
            }
        }
    )+};
}
mistakes! { &str, String, InputError, TournamentError, io::Error }

impl Refusal {
    /// The status of the response.
    pub const fn status(&self) -> &'static str {
        match self {
            Self::Malformed => "400 Bad Request",
            Self::Token => "401 Unauthorized",
            Self::Host | Self::Origin => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::Method => "405 Method Not Allowed",
            Self::Slow => "408 Request Timeout",
            Self::Conflict => "409 Conflict",
            Self::TooLarge => "413 Content Too Large",
            Self::Mistake(_) => "422 Unprocessable Content",
            Self::Busy => "503 Service Unavailable",
        }
    }
}

impl Request {
    /// Parses the bytes received so far; `None` if more are needed.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(httparse::Status::Complete(length)) if length <= MAX_HEAD => length,
            Ok(httparse::Status::Partial) if bytes.len() <= MAX_HEAD => return Ok(None),
            Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(Refusal::TooLarge),
            Err(_) => return Err(Refusal::Malformed),
        };
        let method = match head.method {
            Some("GET" | "HEAD") => Method::Get,
            Some("POST") => Method::Post,
            _ => return Err(Refusal::Method),
        };
        let head_only = head.method == Some("HEAD");
        let (path, query) = target(head.path.unwrap_or_default())?;
        let mut named = HashMap::new();
        for header in head.headers {
            let value = std::str::from_utf8(header.value).map_err(|_| Refusal::Malformed)?;
            let name = header.name.to_ascii_lowercase();
            if named.insert(name, value.trim().to_owned()).is_some() {
                return Err(Refusal::Malformed);
            }
        }
        if named.contains_key("transfer-encoding") {
            return Err(Refusal::Malformed);
        }
        let body: usize = match named.get("content-length") {
            None => 0,
            Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() => {
                text.parse().map_err(|_| Refusal::TooLarge)?
            }
            Some(_) => return Err(Refusal::Malformed),
        };
        if body > MAX_BODY {
            return Err(Refusal::TooLarge);
        }
        if method == Method::Get && body > 0 {
            return Err(Refusal::Malformed);
        }
        let Some(body) = bytes.get(length..length + body) else {
            return Ok(None);
        };
        Ok(Some(Self {
            method,
            head_only,
            path,
            query,
            headers: named,
            body: body.to_vec(),
        }))
    }

    /// The value of a header, given by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let cookies = self.header("cookie")?.split(';');
        let mut pairs = cookies.filter_map(|cookie| cookie.trim().split_once('='));
        pairs
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }
}

/// The decoded parts of the path, and the decoded query.
fn target(target: &str) -> Result<(Vec<String>, HashMap<String, String>), Refusal> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = path.strip_prefix('/').ok_or(Refusal::Malformed)?;
    let mut parts = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        let part = decoded(part, false)?;
        let leaves = part == "." || part == "..";
        if leaves || part.contains(['/', '\\', ':']) || part.chars().any(char::is_control) {
            return Err(Refusal::NotFound);
        }
        parts.push(part);
    }
    let mut values = HashMap::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = decoded(value, true)?;
        let known: &mut String = values.entry(decoded(name, true)?).or_default();
        *known += if known.is_empty() { "" } else { "," };
        *known += &value;
    }
    Ok((parts, values))
}

/// A text with its percent signs decoded.
fn decoded(text: &str, is_query: bool) -> Result<String, Refusal> {
    let mut bytes = text.bytes();
    let mut plain = Vec::new();
    while let Some(byte) = bytes.next() {
        plain.push(match byte {
            b'%' => {
                let mut digit = || {
                    let digit = bytes.next().map(char::from).and_then(|c| c.to_digit(16));
                    digit.ok_or(Refusal::Malformed)
                };
                (digit()? * 16 + digit()?) as u8
            }
            b'+' if is_query => b' ',
            byte => byte,
        });
    }
    String::from_utf8(plain).map_err(|_| Refusal::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::testing::rows;

    fn parse(text: &str) -> Result<Option<Request>, Refusal> {
        Request::parse(text.as_bytes())
    }

    #[test]
    fn requests_are_read_as_they_come() {
        let text = "POST /api/play?a=b%20c&d=+ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
        for end in 0..text.len() {
            assert_eq!(parse(&text[..end]), Ok(None), "{end}");
        }
        let request = parse(text).expect("a request").expect("whole");
        assert_eq!(request.method, Method::Post);
        assert_eq!(request.path, ["api", "play"]);
        assert_eq!(request.query["a"], "b c");
        assert_eq!(request.query["d"], " ");
        assert_eq!(request.header("host"), Some("x"));
        assert_eq!(request.body, b"abc");
        let request = parse("GET //a///b%C3%A4/ HTTP/1.1\r\nCookie: a=b; c=d\r\n\r\n");
        let request = request.expect("a request").expect("whole");
        assert_eq!(request.path, ["a", "bä"]);
        assert_eq!(
            (request.cookie("c"), request.cookie("x")),
            (Some("d"), None)
        );
    }

    #[test]
    fn what_is_not_taken_gets_its_refusal() {
        let table = "
            nonsense => Malformed
            GET / HTTP/9.9 => Malformed
            DELETE / HTTP/1.1 => Method
            GET http://x/ HTTP/1.1 => Malformed
            GET /%zz HTTP/1.1 => Malformed
            GET /%2 HTTP/1.1 => Malformed
            GET /%ff HTTP/1.1 => Malformed
            GET /a/../b HTTP/1.1 => NotFound
            GET /%2e%2e/b HTTP/1.1 => NotFound
            GET /..%2fb HTTP/1.1 => NotFound
            GET /..%5cb HTTP/1.1 => NotFound
            GET /c:%00 HTTP/1.1 => NotFound
            GET / HTTP/1.1 | Host: a | host: b => Malformed
            GET / HTTP/1.1 | Content-Length: 1 => Malformed
            POST / HTTP/1.1 | Content-Length: -1 => Malformed
            POST / HTTP/1.1 | Content-Length: 99999999999999999999999 => TooLarge
            POST / HTTP/1.1 | Content-Length: 16385 => TooLarge
            POST / HTTP/1.1 | Transfer-Encoding: chunked => Malformed";
        for [lines, refusal] in rows(table) {
            let refused = parse(&(lines.replace(" | ", "\r\n") + "\r\n\r\n")).expect_err(lines);
            assert_eq!(format!("{refused:?}"), refusal, "{lines}");
        }
        let long = format!("GET / HTTP/1.1\r\nA: {}", "x".repeat(MAX_HEAD));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(65));
        for text in [&*(long.clone() + "\r\n\r\n"), &long, &many] {
            assert_eq!(parse(text), Err(Refusal::TooLarge), "{text:.60}");
        }
    }
}
