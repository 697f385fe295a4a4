//! The page in a browser: Chromium without a window, spoken to over pipes in its own protocol.
//!
//! Without Chromium the tests say that they are skipped, unless `PATCHWORK_ARENA_BROWSER=required` is
//! set; any other value of the variable is the browser to use.

use std::convert::Infallible;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use patchwork_arena::agent::AgentSettings;
use patchwork_arena::game::{ActionList, Track};
use patchwork_arena::record::Entry;
use patchwork_arena::search::Stop;
use patchwork_arena::tournament::{
    Format, KnockOut, Manifest, Plan, PlannedAgent, Results as Saved, Schedule, Streams, run,
};
use serde_json::{Value, json};
use tempfile::TempDir;

mod support;

use support::program::{program, success};

/// Names that would break a page in which text is not escaped.
const SEARCHER: &str = "</script><script>throw 1</script>";
const GREEDY: &str = "a&b \"quoted\" 'too' <b>bold</b>";
const RANDOM: &str = "random";

/// A results folder with a page, of agents that expect something and of some that do not.
struct Results {
    home: TempDir,
    entries: Vec<Entry>,
    plan: Plan,
}

impl Results {
    fn new() -> Self {
        Self::of(3, usize::MAX)
    }

    /// A whole knock-out tournament of three agents.
    fn knock_out() -> Self {
        let seeds = [SEARCHER, GREEDY, RANDOM].map(str::to_owned).to_vec();
        Self::in_format(KnockOut { seeds }, 3, usize::MAX)
    }

    /// The first games of a tournament of the first agents.
    fn of(agents: usize, games: usize) -> Self {
        Self::in_format(Format::RoundRobin, agents, games)
    }

    fn in_format(format: impl Into<Format>, agents: usize, games: usize) -> Self {
        let home = tempfile::tempdir().expect("a folder for the test");
        let agent = |file: &str, name: &str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("agents")
                .join(file);
            let text = fs::read_to_string(path)
                .expect("readable")
                .replace("= 1000", "= 40");
            let mut table: toml::Table = text.parse().expect("an agent file");
            table.remove("description");
            let config: AgentSettings = table.try_into().expect("an agent");
            PlannedAgent::new(name, config)
        };
        let chosen = [
            ("mcts-fast.toml", SEARCHER),
            ("greedy-regret.toml", GREEDY),
            ("random.toml", RANDOM),
        ];
        let agents = chosen.into_iter().take(agents);
        let agents = agents.map(|(file, name)| agent(file, name)).collect();
        let plan = Plan::new(7, Track::Original, format, 2, agents).expect("a plan");
        let manifest = Manifest::new("page".into(), plan.clone());
        let (mut store, _) = Saved::open(home.path(), &manifest).expect("a new folder");
        let mut entries = Vec::new();
        let streams = Streams::new(&plan);
        let schedule = Schedule::new(&plan);
        run(schedule, NonZeroUsize::MIN, &Stop::new(), |entry| {
            if entries.len() < games {
                let address = streams.address((&entry.record).into());
                store.append(&address, &entry).expect("written");
                entries.push(entry);
            }
            Ok::<_, Infallible>(())
        })
        .expect("played");
        drop(store);
        let results = Self {
            home,
            entries,
            plan,
        };
        let arguments = ["report", "--html", &*results.home.path().to_string_lossy()];
        let output = program(&arguments).output().expect("started");
        let said = success(&arguments, &output);
        assert_eq!(said.trim(), results.page().to_string_lossy());
        results
    }

    fn page(&self) -> PathBuf {
        self.home.path().join("report.html")
    }

    fn url(&self) -> String {
        format!("file://{}", self.page().display())
    }
}

