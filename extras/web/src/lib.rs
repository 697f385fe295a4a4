//! A small web server: reports that follow a tournament, all stored games, and a board to play on; and [`people`], games
//! between a person and an agent, in a browser or at a terminal.
//!
//! [`serve`] answers one request per connection, each on its own thread. [`Request::parse`] limits what a
//! request may contain, a [`WebGuard`] refuses requests for other hosts and from other origins, and an
//! [`Arena`] has the pages. Nothing that a page loads comes from elsewhere.
//!
//! ```
//! use patchwork_web::{Method, Request, WebGuard};
//!
//! let guard = WebGuard::new("127.0.0.1:8080".parse()?, None, Vec::new());
//! let bytes = b"GET /results/zoo HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n";
//! let request = Request::parse(bytes)?.expect("a whole request");
//! assert_eq!((request.method, &*request.path), (Method::Get, &["results", "zoo"].map(String::from)[..]));
//! assert_eq!(guard.check(&request), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod board;
mod find;
mod guard;
mod index;
mod opened;
pub mod people;
mod request;
mod server;
mod site;
mod watch;

pub use answer::{Answer, Tell};
pub use guard::WebGuard;
pub use request::{MAX_BODY, MAX_HEAD, Method, Refusal, Request};
pub use server::{PATIENCE, serve};
pub use site::Arena;
