//! The web server of the binary on a free port, and raw requests to it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::program::LONG;

/// A server that is stopped at the end.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    /// The printed address.
    pub url: String,
}

impl Server {
    /// Starts `patchwork-arena web` with a free port in its arguments.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("started");
        let mut line = String::new();
        let output = child.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let url = line.trim().to_owned();
        let place = url
            .strip_prefix("http://")
            .and_then(|rest| rest.split('/').next());
        let address: SocketAddr = place
            .and_then(|place| place.parse().ok())
            .expect("an address");
        let port = address.port();
        Self {
            child,
            address: ([127, 0, 0, 1], port).into(),
            url,
        }
    }

    /// The answer to these bytes; empty if the connection is closed without one.
    pub fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("connected");
        stream.set_read_timeout(Some(LONG)).expect("a timeout");
        // The server may refuse before everything is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to a request for a path with additional headers, each ended by a line break.
    pub fn get(&self, path: &str, more: &str) -> String {
        let host = self.address;
        let text = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
        self.send(text.as_bytes())
    }

    /// The answer to JSON sent like a page of the server does.
    pub fn post(&self, path: &str, body: &str) -> String {
        let (host, length) = (self.address, body.len());
        let text = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.send(text.as_bytes())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