/// A browser with one tab.
struct Browser {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    session: Option<String>,
    calls: u64,
    events: Vec<Value>,
    _profile: TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The browser to use, or nothing when there is none and none is asked for.
fn browser() -> Option<Browser> {
    let asked = std::env::var("PATCHWORK_ARENA_BROWSER").unwrap_or_default();
    let required = asked == "required";
    let mut candidates = vec!["chromium", "chromium-browser", "google-chrome"];
    if !required && !asked.is_empty() {
        candidates = vec![asked.as_str()];
    }
    let works = |name: &&&str| {
        let version = Command::new(name)
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        version.is_ok_and(|output| output.status.success())
    };
    let found = candidates.iter().find(works);
    assert!(
        found.is_some() || asked.is_empty(),
        "PATCHWORK_ARENA_BROWSER={asked}, but there is none of {candidates:?}"
    );
    if found.is_none() {
        eprintln!("skipped: no browser (Debian: apt-get install chromium)");
    }
    found.map(|program| Browser::start(program))
}

impl Browser {
    fn start(program: &str) -> Self {
        let profile = tempfile::tempdir().expect("a folder for the browser");
        // The browser reads requests from descriptor 3 and writes answers to 4.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1", "sh", program])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
            ])
            .args(["--hide-scrollbars", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let requests = process.stdin.take().expect("piped");
        let answers = BufReader::new(process.stdout.take().expect("piped"));
        let mut browser = Self {
            process,
            requests,
            answers,
            session: None,
            calls: 0,
            events: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({"targetId": target["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut request = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&request).expect("plain data");
        bytes.push(0);
        self.requests.write_all(&bytes).expect("the browser reads");
        loop {
            let answer = self.next();
            if answer["id"] == self.calls {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    fn next(&mut self) -> Value {
        let mut bytes = Vec::new();
        let read = self
            .answers
            .read_until(0, &mut bytes)
            .expect("the browser answers");
        assert!(read > 0, "the browser has gone away");
        bytes.pop();
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// Opens an address anew in a window of this width.
    fn open(&mut self, url: &str, width: u32, scheme: &str) {
        let size =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let media = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]});
        self.call("Emulation.setEmulatedMedia", media);
        // Only an address that differs in more than its end loads the page anew.
        self.navigate("about:blank");
        self.navigate(url);
    }

    fn navigate(&mut self, url: &str) {
        let loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        let before = self.events.iter().filter(|event| loaded(event)).count();
        self.call("Page.navigate", json!({"url": url}));
        while self.events.iter().filter(|event| loaded(event)).count() == before {
            let event = self.next();
            self.events.push(event);
        }
    }

    fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true});
        let result = self.call("Runtime.evaluate", asked);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        result["result"]["value"].clone()
    }

    /// Waits until this holds.
    fn wait(&mut self, condition: &str) {
        let look = format!("if ({condition}) done(true); else setTimeout(look, 10);");
        let promise =
            format!("new Promise(done => {{ const look = () => {{ {look} }}; look(); }})");
        let asked = json!({"expression": promise, "awaitPromise": true, "returnByValue": true});
        let result = self.call("Runtime.evaluate", asked);
        assert_eq!(result["result"]["value"], true, "{condition}");
    }

    fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!(
            "document.querySelector({}).textContent",
            json!(selector)
        ));
        text.as_str().expect("text").to_owned()
    }

    /// The text of a part of the viewer.
    fn part(&mut self, name: &str) -> String {
        self.text(&format!("#viewer [data-part={name}]"))
    }

    fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }

