//! Headless Chromium, controlled by its own protocol over pipes. A browser is started for each thread of the tests; each
//! test has a context of its own in it, with its own storage.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};

use patchwork_test_support::program::LONG;

/// A tab of a browser, in a context of its own.
pub(crate) struct Browser {
    /// `None` only while it is dropped.
    process: Option<Process>,
    context: Value,
    session: Option<String>,
    events: Vec<Value>,
}

/// A browser that runs. It ends by itself when its pipes are closed.
struct Process {
    _shell: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    calls: u64,
}

/// Browsers that no test uses at the moment.
static IDLE: Mutex<Vec<Process>> = Mutex::new(Vec::new());

impl Drop for Browser {
    fn drop(&mut self) {
        // After a test that failed, the state of the browser is not known.
        if std::thread::panicking() {
            return;
        }
        self.session = None;
        let context = json!({"browserContextId": self.context});
        self.call("Target.disposeBrowserContext", context);
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.process.take());
    }
}

/// A tab in the browser to use; `None` if there is none and none is required.
pub(crate) fn browser() -> Option<Browser> {
    static PROGRAM: OnceLock<Option<String>> = OnceLock::new();
    let program = PROGRAM.get_or_init(program).as_ref()?;
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    Some(Browser::new(
        idle.unwrap_or_else(|| Process::start(program)),
    ))
}

/// The program of the browser, if there is one.
fn program() -> Option<String> {
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
    found.map(|&program| program.to_owned())
}

impl Process {
    fn start(program: &str) -> Self {
        // The browser reads requests from descriptor 3 and writes answers to descriptor 4. The shell waits for it and
        // removes its folder.
        let script = "folder=$(mktemp -d) && \"$@\" --user-data-dir=\"$folder\" 3<&0 4>&1; rm -rf \"$folder\"";
        let mut shell = Command::new("sh")
            .args(["-c", script, "sh", program])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
            ])
            // Names that end so are this machine, without encryption.
            .arg("--host-resolver-rules=MAP *.test 127.0.0.1")
            .args(["--hide-scrollbars", "--remote-debugging-pipe"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        Self {
            requests: shell.stdin.take().expect("piped"),
            answers: BufReader::new(shell.stdout.take().expect("piped")),
            calls: 0,
            _shell: shell,
        }
    }

    /// Sends a request and returns its number.
    fn send(&mut self, mut request: Value) -> u64 {
        self.calls += 1;
        request["id"] = json!(self.calls);
        let mut bytes = serde_json::to_vec(&request).expect("plain data");
        bytes.push(0);
        self.requests.write_all(&bytes).expect("the browser reads");
        self.calls
    }

    /// The next answer or event.
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
}

impl Browser {
    fn new(process: Process) -> Self {
        let mut browser = Self {
            process: Some(process),
            context: Value::Null,
            session: None,
            events: Vec::new(),
        };
        let context = browser.call("Target.createBrowserContext", json!({}));
        browser.context = context["browserContextId"].clone();
        let tab = json!({"url": "about:blank", "browserContextId": browser.context});
        let target = browser.call("Target.createTarget", tab);
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

    fn process(&mut self) -> &mut Process {
        self.process.as_mut().expect("it is not dropped")
    }

    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        let mut request = json!({"method": method, "params": parameters});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        let call = self.process().send(request);
        loop {
            let answer = self.next();
            if answer["id"] == call {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    /// The next answer or event of this tab.
    fn next(&mut self) -> Value {
        loop {
            let message = self.process().next();
            // A context that was disposed of may still have sent events.
            if message["sessionId"].as_str() == self.session.as_deref() {
                return message;
            }
        }
    }

    /// Opens an address in a window of this width.
    pub(crate) fn open(&mut self, url: &str, width: u32, scheme: &str) {
        let size =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let media = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]});
        self.call("Emulation.setEmulatedMedia", media);
        let open = self.eval("location.href");
        let open = open.as_str().expect("an address");
        if open == url {
            self.load("Page.reload", json!({}));
            self.unfold();
            return;
        }
        // Navigating to an address that differs only in its fragment would not reload the page.
        let page = url.split('#').next();
        if open.split('#').next() == page {
            self.navigate("about:blank");
        }
        self.navigate(url);
        self.unfold();
    }

