//! The session in a browser: a page writes a question into the memory, calls, and reads the answer. With the feature
//! `search` it answers questions about searches alone, without it those about rules: the linker leaves out what the others
//! need.
#![allow(
    unsafe_code,
    unreachable_pub,
    reason = "names that a page calls, and what it hands in"
)]

use std::cell::RefCell;
use std::time::Duration;

use patchwork_engine::util::clock;

use crate::BoardSession;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since some fixed moment.
    safe fn now() -> f64;
    /// Called with a message in the memory before a fault ends the program.
    safe fn failed(message: *const u8, length: usize);
}

thread_local! {
    static SESSION: RefCell<BoardSession> = RefCell::default();
    static QUESTION: RefCell<Vec<u8>> = RefCell::default();
    static ANSWER: RefCell<String> = RefCell::default();
}

/// Prepares the program. Called once, before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    clock::hand_in(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        failed(message.as_ptr(), message.len());
    }));
}

/// Room for a question of this many bytes of UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn question(length: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.resize(length, 0);
        question.as_mut_ptr()
    })
}

/// Answers the question and returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    let answer = QUESTION.with_borrow(|question| {
        let question = String::from_utf8_lossy(question);
        SESSION.with_borrow_mut(|session| match cfg!(feature = "search") {
            true => session.call_searches(&question),
            false => session.call_rules(&question),
        })
    });
    let length = answer.len();
    ANSWER.set(answer);
    length
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