    /// A click in the middle of an element.
    fn click(&mut self, selector: &str) {
        let at = self.eval(&format!(
            "(() => {{ const node = document.querySelector({}); \
             node.scrollIntoView({{behavior: 'instant', block: 'center'}}); \
             const box = node.getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2]; }})()",
            json!(selector)
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Nothing was complained about, and nothing asked of any network.
    fn assert_content(&self) {
        let is = |event: &&Value, names: &[&str]| names.iter().any(|name| event["method"] == *name);
        let complaints = [
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
            "Log.entryAdded",
        ];
        let complaints: Vec<_> = self
            .events
            .iter()
            .filter(|event| is(event, &complaints))
            .collect();
        assert!(complaints.is_empty(), "{complaints:#?}");
        let requests = self
            .events
            .iter()
            .filter(|event| is(event, &["Network.requestWillBeSent"]));
        for request in requests {
            let url = request["params"]["request"]["url"]
                .as_str()
                .expect("an address");
            let own = ["file:", "about:", "data:"]
                .iter()
                .any(|start| url.starts_with(start));
            assert!(own, "{url}");
        }
    }
}

#[test]
fn every_game_can_be_watched_to_its_end() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1200, "light");
    let names = results.plan.names();
    for entry in &results.entries {
        let (record, number) = (&entry.record, results.plan.number(entry.record.id));
        browser.eval(&format!("location.hash = 'game={number}&ply=0'"));
        assert_eq!(
            browser.part("ply"),
            format!("Ply 0 of {}", record.plies.len())
        );
        assert_eq!(browser.part("score0"), "-157");
        browser.click("#viewer h2");
        if number == 0 {
            // One by one, so that every position is drawn.
            for ply in 1..=record.plies.len() {
                browser.press("ArrowRight");
                assert_eq!(browser.eval("Number(viewer.dataset.ply)"), ply);
            }
        } else {
            browser.press("End");
        }
        for seat in [0, 1] {
            let part = |name: &str| format!("{name}{seat}");
            let agent = &names[usize::from(record.agents[seat])];
            assert_eq!(browser.part(&part("name")), *agent);
            assert_eq!(
                browser.part(&part("score")),
                record.scores[seat].to_string()
            );
            assert_eq!(
                browser.part(&part("buttons")),
                record.buttons[seat].to_string()
            );
            assert_eq!(browser.part(&part("space")), "53");
            let label = format!(
                "viewer.querySelector('[data-part=quilt{seat}]').getAttribute('aria-label')"
            );
            let label = browser.eval(&label);
            let covered = format!("{} squares covered", record.covered[seat]);
            assert!(
                label
                    .as_str()
                    .is_some_and(|label| label.ends_with(&covered)),
                "{label}"
            );
            // The area of the patches drawn is that of the squares covered.
            let drawn = browser.eval(&format!(
                "[...viewer.querySelectorAll('[data-part=quilt{seat}] .cloth')]\
                 .map(node => node.getAttribute('d').split('M').length - 1).reduce((a, b) => a + b, 0)"
            ));
            assert_eq!(drawn, record.covered[seat]);
        }
        let winner = &names[usize::from(record.winning_agent())];
        assert!(browser.part("text").contains(&format!("{winner} wins")));
        let text = ActionList(record.actions().expect("legal")).to_string();
        assert_eq!(browser.part("notation"), text);
        assert!(browser.part("notation-of").contains(&format!(
            "#{number}, {}",
            names[usize::from(record.agents[0])]
        )));
        let has_curve = record.plies.iter().any(|ply| ply.thought.value.is_some());
        assert_eq!(
            browser.eval("viewer.querySelector('[data-part=expectations]').hidden"),
            !has_curve
        );
        let address = format!("#game={number}&ply={}", record.plies.len());
        browser.wait(&format!("location.hash === '{address}'"));
    }
    browser.assert_content();
}

#[test]
fn the_viewer_obeys_keys_buttons_and_addresses() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    let record = &results.entries[0].record;
    let number = results.plan.number(record.id);
    browser.open(
        &format!("{}#game={number}&ply=12", results.url()),
        1200,
        "light",
    );
    let plies = record.plies.len();
    let at = |browser: &mut Browser| browser.eval("Number(viewer.dataset.ply)").as_u64();
    assert_eq!(browser.eval("Number(viewer.dataset.game)"), number);
    assert_eq!(at(&mut browser), Some(12));
    for (button, ply) in [
        ("forward", 13),
        ("last", plies),
        ("back", plies - 1),
        ("first", 0),
    ] {
        browser.click(&format!("#viewer [data-part={button}]"));
        assert_eq!(at(&mut browser), Some(ply as u64), "{button}");
    }
    for (key, ply) in [
        ("End", plies),
        ("ArrowLeft", plies - 1),
        ("Home", 0),
        ("ArrowRight", 1),
    ] {
        browser.press(key);
        assert_eq!(at(&mut browser), Some(ply as u64), "{key}");
    }
    // Agent 0 of the plan tells what it expects: its curve leads to the middle of the game.
    browser.click("#viewer [data-part=curve]");
    assert!(at(&mut browser).is_some_and(|at| at.abs_diff(plies as u64 / 2) <= 1));
    // It plays on by itself, as fast as it can, to the end.
    browser.eval("{ const speed = viewer.querySelector('[data-part=speed]'); speed.add(new Option('', '1')); speed.value = '1'; }");
    browser.click("#viewer [data-part=play]");
    browser.wait(&format!("viewer.dataset.ply === '{plies}'"));
    assert_eq!(browser.part("play"), "Play");
    // A ply that is not a number counts as 0, and one after the end as the end.
    browser.eval(&format!("location.hash = 'game={number}&ply=x'"));
    browser.wait("viewer.dataset.ply === '0'");
    browser.eval(&format!("location.hash = 'game={number}&ply=999'"));
    browser.wait(&format!("viewer.dataset.ply === '{plies}'"));
    browser.assert_content();
}

