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
    /// The guard of a server at this address, which also has these names, for example behind a proxy.
    pub const fn new(address: SocketAddr, token: Option<String>, names: Vec<String>) -> Self {
        Self {
            address,
            token,
            names,
        }
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
    use patchwork_engine::testing::rows;

    /// What is answered to the requests of a table, which has bars between their lines.
    fn check(address: &str, token: Option<&str>, table: &str) {
        let address = address.parse().expect("an address");
        let names = vec!["arena.example".to_owned()];
        let guard = WebGuard::new(address, token.map(str::to_owned), names);
        for [lines, answer] in rows(table) {
            let text = lines
                .replacen(" |", " HTTP/1.1 |", 1)
                .replace(" | ", "\r\n")
                + "\r\n\r\n";
            let request = Request::parse(text.as_bytes()).expect("a request");
            let checked = guard.check(&request.expect("whole"));
            assert_eq!(format!("{checked:?}"), answer, "{lines}");
        }
    }

    /// A tunnel or a container has another port, and a link leads here from anywhere. A site can point a name of its own
    /// here.
    #[test]
    fn only_this_host_and_its_own_pages_are_heard() {
        check(
            "127.0.0.1:7878",
            None,
            "
            GET / | Host: 127.0.0.1:7878 => Ok(())
            GET / | Host: localhost:7878 => Ok(())
            GET / | Host: [::1]:7878 => Ok(())
            GET / | Host: 127.0.0.1 => Ok(())
            GET / | Host: 127.0.0.1:80 => Ok(())
            GET / | Host: localhost:9000 => Ok(())
            GET / | Host: LOCALHOST => Ok(())
            GET / | Host: [::1]:9000 => Ok(())
            GET / | Host: localhost.evil.example:7878 => Err(Host)
            GET / | Host: evil.example:7878 => Err(Host)
            GET / | Host: 192.168.0.1:7878 => Err(Host)
            GET / | Host: => Err(Host)
            GET / | X: y => Err(Host)
            GET / | Host: 127.0.0.1:7878 | Origin: http://127.0.0.1:7878 => Ok(())
            GET / | Host: 127.0.0.1:7878 | Origin: null => Err(Origin)
            GET / | Host: 127.0.0.1:7878 | Origin: http://localhost:7878 => Err(Origin)
            GET / | Host: 127.0.0.1:7878 | Origin: https://127.0.0.1:7878 => Err(Origin)
            GET / | Host: 127.0.0.1:7878 | Origin: http://evil => Err(Origin)
            GET / | Host: 127.0.0.1:7878 | Sec-Fetch-Site: same-origin | Sec-Fetch-Mode: cors => Ok(())
            GET / | Host: 127.0.0.1:7878 | Sec-Fetch-Site: cross-site | Sec-Fetch-Mode: navigate => Ok(())
            GET / | Host: 127.0.0.1:7878 | Sec-Fetch-Site: cross-site | Sec-Fetch-Mode: no-cors => Err(Origin)
            POST / | Host: 127.0.0.1:7878 => Err(Origin)
            GET / | Host: Arena.example | Origin: https://Arena.example => Ok(())
            GET / | Host: Arena.example | Origin: http://Arena.example => Ok(())
            GET / | Host: arena.example:80 | Origin: https://evil.example => Err(Origin)
            GET / | Host: other.example | Origin: http://other.example => Err(Host)
            ",
        );
        let foreign = "GET / | Host: myserver.local:7878 => Err(Host)";
        check("0.0.0.0:7878", None, foreign);
    }

    /// Whoever points a name here does not know the token.
    #[test]
    fn a_token_is_asked_for_where_there_is_one() {
        check(
            "0.0.0.0:7878",
            Some("secret"),
            "
            GET / | Host: 10.0.0.5:7878 => Err(Token)
            GET /?token=secre | Host: 10.0.0.5:7878 => Err(Token)
            GET /?token=secret2 | Host: 10.0.0.5:7878 => Err(Token)
            GET /?token=secret | Host: 10.0.0.5:7878 => Ok(())
            GET / | Host: 10.0.0.5:7878 | Cookie: a=b; patchwork-arena-token=secret => Ok(())
            GET /?token=secret | Host: myserver.local:7878 => Ok(())
            GET / | Host: myserver.local:7878 => Err(Token)
            ",
        );
    }
}
