//! Chromium without a window, driven through ChromeDriver by the WebDriver protocol (W3C, <https://www.w3.org/TR/webdriver2/>): JSON over
//! HTTP, of which the tests need few commands.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Once;
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page, which ends with this value.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// The driver's messages; it must be able to write them.
    _output: BufReader<ChildStdout>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// A new browser; `None` where Chromium is not installed, which is said on standard error beside the results of the tests.
    pub(crate) fn start() -> Option<Browser> {
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut driver = driver.map_err(not_tested).ok()?;
        let mut output = BufReader::new(driver.stdout.take().expect("a pipe"));
        let port = output.by_ref().lines().map_while(Result::ok).find_map(|line| {
            line.strip_prefix("ChromeDriver was started successfully on port ")?.trim_end_matches('.').parse().ok()
        });
        let profile = tempfile::tempdir().expect("a directory");
        let (port, session) = (port.expect("a port"), String::new());
        let mut browser = Browser { driver, port, session, _output: output, _profile: profile };
        let args = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ];
        let mut args: Vec<String> = args.map(str::to_string).into();
        args.push(format!("--user-data-dir={}", browser._profile.path().display()));
        let wanted = json!({ "goog:chromeOptions": { "args": args }, "goog:loggingPrefs": { "browser": "ALL" } });
        let begun = browser.send("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        browser.session = begun["sessionId"].as_str().expect("a session").to_string();
        Some(browser)
    }

    /// Opens a file, and demands that the page reports no error.
    pub(crate) fn open(&self, page: &Path) {
        self.command("POST", "url", &json!({ "url": format!("file://{}", page.display()) }));
        self.run("return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
        self.expect_no_errors();
    }

    /// Demands that the page has reported no error, such as a script that fails or something that cannot be loaded.
    pub(crate) fn expect_no_errors(&self) {
        let log = self.command("POST", "se/log", &json!({ "type": "browser" }));
        assert_eq!(log, json!([]));
    }

    /// The value of a function's body.
    pub(crate) fn run(&self, body: &str) -> Value {
        self.command("POST", "execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// The text of the first element that fits.
    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.run(&format!("return document.querySelector({selector:?})?.textContent"));
        text.as_str().unwrap_or_else(|| panic!("no {selector}")).to_string()
    }

    /// The number of elements that fit.
    pub(crate) fn count(&self, selector: &str) -> u64 {
        self.run(&format!("return document.querySelectorAll({selector:?}).length")).as_u64().expect("a number")
    }

    /// Presses keys, one after the other; special ones are those of WebDriver's table.
    pub(crate) fn press(&self, keys: &str) {
        let press = |key: char| [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        let actions: Vec<Value> = keys.chars().flat_map(press).collect();
        self.command("POST", "actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Changes the size of the window, in pixels.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.command("POST", "window/rect", &json!({ "width": width, "height": height }));
    }

    /// Demands that a page fits narrow and wide windows in both themes. With `KERF_SCREENSHOTS=DIR`, pictures of it stay there for people to
    /// look at.
    pub(crate) fn expect_fit(&self, name: &str, page: &Path) {
        let pictures = std::env::var_os("KERF_SCREENSHOTS").map(PathBuf::from);
        for width in [500, 1400] {
            self.resize(width, 1000);
            self.open(page);
            let sizes = self.run("return [document.documentElement.scrollWidth, innerWidth]");
            assert!(sizes[0].as_u64() <= sizes[1].as_u64(), "{name} at {width}: {sizes}");
            let height = self.run("return document.documentElement.scrollHeight").as_u64();
            self.resize(width, height.expect("a number") as u32);
            self.open(page);
            let colours = ["light", "dark"].map(|theme| {
                let choose = "if (document.getElementById('theme').textContent === arguments[0]) theme.click();";
                self.run(&choose.replace("arguments[0]", &format!("'{theme}'")));
                if let Some(dir) = &pictures {
                    let file = dir.join(format!("{name}-{width}-{theme}.png"));
                    std::fs::write(file, self.screenshot()).expect("a picture");
                }
                self.run("return getComputedStyle(document.body).backgroundColor")
            });
            assert_ne!(colours[0], colours[1], "{name}");
        }
    }

    /// A picture of the window as PNG.
    fn screenshot(&self) -> Vec<u8> {
        from_base_64(self.command("GET", "screenshot", &Value::Null).as_str().expect("text"))
    }

    fn command(&self, method: &str, command: &str, body: &Value) -> Value {
        self.send(method, &format!("/session/{}/{command}", self.session), body)
    }

    /// The value that answers a request.
    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, body) = self.request(method, path, body).expect("an answer");
        assert!(status.contains(" 200 "), "{path}: {body}");
        serde_json::from_str::<Value>(&body).expect("JSON")["value"].take()
    }

    /// The first line and the body of the driver's answer.
    fn request(&self, method: &str, path: &str, body: &Value) -> std::io::Result<(String, String)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
        // The driver leaves connections open, so the answer's length says where it ends.
        let mut answer = BufReader::new(stream);
        let (mut status, mut line, mut length) = (String::new(), String::new(), 0);
        answer.read_line(&mut status)?;
        while line != "\r\n" {
            line.clear();
            if answer.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let known = line.to_ascii_lowercase().strip_prefix("content-length:").and_then(|n| n.trim().parse().ok());
            length = known.unwrap_or(length);
        }
        let mut text = vec![0; length];
        answer.read_exact(&mut text)?;
        Ok((status, String::from_utf8_lossy(&text).into_owned()))
    }
}

/// Says, once, that the tests in a browser do not run. Not by a macro: what those print is shown for failing tests only.
fn not_tested(error: std::io::Error) {
    static SAID: Once = Once::new();
    let say = || writeln!(std::io::stderr(), "NOT TESTED: pages in a browser (chromedriver: {error})");
    SAID.call_once(|| say().expect("standard error"));
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session, also after a failure.
        let _ = self.request("DELETE", &format!("/session/{}", self.session), &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The bytes that a text in base 64 stands for (RFC 4648, 4).
fn from_base_64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let text = text.trim_end_matches('=').as_bytes();
    text.chunks(4)
        .flat_map(|group| {
            let number = group.iter().fold(0, |number, c| number << 6 | digit(*c)) << (6 * (4 - group.len()));
            number.to_be_bytes()[1..group.len()].to_vec()
        })
        .collect()
}
