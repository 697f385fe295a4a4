//! `web`, tested with raw requests.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::program::{LONG, Workspace};
use crate::support::server::Server;

/// A results folder, and a server that shows it.
fn workspace() -> (Workspace, Server) {
    let home = Workspace::new();
    home.ok(&[
        "match",
        "random",
        "greedy-regret",
        "--pairs",
        "2",
        "--quiet",
        "--save",
        "two",
    ]);
    home.write("secret.txt", "secret");
    let server = Server::start(home.command(&["web", "results", "--address", "127.0.0.1:0"]));
    (home, server)
}

fn status(answer: &str) -> &str {
    let line = answer.lines().next().unwrap_or_default();
    line.strip_prefix("HTTP/1.1 ").unwrap_or(line)
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

#[test]
fn pages_are_there_and_load_nothing_from_elsewhere() {
    let (_home, server) = workspace();
    let index = server.get("/", "");
    assert_eq!(status(&index), "200 OK");
    assert!(index.contains("href=\"/results/two\""), "{index}");
    assert!(index.contains("Content-Security-Policy: default-src 'none'"));
    for (path, part) in [
        ("/play", "play against an agent"),
        ("/assets/play.js", "The rules are on the server"),
        ("/assets/live.js", "EventSource"),
        ("/assets/arena.css", "--ink"),
        ("/results/two", "/results/two/report"),
        ("/results/two/report", "id=\"standings\""),
        ("/results/two/games?from=0", "games-data"),
        ("/api/agents", "mcts-fast"),
    ] {
        let answer = server.get(path, "");
        assert_eq!(status(&answer), "200 OK", "{path}");
        assert!(body(&answer).contains(part), "{path}: {answer:.2000}");
        for outside in ["src=\"http", "href=\"http", "url(http"] {
            assert!(!answer.contains(outside), "{path}");
        }
    }
}

#[test]
fn paths_cannot_leave_the_folder() {
    let (home, server) = workspace();
    #[cfg(unix)]
    std::os::unix::fs::symlink(home.path("results/two"), home.path("link")).expect("a link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(home.path("."), home.path("results/up")).expect("a link");
    for path in [
        "/../secret.txt",
        "/results/../secret.txt",
        "/results/..%2fsecret.txt/report",
        "/results/%2e%2e/report",
        "/results/two/../../secret.txt",
        "/results/up/report",
        "/results/up",
        "/results/.hidden/report",
        "/results/%00/report",
        "/results/two/games.bin",
        "/results/none/report",
        "/assets/../site.rs",
        "/nothing",
    ] {
        let answer = server.get(path, "");
        assert_eq!(status(&answer), "404 Not Found", "{path}");
        assert!(!answer.contains("secret\n"), "{path}");
    }
    assert_eq!(
        status(&server.get("/results/two/games?from=x", "")),
        "404 Not Found"
    );
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let (_home, server) = workspace();
    let port = server.address.port();
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "192.168.1.1:80"] {
        let answer = server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        assert_eq!(status(&answer), "403 Forbidden", "{host}");
    }
    assert_eq!(
        status(&server.send(b"GET / HTTP/1.1\r\n\r\n")),
        "403 Forbidden"
    );
    let local = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    assert_eq!(status(&server.send(local.as_bytes())), "200 OK");
    for origin in ["null", "http://evil.example", "http://localhost:1"] {
        let answer = server.get("/", &format!("Origin: {origin}\r\n"));
        assert_eq!(status(&answer), "403 Forbidden", "{origin}");
    }
    let body = "{\"agent\":\"random\",\"seat\":0}";
    let blind = format!(
        "POST /api/new HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(
        status(&server.send(blind.as_bytes())),
        "403 Forbidden",
        "no origin"
    );
    let form = format!(
        "POST /api/new HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(
        status(&server.send(form.as_bytes())),
        "400 Bad Request",
        "a form"
    );
}

#[test]
fn large_slow_and_broken_requests_are_refused_and_others_still_served() {
    let (_home, server) = workspace();
    let long = format!("X: {}\r\n", "y".repeat(100_000));
    assert_eq!(status(&server.get("/", &long)), "413 Content Too Large");
    let many = "X: y\r\n".repeat(3000);
    assert_eq!(status(&server.get("/", &many)), "413 Content Too Large");
    assert_eq!(
        status(&server.post("/api/new", &"x".repeat(100_000))),
        "413 Content Too Large"
    );
    assert_eq!(
        status(&server.send(b"\x16\x03\x01\x02\x00\x01\r\n\r\n")),
        "400 Bad Request"
    );
    assert_eq!(
        status(&server.send(b"BREW / HTTP/1.1\r\n\r\n")),
        "405 Method Not Allowed"
    );
    assert_eq!(
        status(&server.post("/api/new", "{\"agent\":3}")),
        "400 Bad Request"
    );
    // Connections that send nothing, or a byte now and then, are closed in time.
    let start = Instant::now();
    let mut silent: Vec<TcpStream> = (0..20)
        .map(|_| TcpStream::connect(server.address).expect("connected"))
        .collect();
    let mut slow = TcpStream::connect(server.address).expect("connected");
    slow.set_read_timeout(Some(Duration::from_millis(500)))
        .expect("a timeout");
    slow.write_all(b"GET / HTTP/1.1\r\n").expect("written");
    assert_eq!(status(&server.get("/", "")), "200 OK", "meanwhile");
    let mut answer = Vec::new();
    loop {
        let mut buffer = [0; 1024];
        match slow.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => answer.extend(&buffer[..read]),
            Err(_) => {
                let _ = slow.write_all(b"X");
            }
        }
        assert!(start.elapsed() < LONG, "it is closed");
    }
    assert!(start.elapsed() >= Duration::from_secs(5), "not at once");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(
        answer.is_empty() || status(&answer) == "408 Request Timeout",
        "{answer}"
    );
    silent[0].set_read_timeout(Some(LONG)).expect("a timeout");
    let mut rest = String::new();
    let _ = silent[0].read_to_string(&mut rest);
    assert!(rest.contains("408"), "{rest}");
}

