//! Addresses of servers as shown in messages.

/// An address, or several with commas between them, without the names and the passwords of users.
///
/// ```
/// use patchwork_fleet::shown_url;
///
/// assert_eq!(shown_url("nats://user:secret@one:4222,token@two"), "nats://one:4222,two");
/// assert_eq!(shown_url("tls://one:4222"), "tls://one:4222");
/// ```
#[must_use]
pub fn shown_url(url: &str) -> String {
    let servers = url.split(',').map(|server| {
        let (before, host) = server.rsplit_once('@').unwrap_or(("", server));
        let scheme = before.find("://").map_or("", |end| &before[..end + 3]);
        format!("{scheme}{host}")
    });
    servers.collect::<Vec<_>>().join(",")
}
