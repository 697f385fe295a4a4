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
    /// Names of this server besides localhost.
    names: Vec<String>,
}

impl WebGuard {
    /// The guard of a server at this address.
    pub const fn new(address: SocketAddr, token: Option<String>) -> Self {
        Self {
            address,
            token,
            names: Vec::new(),
        }
    }

    /// The guard of a server that also has these names, for example behind a proxy.
    pub fn with_names(self, names: Vec<String>) -> Self {
        Self { names, ..self }
    }

    /// The token, if one is needed.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Checks the target host, the origin and the token of a request.
    pub fn check(&self, request: &Request) -> Result<(), Refusal> {
        let host = request.header("host").ok_or(Refusal::Host)?;
        if !self.is_here(host) {
            return Err(Refusal::Host);
        }
        // A proxy may speak TLS for a name.
        let own = |origin: &str| match origin.strip_prefix("http://") {
            Some(from) => from == host,
            None => ip(host).is_none() && origin.strip_prefix("https://") == Some(host),
        };
        match request.header("origin") {
            Some(origin) if !own(origin) => return Err(Refusal::Origin),
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

    /// Whether a Host header names this server, with any port: it may be behind a tunnel or in a container. Another site
    /// may have pointed a name here, so that a name must be known, or the request must show a token.
    fn is_here(&self, host: &str) -> bool {
        let own = self.address.ip();
        let is_local = own.is_loopback() || own.is_unspecified();
        if let Some(named) = ip(host) {
            return named == own || own.is_unspecified() || named.is_loopback() && is_local;
        }
        let name = host.split(':').next().unwrap_or_default();
        let is_known = |known: &String| name.eq_ignore_ascii_case(known);
        !name.is_empty()
            && (self.token.is_some()
                || is_local && name.eq_ignore_ascii_case("localhost")
                || self.names.iter().any(is_known))
    }
}

/// The address in a Host header, with or without a port.
fn ip(host: &str) -> Option<IpAddr> {
    let with_port = host.parse::<SocketAddr>().map(|named| named.ip());
    with_port
        .or_else(|_| host.trim_matches(['[', ']']).parse())
        .ok()
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
        // Through a tunnel or from a container's port.
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost:9000",
            "LOCALHOST",
            "[::1]:9000",
        ] {
            assert_eq!(get(&format!("Host: {host}")), Ok(()), "{host}");
        }
        for host in [
            "localhost.evil.example:7878",
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
        // Only with the token, a name may be any: whoever pointed it here does not know the token.
        let named = |query: &str| {
            let text = format!("GET /{query} HTTP/1.1\r\nHost: myserver.local:7878\r\n\r\n");
            let shown = check("0.0.0.0:7878", Some("secret"), &text);
            let open = check("0.0.0.0:7878", None, &text);
            (shown, open)
        };
        assert_eq!(named("?token=secret"), (Ok(()), Err(Refusal::Host)));
        assert_eq!(named("").0, Err(Refusal::Token));
    }

    #[test]
    fn a_name_is_accepted_where_it_is_given() {
        let address = "127.0.0.1:7878".parse().expect("an address");
        let guard = WebGuard::new(address, None).with_names(vec!["arena.example".to_owned()]);
        let check = |host: &str, origin: &str| {
            let text = format!("GET / HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\r\n");
            guard.check(
                &Request::parse(text.as_bytes())
                    .expect("a request")
                    .expect("whole"),
            )
        };
        for scheme in ["http", "https"] {
            assert_eq!(
                check("Arena.example", &format!("{scheme}://Arena.example")),
                Ok(())
            );
        }
        assert_eq!(
            check("arena.example:80", "https://evil.example"),
            Err(Refusal::Origin)
        );
        assert_eq!(
            check("other.example", "http://other.example"),
            Err(Refusal::Host)
        );
    }
}