#[test]
fn a_link_to_a_game_that_the_page_does_not_hold_says_so() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    let number = results.plan.number(results.entries[0].record.id);
    for missing in ["99999", "x", "01"] {
        let url = format!("{}#game={missing}&ply=3", results.url());
        browser.open(&url, 1200, "light");
        let said = browser.part("missing");
        let start = format!("This page does not hold game {missing}. It holds 12 games,");
        assert!(said.starts_with(&start), "{said}");
        let shown = browser.eval("viewer.querySelector('[data-part=game]').checkVisibility()");
        assert_eq!(shown, false);
        // Keys and buttons step through nothing.
        browser.press("ArrowRight");
        browser.click("#viewer [data-part=play]");
        assert_eq!(browser.eval("viewer.dataset.game ?? null"), Value::Null);
    }
    // A game that is there is shown again.
    browser.eval(&format!("location.hash = 'game={number}&ply=2'"));
    browser.wait("viewer.dataset.ply === '2'");
    assert_eq!(browser.part("missing"), "");
    browser.assert_content();
}

#[test]
fn the_viewer_opens_at_the_largest_swing_of_the_strongest_agent() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1200, "light");
    // Agent 0 is the only one that expects anything, and the strongest.
    let mut largest = (0.0, 0, 0);
    for entry in &results.entries {
        let mut last: Option<f32> = None;
        for (ply, played) in (1_u64..).zip(&entry.record.plies) {
            let Some(value) = played.thought.value else {
                continue;
            };
            let swing = last.map_or(0.0, |last| (value - last).abs());
            if swing > largest.0 {
                largest = (swing, results.plan.number(entry.record.id), ply);
            }
            last = Some(value);
        }
    }
    assert_eq!(browser.eval("Number(viewer.dataset.game)"), largest.1);
    assert_eq!(browser.eval("Number(viewer.dataset.ply)"), largest.2);
    let current = "viewer.querySelector('[data-part=swings] [aria-current]').textContent";
    let current = browser.eval(current);
    let start = format!("1 Ply {}: ", largest.2);
    assert!(
        current
            .as_str()
            .is_some_and(|text| text.starts_with(&start)),
        "{current}"
    );
    // Each swing has a mark on the curve; its button leads there, by keyboard, too.
    let count = "viewer.querySelectorAll('.curve .swing').length";
    assert_eq!(
        browser.eval(count),
        browser.eval("viewer.querySelectorAll('[data-part=swings] button').length")
    );
    browser.press("Home");
    browser.eval("viewer.querySelector('[data-part=swings] button').focus()");
    browser.press("Enter");
    assert_eq!(browser.eval("Number(viewer.dataset.ply)"), largest.2);
    browser.assert_content();
}