    /// Opens the questions of a report, so that what is folded is measured, too.
    fn unfold(&mut self) {
        self.eval("document.querySelectorAll('details.question').forEach(folded => { folded.open = true; })");
    }

    pub(crate) fn navigate(&mut self, url: &str) {
        self.load("Page.navigate", json!({"url": url}));
    }

    /// Waits until a page is loaded that this call loads.
    fn load(&mut self, method: &str, parameters: Value) {
        let loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        let before = self.events.iter().filter(|event| loaded(event)).count();
        self.call(method, parameters);
        while self.events.iter().filter(|event| loaded(event)).count() == before {
            let event = self.next();
            self.events.push(event);
        }
    }

    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true});
        let result = self.call("Runtime.evaluate", asked);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        result["result"]["value"].clone()
    }

    /// The value that a promise is resolved with.
    pub(crate) fn resolve(&mut self, promise: &str) -> Value {
        let asked = json!({"expression": promise, "awaitPromise": true, "returnByValue": true});
        let result = self.call("Runtime.evaluate", asked);
        assert!(result["exceptionDetails"].is_null(), "{result}");
        result["result"]["value"].clone()
    }

    /// Waits until this holds.
    pub(crate) fn wait(&mut self, condition: &str) {
        let most = LONG.as_millis();
        let look = format!(
            "if ({condition}) done(true); \
             else if (performance.now() - start > {most}) done(document.body.innerText); else setTimeout(look, 10);"
        );
        let promise = format!(
            "new Promise(done => {{ const start = performance.now(); const look = () => {{ {look} }}; look(); }})"
        );
        assert_eq!(self.resolve(&promise), true, "{condition}");
    }

    /// Clicks the element of an expression as soon as it is drawn: the state of a page can be ahead of that.
    pub(crate) fn choose(&mut self, element: &str) {
        self.wait(&format!(
            "(found => {{ found?.click(); return found instanceof Element; }})({element})"
        ));
    }

    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!(
            "document.querySelector({}).textContent",
            json!(selector)
        ));
        text.as_str().expect("text").to_owned()
    }

    /// The text of a part of the viewer.
    pub(crate) fn part(&mut self, name: &str) -> String {
        self.text(&format!("#viewer [data-part={name}]"))
    }

    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key});
            // The browser presses a focused button only for an Enter key with text.
            if key == "Enter" && kind == "keyDown" {
                event["text"] = json!("\r");
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Waits until the page shows what it holds: it draws in the next frame.
    pub(crate) fn drawn(&mut self) {
        self.resolve(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))",
        );
    }

    /// Moves the pointer to a relative position in an element.
    pub(crate) fn point(&mut self, selector: &str, x: f64, y: f64) {
        self.drawn();
        let at = self.eval(&format!(
            "(() => {{ const node = document.querySelector({}); \
             node.scrollIntoView({{behavior: 'instant', block: 'center'}}); \
             const box = node.getBoundingClientRect(); \
             return [box.left + box.width * {x}, box.top + box.height * {y}]; }})()",
            json!(selector)
        ));
        let event = json!({"type": "mouseMoved", "x": at[0], "y": at[1]});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// A click in the middle of an element.
    pub(crate) fn click(&mut self, selector: &str) {
        self.drawn();
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

    /// Checks that there were no errors and no network requests.
    pub(crate) fn assert_content(&self) {
        self.assert_content_within(&["file:", "about:", "data:"]);
    }

    /// Checks that there were no errors, and no requests except to addresses with these prefixes.
    pub(crate) fn assert_content_within(&self, own: &[&str]) {
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
            assert!(own.iter().any(|start| url.starts_with(start)), "{url}");
        }
    }
}
