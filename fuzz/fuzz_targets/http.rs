//! Requests of browsers and of everything else that can open a connection, and what the site answers.
#![cfg_attr(not(test), no_main)]

use patchwork_engine::agent::AgentPaths;
use patchwork_engine::search::Stop;
use patchwork_web::{Arena, MAX_BODY, MAX_HEAD, Method, Refusal, Request, WebGuard};
use tempfile::TempDir;

static STOP: Stop = Stop::new();

thread_local! {
    static ARENA: (TempDir, Arena) = {
        let folder = tempfile::tempdir().expect("a folder");
        let agents = AgentPaths::here(None);
        let arena = Arena::new(&[folder.path()], agents, &STOP);
        (folder, arena)
    };
}

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    let parsed = Request::parse(bytes);
    match &parsed {
        Ok(Some(request)) => {
            assert!(request.body.len() <= MAX_BODY);
            for part in &request.path {
                assert!(!part.is_empty() && part != "." && part != "..");
                assert!(!part.contains(['/', '\\', ':', '\0']));
            }
            let open = WebGuard::new(([127, 0, 0, 1], 80).into(), None, Vec::new());
            let token = WebGuard::new(
                ([0, 0, 0, 0], 80).into(),
                Some("secret-token".to_owned()),
                Vec::new(),
            );
            let _ = (open.check(request), token.check(request));
            if is_quick(request) {
                let _ = ARENA.with(|(_, arena)| arena.answer(request));
            }
        }
        Ok(None) => assert!(bytes.len() <= MAX_HEAD + MAX_BODY),
        Err(refusal) => assert!(refusal.status().len() > 4 && *refusal != Refusal::Busy),
    }
    // A whole request is the same with more bytes after it.
    if let Ok(Some(request)) = parsed {
        let more = [bytes, b"more"].concat();
        assert_eq!(Request::parse(&more), Ok(Some(request)));
    }
}

/// Whether no agent has to think for the answer.
fn is_quick(request: &Request) -> bool {
    let body = String::from_utf8_lossy(&request.body);
    request.method == Method::Get
        || !body.contains("agent")
        || body.contains("\"agent\":\"random\"")
}