#[test]
fn the_page_follows_theme_and_width_and_escapes_names() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    let brightness = "(() => { const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number); return r + g + b; })()";
    browser.open(&results.url(), 1200, "light");
    assert!(browser.eval(brightness).as_f64() > Some(600.0));
    for name in [SEARCHER, GREEDY, RANDOM] {
        let cells = "[...document.querySelectorAll('#standings th')].map(cell => cell.textContent.replace(/ [*]$/, ''))";
        let cells = browser.eval(cells);
        let cells = cells.as_array().expect("a list");
        assert!(cells.iter().any(|cell| *cell == name), "{name}: {cells:?}");
    }
    browser.open(&results.url(), 1200, "dark");
    assert!(browser.eval(brightness).as_f64() < Some(150.0));
    let ink = "(() => { const [r] = getComputedStyle(document.querySelector('.plot text')).fill.match(/[\\d.]+/g).map(Number); return r; })()";
    assert!(
        browser.eval(ink).as_f64() > Some(100.0),
        "labels of plots are bright"
    );
    // The button goes from what the system wants to light.
    browser.click("#theme");
    assert!(browser.eval(brightness).as_f64() > Some(600.0));

    browser.open(&results.url(), 360, "light");
    assert_eq!(browser.eval("document.documentElement.scrollWidth"), 360);
    let wide = "[...document.querySelectorAll('main *')].filter(node => node.getBoundingClientRect().right > 361 \
                && !node.closest('.box, .plot-box, .track-box, .hidden, svg')).map(node => node.outerHTML.slice(0, 80))";
    assert_eq!(browser.eval(wide), json!([]));
    browser.assert_content();
}

#[test]
fn without_scripts_the_numbers_are_there() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    browser.open(&results.url(), 1200, "light");
    // The debugger's own script runs all the same.
    let shown =
        "[...document.querySelectorAll('SELECTOR')].filter(node => node.checkVisibility()).length";
    let mut count = |selector: &str| browser.eval(&shown.replace("SELECTOR", selector)).as_u64();
    assert!(count("main section table") >= Some(10));
    assert!(count("main svg.plot") >= Some(5));
    assert_eq!(count("#viewer .quilt"), Some(2));
    assert!(count("#viewer .quilt .cloth") > Some(60));
    assert_eq!(count("#viewer .static"), Some(1));
    assert_eq!(count("#viewer button, #viewer select, #theme"), Some(0));
    browser.assert_content();
}

#[test]
fn pages_of_hardly_any_games_have_nothing_to_complain_of() {
    let Some(mut browser) = browser() else { return };
    for games in 0..3 {
        let results = Results::of(2, games);
        browser.open(&results.url(), 360, "dark");
        assert_eq!(browser.eval("document.querySelectorAll('h1').length"), 1);
        assert_eq!(
            browser.eval("document.querySelectorAll('#viewer').length"),
            u32::from(games > 0)
        );
        assert_eq!(browser.eval("document.documentElement.scrollWidth"), 360);
        browser.assert_content();
    }
}

#[test]
fn the_page_of_a_knock_out_has_its_bracket() {
    let Some(mut browser) = browser() else { return };
    let results = Results::knock_out();
    browser.open(&results.url(), 360, "light");
    assert_eq!(browser.text("nav a[href='#course']"), "Bracket");
    let champion = browser.text("#course > p strong");
    assert_eq!(browser.text(".cards .value"), champion);
    assert_eq!(browser.text(".bracket > li:last-child h3"), "Final");
    assert_eq!(
        browser.text(".bracket > li:last-child .winner span"),
        champion
    );
    assert_eq!(browser.eval("document.documentElement.scrollWidth"), 360);
    browser.assert_content();
}
