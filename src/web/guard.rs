//! Access control: requests must be for this host, from its own pages, and carry the token if there is one.

use std::net::{IpAddr, SocketAddr};

use super::request::{Method, Refusal, Request};

/// The name of the cookie that holds the token.
pub(super) const COOKIE: &str = "patchwork-arena-token";

/// The rules that a request must satisfy.
#[derive(Clone, Debug)]
pub struct WebGuard {
    address: SocketAddr,
    token: Option<String>,
}

impl WebGuard {
    /// The guard of a server at this address.
    #[must_use]
    pub const fn new(address: SocketAddr, token: Option<String>) -> Self {
        Self { address, token }
    }

    /// The token, if one is needed.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Checks the target host, the origin and the token of a request.
    ///
    /// # Errors
    /// The reason for refusing it.
    pub fn check(&self, request: &Request) -> Result<(), Refusal> {
        let host = request.header("host").ok_or(Refusal::Host)?;
        if !self.is_here(host) {
            return Err(Refusal::Host);
        }
        let own = format!("http://{host}");
        match request.header("origin") {
            Some(origin) if origin != own => return Err(Refusal::Origin),
            // Browsers send the origin with every request that changes something.
            None if request.method == Method::Post => return Err(Refusal::Origin),
            _ => {}
        }
        let site = request.header("sec-fetch-site");
        let is_navigation =
            request.header("sec-fetch-mode") == Some("navigate") && request.method == Method::Get;
        if !site.is_none_or(|site| site == "same-origin" || site == "none") && !is_navigation {
            return Err(Refusal::Origin);
        }
        match &self.token {
            Some(token) if !shows(request, token) => Err(Refusal::Token),
            _ => Ok(()),
        }
    }

    /// Whether a Host header names this server. Only addresses are accepted: another site may have pointed a
    /// host name here.
    fn is_here(&self, host: &str) -> bool {
        let port = self.address.port();
        if let Ok(named) = host.parse::<SocketAddr>() {
            let is_own = named.ip() == self.address.ip()
                || named.ip().is_loopback() && self.address.ip().is_loopback()
                || self.address.ip().is_unspecified();
            return named.port() == port && is_own;
        }
        if port == 80
            && let Ok(named) = host.trim_matches(['[', ']']).parse::<IpAddr>()
        {
            return named == self.address.ip() || self.address.ip().is_unspecified();
        }
        let own = format!("localhost:{port}");
        let is_local = self.address.ip().is_loopback() || self.address.ip().is_unspecified();
        is_local && host.eq_ignore_ascii_case(&own)
    }
}

/// Whether a request has the token, in its address or in a cookie.
fn shows(request: &Request, token: &str) -> bool {
    let given = [
        request.query.get("token").map(String::as_str),
        request.cookie(COOKIE),
    ];
    given
        .into_iter()
        .flatten()
        .any(|given| is_equal(given, token))
}

/// Compares in a time that does not depend on the position of the first difference.
fn is_equal(given: &str, token: &str) -> bool {
    let pairs = given.bytes().zip(token.bytes());
    let differences = pairs.fold(0, |differences, (a, b)| differences | (a ^ b));
    differences == 0 && given.len() == token.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(address: &str, token: Option<&str>, request: &str) -> Result<(), Refusal> {
        let guard = WebGuard::new(
            address.parse().expect("an address"),
            token.map(str::to_owned),
        );
        let request = Request::parse(request.as_bytes()).expect("a request");
        guard.check(&request.expect("whole"))
    }

    #[test]
    fn only_this_host_and_its_own_pages_are_heard() {
        let get = |headers: &str| {
            let request = format!("GET / HTTP/1.1\r\n{headers}\r\n\r\n");
            check("127.0.0.1:7878", None, &request)
        };
        assert_eq!(get("Host: 127.0.0.1:7878"), Ok(()));
        assert_eq!(get("Host: localhost:7878"), Ok(()));
        assert_eq!(get("Host: [::1]:7878"), Ok(()));
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:7878",
            "192.168.0.1:7878",
            "",
        ] {
            assert_eq!(get(&format!("Host: {host}")), Err(Refusal::Host), "{host}");
        }
        assert_eq!(get("X: y"), Err(Refusal::Host));
        let own = "Host: 127.0.0.1:7878\r\nOrigin: http://127.0.0.1:7878";
        assert_eq!(get(own), Ok(()));
        for origin in [
            "null",
            "http://localhost:7878",
            "https://127.0.0.1:7878",
            "http://evil",
        ] {
            let headers = format!("Host: 127.0.0.1:7878\r\nOrigin: {origin}");
            assert_eq!(get(&headers), Err(Refusal::Origin), "{origin}");
        }
        let from = |site: &str, mode: &str| {
            get(&format!(
                "Host: 127.0.0.1:7878\r\nSec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}"
            ))
        };
        assert_eq!(from("same-origin", "cors"), Ok(()));
        assert_eq!(from("cross-site", "navigate"), Ok(()), "a link");
        assert_eq!(
            from("cross-site", "no-cors"),
            Err(Refusal::Origin),
            "an image"
        );
        let post = "POST / HTTP/1.1\r\nHost: 127.0.0.1:7878\r\n\r\n";
        assert_eq!(check("127.0.0.1:7878", None, post), Err(Refusal::Origin));
    }

    #[test]
    fn a_token_is_asked_for_where_there_is_one() {
        let get = |path: &str, more: &str| {
            let request = format!("GET {path} HTTP/1.1\r\nHost: 10.0.0.5:7878\r\n{more}\r\n");
            check("0.0.0.0:7878", Some("secret"), &request)
        };
        assert_eq!(get("/", ""), Err(Refusal::Token));
        assert_eq!(get("/?token=secre", ""), Err(Refusal::Token));
        assert_eq!(get("/?token=secret2", ""), Err(Refusal::Token));
        assert_eq!(get("/?token=secret", ""), Ok(()));
        let cookie = format!("Cookie: a=b; {COOKIE}=secret\r\n");
        assert_eq!(get("/", &cookie), Ok(()));
        let named = "GET /?token=secret HTTP/1.1\r\nHost: evil.example:7878\r\n\r\n";
        assert_eq!(
            check("0.0.0.0:7878", Some("secret"), named),
            Err(Refusal::Host)
        );
    }
}
