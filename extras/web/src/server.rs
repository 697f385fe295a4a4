//! Connections: each has one thread and one request, and everything has a deadline.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use patchwork_engine::search::Stop;

use super::answer::{Answer, POLICY, body, head};
use super::guard::{COOKIE, WebGuard};
use super::request::{Refusal, Request};
use super::site::Arena;

/// Time limit for receiving a request, and for sending a part of an answer.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum number of connections that are answered, and of those that follow a tournament.
const MAX_CONNECTIONS: usize = 64;
/// Time between two checks for new connections.
const PULSE: Duration = Duration::from_millis(20);

const NO_STORE: &str = "Cache-Control: no-store\r\n";

/// One of these places, if there is one left: whoever has one holds a copy.
fn place(all: &Arc<()>) -> Option<Arc<()>> {
    let place = Arc::clone(all);
    (Arc::strong_count(all) <= 1 + MAX_CONNECTIONS).then_some(place)
}

/// Serves until `stop` is set.
pub fn serve(
    listener: &TcpListener,
    guard: &WebGuard,
    site: &Arc<Arena>,
    stop: &'static Stop,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    // Connections that get events live as long as their pages, and leave the others free. The copies of their places are
    // counted, so threads share the places themselves.
    let (answered, live) = (Arc::default(), Arc::new(Arc::default()));
    while !stop.is_set() {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            // Nobody connects, the client has gone, or there are no file descriptors left: later connections may succeed.
            Err(_) => {
                thread::sleep(PULSE);
                continue;
            }
        };
        let Some(own) = place(&answered) else {
            let _ = prepared(&stream).and_then(|()| refuse(&stream, &Refusal::Busy, false));
            continue;
        };
        let (guard, site, live) = (guard.clone(), Arc::clone(site), Arc::clone(&live));
        let spawned = thread::Builder::new().spawn(move || {
            // A broken connection affects no other one.
            let _ = converse(&stream, &guard, &site, own, &live);
            let _ = stream.shutdown(std::net::Shutdown::Both);
        });
        if spawned.is_err() {
            thread::sleep(PULSE);
        }
    }
    Ok(())
}

fn prepared(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))
}

fn converse(
    stream: &TcpStream,
    guard: &WebGuard,
    site: &Arena,
    own: Arc<()>,
    live: &Arc<()>,
) -> io::Result<()> {
    prepared(stream)?;
    let request = match receive(stream)? {
        ControlFlow::Continue(request) => request,
        ControlFlow::Break(None) => return Ok(()),
        ControlFlow::Break(Some(refusal)) => return refuse(stream, &refusal, false),
    };
    let head_only = request.head_only;
    let redirect = |more: &str| send(stream, "303 See Other", more, "", head_only);
    if let Err(refusal) = guard.check(&request) {
        return refuse(stream, &refusal, head_only);
    }
    // The token moves from the address into a cookie.
    if let (Some(token), Some(_)) = (guard.token(), request.query.get("token")) {
        let cookie = format!("Set-Cookie: {COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/\r\n");
        let path = format!("/{}", request.path.join("/"));
        return redirect(&format!("{cookie}Location: {path}\r\n"));
    }
    match site.answer(&request) {
        Ok(Answer::File(file)) => file.send(stream, &request),
        Ok(Answer::Redirect(to)) => redirect(&format!("Location: {to}\r\n")),
        Ok(Answer::Events(tell)) => {
            let Some(_live) = place(live) else {
                return refuse(stream, &Refusal::Busy, head_only);
            };
            drop(own);
            head(stream, "200 OK", "text/event-stream", POLICY, NO_STORE)?;
            if head_only {
                return Ok(());
            }
            tell(&mut |event| (&*stream).write_all(event.as_bytes()))
        }
        Err(refusal) => refuse(stream, &refusal, head_only),
    }
}

/// Reads a request, which must arrive completely within [`PATIENCE`]. Breaks with a refusal, or with `None` if the client
/// has closed the connection.
fn receive(mut stream: &TcpStream) -> io::Result<ControlFlow<Option<Refusal>, Request>> {
    let start = Instant::now();
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let left = PATIENCE.saturating_sub(start.elapsed());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(ControlFlow::Break(None)),
            Ok(read) => bytes.extend_from_slice(&buffer[..read]),
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted
                | io::ErrorKind::WouldBlock
                | io::ErrorKind::TimedOut => {}
                _ => return Err(error),
            },
        }
        // What came while this process did not run is in time.
        match Request::parse(&bytes) {
            Ok(None) if left.is_zero() => {
                return Ok(ControlFlow::Break(Some(Refusal::Slow)));
            }
            Ok(None) => {}
            Ok(Some(request)) => return Ok(ControlFlow::Continue(request)),
            Err(refusal) => return Ok(ControlFlow::Break(Some(refusal))),
        }
    }
}

fn refuse(stream: &TcpStream, refusal: &Refusal, head_only: bool) -> io::Result<()> {
    // Pages show a mistake as it is.
    let end = match refusal {
        Refusal::Mistake(_) => "",
        _ => "\n",
    };
    let text = format!("{refusal}{end}");
    send(stream, refusal.status(), "", &text, head_only)
}

/// Sends a plain text.
fn send(
    stream: &TcpStream,
    status: &str,
    more: &str,
    text: &str,
    head_only: bool,
) -> io::Result<()> {
    let more = format!("Content-Length: {}\r\n{more}{NO_STORE}", text.len());
    head(stream, status, "text/plain; charset=utf-8", POLICY, &more)?;
    body(stream, text.as_bytes(), head_only)
}
