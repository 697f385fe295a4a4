//! A small web server: reports that follow a tournament, all stored games, and a board to play on.
//!
//! [`serve`] answers one request for each connection on a thread of its own. [`Request::parse`] bounds what
//! a request may be, a [`WebGuard`] refuses requests for other hosts and from other origins, and an [`Arena`]
//! has the pages. Nothing that a page loads comes from elsewhere.

mod guard;
mod hall;
mod request;
mod server;
mod site;

pub use guard::WebGuard;
pub use request::{MOST_BODY, MOST_HEAD, Method, Refusal, Request};
pub use server::{Answer, EventStream, PATIENCE, Site, Tell, serve};
pub use site::Arena;