#[test]
fn another_address_needs_a_token() {
    let home = Workspace::new();
    let server = Server::start(home.command(&["web", "--address", "0.0.0.0:0"]));
    let token = server
        .url
        .split("token=")
        .nth(1)
        .expect("a token")
        .to_owned();
    assert!(token.len() >= 32, "{token}");
    assert_eq!(status(&server.get("/", "")), "401 Unauthorized");
    assert_eq!(status(&server.get("/?token=wrong", "")), "401 Unauthorized");
    let entered = server.get(&format!("/?token={token}"), "");
    assert_eq!(status(&entered), "303 See Other");
    let cookie = entered
        .lines()
        .find_map(|line| line.strip_prefix("Set-Cookie: "));
    let cookie = cookie
        .and_then(|cookie| cookie.split(';').next())
        .expect("a cookie");
    assert!(
        !entered
            .lines()
            .any(|line| line.starts_with("Location:") && line.contains("token"))
    );
    assert_eq!(
        status(&server.get("/", &format!("Cookie: {cookie}\r\n"))),
        "200 OK"
    );
    assert!(
        home.refused(&["web", "--token", "short"])
            .contains("--token")
    );
    let taken = server.address.to_string();
    assert!(
        home.refused(&["web", "--address", &taken])
            .contains("--address")
    );
}

#[test]
fn events_tell_of_new_games() {
    let (home, server) = workspace();
    let mut stream = TcpStream::connect(server.address).expect("connected");
    stream.set_read_timeout(Some(LONG)).expect("a timeout");
    let host = server.address;
    let request = format!("GET /results/two/events HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("written");
    let mut seen = String::new();
    let mut read_until = |count: usize| {
        while seen.matches("data: ").count() < count {
            let mut buffer = [0; 1024];
            let read = stream.read(&mut buffer).expect("in time");
            assert!(read > 0, "the stream goes on");
            seen += &String::from_utf8_lossy(&buffer[..read]);
        }
        seen.clone()
    };
    assert!(read_until(1).contains("text/event-stream"));
    home.ok(&[
        "match",
        "random",
        "greedy-regret",
        "--pairs",
        "3",
        "--quiet",
        "--save",
        "two",
    ]);
    read_until(2);
}

#[test]
fn a_whole_game_is_played_by_requests_and_kept() {
    let (home, server) = workspace();
    let ask = |path: &str, body: Value| -> Value {
        let answer = server.post(path, &body.to_string());
        assert_eq!(status(&answer), "200 OK", "{answer}");
        serde_json::from_str(body_of(&answer)).expect("JSON")
    };
    fn body_of(answer: &str) -> &str {
        body(answer)
    }
    let mut game = ask("/api/new", json!({"agent": "greedy-inorder", "seat": 1}));
    let id = game["id"].clone();
    let refused = server.post("/api/step", &json!({"id": id, "act": "99:a1"}).to_string());
    assert_eq!(status(&refused), "422 Unprocessable Content");
    assert!(body(&refused).contains("'99' is not a patch"), "{refused}");
    let step = |act: &str| ask("/api/step", json!({"id": id, "act": act}));
    let advised = step("advice");
    assert_eq!(advised["advice"]["by"], "mcts-regret");
    game = step(advised["legal"][0].as_str().expect("an action"));
    game = match game["over"].as_bool() {
        Some(false) => step("undo"),
        _ => panic!("{game}"),
    };
    let mut steps = 0;
    while game["over"] == false {
        let legal = game["legal"].as_array().expect("actions");
        let act = legal
            .last()
            .and_then(Value::as_str)
            .expect("an action")
            .to_owned();
        game = step(&act);
        steps += 1;
        assert!(steps < 200);
    }
    assert_eq!(game["kept"], true, "{game}");
    let shown = home.ok(&["replay", "results/human-greedy-inorder", "0"]);
    assert!(
        shown.contains("human") && shown.contains("greedy-inorder"),
        "{shown}"
    );
    home.write(
        "agents/bot.toml",
        "type = \"external\"\ncommand = [\"cat\"]\n",
    );
    for (wish, part) in [
        (
            json!({"agent": "nobody", "seat": 0}),
            "there is no agent 'nobody'",
        ),
        (
            json!({"agent": "../agents/random.toml", "seat": 0}),
            "expected the name of an agent",
        ),
        (json!({"agent": "gr*", "seat": 0}), "expected the name"),
        (
            json!({"agent": "bot{command=[\"touch\", \"started\"]}", "seat": 1}),
            "expected the name of an agent",
        ),
        (
            json!({"agent": "mcts-fast{budget.iterations=4000000000}", "seat": 1}),
            "expected the name of an agent",
        ),
    ] {
        let answer = server.post("/api/new", &wish.to_string());
        assert_eq!(status(&answer), "422 Unprocessable Content");
        assert!(answer.contains(part), "{answer}");
    }
    assert!(!home.path("agents/started").exists());
}
