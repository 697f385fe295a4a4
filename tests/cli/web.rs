//! `web`, tested with raw requests.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use patchwork_test_support::program::{LONG, Workspace, binary, expect_in, rows};
use patchwork_test_support::server::Server;

/// A results folder, and a server that shows it.
fn workspace() -> (Workspace, Server) {
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    home.write("secret.txt", "secret");
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
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
    for [path, part] in rows(
        r#"
        /assets/live.js => EventSource
        /assets/arena.css => --ink
        /results/two => /results/two/report
        /results/two/report => id="standings"
        /results/two/games?from=0 => games-data
        /api/agents => mcts-fast
        /api/results => "planned":4,"running":false
        /api/results/two => "core_seconds_left":0.0
        /api/results/two => "standings":[{"agent":"greedy-regret"
        /api/results/two/games?from=3 => "total":4,"from":3,"games":[{"number":3
        /api/results/two/games?find=greedy+game%3C%3D2+margin%3E%3D0&count=1 => "total":3,"from":2,"games":[{"number":2
        /api/results/two/games?find=upset+random => "total":0
        /board/index.html => <meta name="patchwork-server" content="1">
    "#,
    ) {
        let answer = server.get(path, "");
        assert_eq!(status(&answer), "200 OK", "{path}");
        assert!(body(&answer).contains(part), "{path}: {answer:.2000}");
        for outside in ["src=\"http", "href=\"http", "url(http"] {
            assert!(!answer.contains(outside), "{path}");
        }
    }
    let refused = server.get("/api/results/two/games?find=margin%3Ex", "");
    assert_eq!(status(&refused), "422 Unprocessable Content");
    let sentence = "'margin>x': expected a part of an agent's name, fault, upset, or game,";
    assert!(body(&refused).contains(sentence), "{refused}");
}

/// The list says how each tournament stands. The user's notes and tags are stored in the folder; two are compared.
#[test]
fn tournaments_are_listed_described_and_compared() {
    let (home, server) = workspace();
    home.save_match_in("three", "greedy-regret", 3);
    let index = server.get("/", "");
    let row = |name: &str| {
        let row = index
            .split("<tr data-name=\"")
            .find(|row| row.starts_with(name));
        row.expect("a row")
            .split("</tr>")
            .next()
            .expect("a row")
            .to_owned()
    };
    for (name, games) in [("two", "4"), ("three", "6")] {
        let row = row(name);
        assert!(row.contains(">complete<"), "{row}");
        assert!(row.contains(">greedy-regret<"), "{row}");
        assert!(row.contains(&format!(">{games}<")), "{row}");
    }
    let kept = server.post(
        "/api/results/two/notes",
        r#"{"notes": "a <first> try", "tags": "small old"}"#,
    );
    assert_eq!(status(&kept), "200 OK", "{kept}");
    let index = server.get("/", "");
    assert!(index.contains("a &lt;first&gt; try"), "{index}");
    assert!(index.contains(">small</span>"), "{index}");
    assert!(
        server
            .get("/api/results/two", "")
            .contains("\"tags\":\"small old\"")
    );
    home.ok("verify results/two");
    let long = format!(r#"{{"notes": "", "tags": "{}"}}"#, "x".repeat(201));
    for (body, part) in [
        (&*long, "tags: 201 bytes; expected at most 200 bytes"),
        (r#"{"notes": ""}"#, "400"),
    ] {
        let refused = server.post("/api/results/two/notes", body);
        assert!(refused.contains(part), "{refused}");
    }
    assert_eq!(
        status(&server.post("/api/results/none/notes", r#"{"notes": "", "tags": ""}"#)),
        "404 Not Found"
    );
    // Whoever has not seen what is stored does not replace it, and sees it then.
    let facts: Value =
        serde_json::from_str(body(&server.get("/api/results/two", ""))).expect("JSON");
    let edited =
        |notes: &str| json!({"notes": notes, "tags": "a b a", "version": facts["version"]});
    let first = server.post("/api/results/two/notes", &edited("first").to_string());
    assert_eq!(status(&first), "200 OK");
    let second = server.post("/api/results/two/notes", &edited("second").to_string());
    assert_eq!(status(&second), "409 Conflict", "{second}");
    let index = server.get("/", "");
    assert_eq!(index.matches("<p>first</p>").count(), 1);
    assert_eq!(index.matches(">a</span>").count(), 1, "each tag once");
    // Several are reported as one; the report again is the same file.
    let compared = named(&server.get("/compare?of=two&of=three", ""));
    assert_eq!(status(&compared), "200 OK", "{compared}");
    for part in [
        "<th>Pairs per pairing</th><td>2</td><td>3</td>",
        "<th>not in the folders to the left</th><td>4</td><td>2</td>",
        "src=\"/compare/report?of=two,three\"",
        "data-copy=\"patchwork-arena report results/two results/three\"",
    ] {
        expect_in(&compared, part);
    }
    for (path, pairs) in [
        ("/compare/report?of=two,three", 4),
        ("/results/two/report", 5),
    ] {
        let report = server.get(path, "Accept-Encoding: gzip\r\n");
        let (head, _) = report.split_once("\r\n\r\n").expect("a head");
        expect_in(head, "Content-Encoding: gzip");
        let tag = head.lines().find_map(|line| line.strip_prefix("ETag: "));
        let known = format!("If-None-Match: {}\r\n", tag.expect("a tag"));
        assert_eq!(status(&server.get(path, &known)), "304 Not Modified");
        home.save_match_in("two", "greedy-regret", pairs);
        assert_eq!(status(&server.get(path, &known)), "200 OK", "it has grown");
    }
    // Folders with other rings have no report in common, but ratings.
    home.write(
        "tournaments/other.toml",
        "name = \"other\"\nseed = 9\ntrack = \"original\"\nformat = \"round-robin\"\npairs = 2\n\
         agents = [\"random\", \"greedy-regret\"]\n",
    );
    home.ok("run tournaments/other.toml --quiet");
    let compared = named(&server.get("/compare?of=two&of=other", ""));
    for part in [
        "There is no common report: results/two and results/other cannot share games: seed: ",
        "Instead, all games are rated together.",
        "data-copy=\"patchwork-arena rate results/two results/other\"",
    ] {
        expect_in(&compared, part);
    }
    expect_in(
        &server.get("/compare/report?of=two,other", ""),
        "All games together",
    );
    for path in ["/compare?of=two&of=none", "/compare/report?of=none"] {
        assert_eq!(status(&server.get(path, "")), "404 Not Found");
    }
    expect_in(
        &server.get("/compare", ""),
        "of: expected the names of results folders",
    );
}

/// A page with the name of the program for its path, as commands have it, in quotation marks if a shell needs them.
fn named(page: &str) -> String {
    let name = "patchwork-arena";
    page.replace(&format!("'{}'", binary()), name)
        .replace(&binary(), name)
}

/// The command that is to be copied goes on with what a folder has, whatever file it was played from.
#[test]
fn commands_go_on_with_a_folder() {
    let (home, server) = workspace();
    let command = |what: &str| {
        let page = named(&server.get("/results/two", ""));
        let (before, _) = page
            .split_once(&format!(">Copy command: {what}<"))
            .unwrap_or_else(|| panic!("{what}: {page}"));
        let (_, line) = before.rsplit_once("data-copy=\"").expect("a line");
        let line = line.split('"').next().expect("a line").to_owned();
        line.strip_prefix("patchwork-arena ")
            .expect("a command")
            .to_owned()
    };
    home.ok(&format!("{} -q", command("double the pairs")));
    assert_eq!(home.games("results/two").len(), 8);
    home.ok(&format!("{} -q", command("repeat")));
    assert_eq!(
        home.unnumbered("repeated/two"),
        home.unnumbered("results/two")
    );
    expect_in(&home.ok(&command("report")), "8 games");
    // A folder goes on where it is.
    home.ok("run repeated/two --pairs 5 -q");
    assert_eq!(home.games("repeated/two").len(), 10);
    assert_eq!(home.games("results/two").len(), 8);
    home.refuses("run results/two --pairs 0", "--pairs");
    home.refuses("run results", "results");
}

/// Folders of folders and single ones are shown together; of two with the same name, the second gets a number.
#[test]
fn several_folders_are_shown() {
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    home.ok("import results/two --into others/two --quiet");
    home.ok("import results/two --into others/three --quiet");
    let dirs = ["results", "others/two", "results/two", "others"];
    let command = [&["web"], &dirs[..], &["--address", "127.0.0.1:0"]].concat();
    let server = Server::start(home.command(&command));
    let index = server.get("/", "");
    for name in ["two", "two-2", "three"] {
        expect_in(&index, &format!("href=\"/results/{name}\""));
        let path = format!("/results/{name}/games?from=0");
        assert_eq!(status(&server.get(&path, "")), "200 OK", "{name}");
    }
    assert!(!index.contains("two-3"), "{index}");
    assert_eq!(status(&server.get("/results/two-3", "")), "404 Not Found");
}

/// The board may load its own files and run WebAssembly, but nothing that is written into its page.
#[test]
fn the_board_is_served_under_a_strict_policy() {
    let (_home, server) = workspace();
    for name in [
        "index.html",
        "board.js",
        "board.css",
        "rules.js",
        "rules.wasm",
        "engine.js",
        "engine.wasm",
    ] {
        let answer = server.get(&format!("/board/{name}"), "");
        assert_eq!(status(&answer), "200 OK", "{name}");
        let (head, content) = answer.split_once("\r\n\r\n").expect("a head");
        let policy = "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
                      style-src 'self'; ";
        assert!(head.contains(policy), "{head}");
        assert!(
            !head.contains("unsafe-inline") && !content.is_empty(),
            "{name}"
        );
    }
    for path in ["/board", "/play"] {
        let answer = server.get(path, "");
        assert!(answer.contains("Location: /board/index.html"), "{answer}");
    }
    // Packed with brotli, they take the fewest bytes.
    for name in ["board.js", "board.css", "rules.wasm", "engine.wasm"] {
        let answer = server.get(&format!("/board/{name}"), "Accept-Encoding: gzip, br\r\n");
        expect_in(&answer, "Content-Encoding: br");
    }
    // Browsers keep files and ask whether they have changed.
    let answer = server.get("/board/board.css", "");
    let (head, _) = answer.split_once("\r\n\r\n").expect("a head");
    let tag = head.lines().find_map(|line| line.strip_prefix("ETag: "));
    let tag = tag.expect("a tag of the content");
    assert!(head.contains("Cache-Control: private, no-cache"), "{head}");
    let known = server.get("/board/board.css", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!(status(&known), "304 Not Modified");
    assert!(known.ends_with("\r\n\r\n"), "{known}");
    let other = server.get("/board/board.js", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!(status(&other), "200 OK");
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
        "/results/two/games.db",
        "/results/none/report",
        "/assets/../site.rs",
        "/board/manifest.json",
        "/board/..%2fsite.rs",
        "/api/results/up",
        "/api/results/none/games",
        "/api/results/two/games?from=-1",
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
    for host in ["evil.example", "192.168.1.1:80"] {
        let answer = server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        assert_eq!(status(&answer), "403 Forbidden", "{host}");
        expect_in(&answer, "expected localhost or an address of this server");
    }
    for host in ["127.0.0.1", "localhost:9000"] {
        let head = server.send(format!("HEAD / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        assert_eq!(status(&head), "200 OK", "{host}");
        let get = server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        let (start, body) = get.split_once("\r\n\r\n").expect("a body");
        assert_eq!(
            (head.trim_end(), body.is_empty()),
            (start, false),
            "HEAD is GET without the body"
        );
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
    let body = "{}";
    let blind = format!(
        "POST /api/decide HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(
        status(&server.send(blind.as_bytes())),
        "403 Forbidden",
        "no origin"
    );
    let form = format!(
        "POST /api/decide HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
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
#[ignore = "slow requests"]
fn large_slow_and_broken_requests_are_refused_and_others_still_served() {
    let (_home, server) = workspace();
    let long = format!("X: {}\r\n", "y".repeat(100_000));
    assert_eq!(status(&server.get("/", &long)), "413 Content Too Large");
    let many = "X: y\r\n".repeat(3000);
    assert_eq!(status(&server.get("/", &many)), "413 Content Too Large");
    assert_eq!(
        status(&server.post("/api/decide", &"x".repeat(100_000))),
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
        status(&server.post("/api/decide", "{\"agent\":3}")),
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
    let server = Server::start(home.command("web --address 0.0.0.0:0"));
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
    home.refuses("web --token short", "--token");
    let taken = server.address.to_string();
    home.refuses(&["web", "--address", &taken], "--address");
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
    home.save_match_in("two", "greedy-regret", 3);
    read_until(2);
}

/// The answer to a request about the board, or the sentence of its refusal.
fn ask(server: &Server, path: &str, body: &Value) -> Result<Value, String> {
    let answer = server.post(path, &body.to_string());
    match status(&answer) {
        "200 OK" => Ok(serde_json::from_str(self::body(&answer)).expect("JSON")),
        "422 Unprocessable Content" => Err(self::body(&answer).to_owned()),
        other => panic!("{other}"),
    }
}

/// Plays a game of an agent against itself from a start, by requests.
fn played(server: &Server, start: &str, agent: &str) -> Value {
    let mut game = json!({"start": start, "actions": []});
    let over = |answer: Result<Value, String>| match answer {
        Ok(decision) => Some(decision["action"].clone()),
        Err(sentence) => {
            assert_eq!(sentence, "the game is over");
            None
        }
    };
    while let Some(action) = over(ask(
        server,
        "/api/decide",
        &json!({"game": game, "agent": agent, "seed": 5}),
    )) {
        game["actions"].as_array_mut().expect("a list").push(action);
    }
    game
}

#[test]
fn a_whole_game_is_played_by_requests_and_kept() {
    let (home, server) = workspace();
    let next = server.get("/api/next?agent=greedy-inorder&person=1", "");
    let next: Value = serde_json::from_str(body(&next)).expect("JSON");
    let start = next["start"].as_str().expect("a setup");
    let game = played(&server, start, "greedy-inorder");
    let keep = |game: &Value, more: &str| {
        let mut body = json!({"game": game, "agent": "greedy-inorder", "person": 1});
        if !more.is_empty() {
            body[more] = 1.into();
        }
        ask(&server, "/api/keep", &body)
    };
    let kept = keep(&game, "").expect("kept");
    assert_eq!(kept["folder"], "human-greedy-inorder");
    let number = kept["number"].to_string();
    let shown = home.ok(&["analyze", "replay", "results/human-greedy-inorder", &number]);
    expect_in(&shown, "human ... greedy-inorder");
    // The same game again has the same place: the answer may have been lost.
    assert_eq!(keep(&game, ""), Ok(kept));
    assert_eq!(home.games("results/human-greedy-inorder").len(), 1);
    // The next game there is on another ring; another game on this one goes into a folder of its ring, in either seat.
    // Requests at the same time wait for each other.
    let other = played(&server, start, "random");
    let seats = [0, 1].map(|person| {
        let body = json!({"game": other, "agent": "greedy-inorder", "person": person});
        let places: Vec<Value> = std::thread::scope(|scope| {
            let asked = [(); 6].map(|()| scope.spawn(|| ask(&server, "/api/keep", &body)));
            let answers = asked
                .into_iter()
                .map(|asked| asked.join().expect("an answer"));
            answers.map(|answer| answer.expect("kept")).collect()
        });
        assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
        places[0].clone()
    });
    assert_ne!(seats[0], seats[1]);
    let folder = seats[1]["folder"].as_str().expect("a name");
    assert!(folder.starts_with("human-greedy-inorder-ring-"), "{folder}");
    let number = seats[1]["number"].to_string();
    home.ok(&["analyze", "replay", &format!("results/{folder}"), &number]);
    assert_eq!(home.games(&format!("results/{folder}")).len(), 1);
    // What is not a whole game is not kept.
    let mut half = game.clone();
    half["actions"].as_array_mut().expect("a list").truncate(7);
    assert_eq!(keep(&half, ""), Err("the game is not over".to_owned()));
    half["actions"][0] = "S:a1".into();
    let refused = keep(&half, "");
    assert_eq!(
        refused,
        Err("ply 1, S:a1: no special patch waits to be placed".to_owned())
    );
    half["start"] = "a / b".into();
    assert_eq!(
        keep(&half, ""),
        Err("a game from a position is not kept".to_owned())
    );
    let person = json!({"game": game, "agent": "greedy-inorder", "person": 2});
    let refused = ask(&server, "/api/keep", &person);
    assert_eq!(refused, Err("person: expected 0 or 1, found 2".to_owned()));
}

/// Agents are named, not described: an override could name a program to start.
#[test]
fn only_agents_of_the_folder_decide_and_within_bounds() {
    let (home, server) = workspace();
    home.write(
        "agents/bot.toml",
        "type = \"external\"\ncommand = [\"cat\"]\n",
    );
    let start = server.get("/api/next?agent=random&person=0", "");
    let start: Value = serde_json::from_str(body(&start)).expect("JSON");
    for (wish, part) in [
        (json!({"agent": "nobody"}), "there is no agent 'nobody'"),
        (
            json!({"agent": "../agents/random.toml"}),
            "expected the name of an agent",
        ),
        (json!({"agent": "gr*"}), "expected the name"),
        (
            json!({"agent": "bot{command=[\"touch\", \"started\"]}"}),
            "expected the name of an agent",
        ),
        (
            json!({"agent": "mcts-fast{budget.iterations=4000000000}"}),
            "expected the name of an agent",
        ),
        (
            json!({"agent": "mcts-fast", "iterations": 4000000000u32}),
            "expected at most 1000000",
        ),
        (
            json!({"agent": "mcts-fast", "milliseconds": 60001}),
            "expected at most 60000",
        ),
        (
            json!({"agent": "mcts-fast", "milliseconds": 5, "iterations": 5}),
            "found both",
        ),
        (
            json!({"agent": "mcts-fast", "game": {"start": "original 1 2", "actions": []}}),
            "patch 3 is missing",
        ),
        (
            json!({"agent": "mcts-fast", "game": {"start": "x", "actions": ["A"]}}),
            "'x' is not a track",
        ),
    ] {
        let mut body = json!({"game": start});
        for (key, value) in wish.as_object().expect("an object") {
            body[key] = value.clone();
        }
        let refused = ask(&server, "/api/decide", &body).expect_err("refused");
        assert!(refused.contains(part), "{refused}");
    }
    assert!(!home.path("agents/started").exists());
    let unknown = json!({"game": start, "agent": "random", "command": "touch"});
    let answer = server.post("/api/decide", &unknown.to_string());
    assert_eq!(status(&answer), "400 Bad Request");
}

#[test]
#[ignore = "many searches"]
fn more_decisions_than_the_server_makes_at_a_time_are_refused() {
    let (_home, server) = workspace();
    let start = server.get("/api/next?agent=random&person=0", "");
    let start: Value = serde_json::from_str(body(&start)).expect("JSON");
    let statuses: Vec<String> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..12)
            .map(|seed| {
                let (server, start) = (&server, &start);
                scope.spawn(move || {
                    let body = json!({"game": start, "agent": "mcts-fast", "milliseconds": 3000, "seed": seed});
                    status(&server.post("/api/decide", &body.to_string())).to_owned()
                })
            })
            .collect();
        asked
            .into_iter()
            .map(|one| one.join().expect("answered"))
            .collect()
    });
    let count = |wanted: &str| statuses.iter().filter(|one| *one == wanted).count();
    assert_eq!(
        count("200 OK") + count("503 Service Unavailable"),
        12,
        "{statuses:?}"
    );
    assert!(count("200 OK") >= 8, "{statuses:?}");
    assert!(count("503 Service Unavailable") > 0, "{statuses:?}");
}

#[test]
fn the_board_is_exported_as_files() {
    let home = Workspace::new();
    let said = home.ok("web --export board");
    assert!(said.contains("open board"), "{said}");
    let index = std::fs::read_to_string(home.path("board/index.html")).expect("a page");
    assert!(!index.contains("patchwork-server"), "there is no server");
    for name in ["board.js", "board.css", "rules.js", "engine.js"] {
        assert!(home.path(&format!("board/{name}")).is_file(), "{name}");
    }
    home.refuses("web --export board --token 12345678", "--token");
    home.write("file", "");
    home.refuses("web --export file/board", "file");
}
