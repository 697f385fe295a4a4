//! Access: certificates, credentials, passwords, and a missing server.

use std::process::Command;
use std::time::Duration;

use patchwork_fleet::FleetLink as _;
use patchwork_fleet::nats::{NatsFleet, NatsOptions};

use crate::fleet::{Process, Server, free_port};
use patchwork_test_support::program::{Workspace, data, expect_in, small, text, wait_until};

/// Checks that a worker and a collector with these arguments play a tournament.
fn plays(home: &Workspace, arguments: &[&str]) {
    let start = |command: &[&str]| Process::spawn(home.command(&[command, arguments].concat()));
    let mut worker = start(&["fleet", "worker", "-q", "--threads", "1"]);
    home.write("tournaments/t.toml", &small("t", 1));
    let mut collector = start(&["fleet", "start", "tournaments/t.toml", "-q"]);
    wait_until("it is complete", || {
        collector.has_ended() || worker.has_ended()
    });
    worker.signal("-INT");
    for process in [worker, collector] {
        let (code, _, err) = process.end();
        assert_eq!(code, Some(0), "{err}");
    }
    home.ok("run tournaments/t.toml --results once --quiet");
    let [fleet, once] = ["results/t", "once/t"].map(|dir| home.export(dir));
    assert!(fleet == once);
}

/// The error of a worker that cannot connect.
fn refused(home: &Workspace, arguments: &[&str]) -> String {
    let sentence = home.refused(&[&["fleet", "worker"], arguments].concat());
    assert!(sentence.starts_with("error: --nats: "), "{sentence}");
    sentence
}

fn openssl(home: &Workspace, arguments: &str) {
    let mut command = Command::new("openssl");
    command
        .args(arguments.split(' '))
        .current_dir(home.path(""));
    let output = command.output().expect("openssl");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// A certificate authority with its key, and a certificate signed by it.
fn certificates(home: &Workspace) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    openssl(
        home,
        &format!("req -x509 {key} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem"),
    );
    home.write("server.ext", "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
    home.write("client.ext", "extendedKeyUsage=clientAuth\n");
    for name in ["server", "client"] {
        openssl(
            home,
            &format!("req {key} -subj /CN={name} -keyout {name}.key -out {name}.csr"),
        );
        openssl(
            home,
            &format!(
                "x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile {name}.ext -out {name}.pem"
            ),
        );
    }
}

#[test]
fn certificates_encrypt_and_identify() {
    let home = Workspace::new();
    certificates(&home);
    let [cert, key, ca] =
        ["server.pem", "server.key", "ca.pem"].map(|name| home.path(name).display().to_string());
    let settings = format!(
        "tls {{ cert_file: \"{cert}\", key_file: \"{key}\", ca_file: \"{ca}\", verify: true }}\n"
    );
    let Some(server) = Server::configured(&home, &settings) else {
        return;
    };
    let url = server.url().replace("nats://", "tls://");
    let client = [
        "--nats",
        &url,
        "--tls-cert",
        "client.pem",
        "--tls-key",
        "client.key",
    ];
    plays(&home, &[&client[..], &["--tls-ca", "ca.pem"]].concat());
    // The server's authority is unknown; the client has no certificate; a file does not exist.
    refused(&home, &client);
    refused(&home, &["--nats", &url, "--tls-ca", "ca.pem"]);
    let sentence = refused(&home, &["--nats", &url, "--tls-ca", "missing.pem"]);
    expect_in(&sentence, "missing.pem: cannot be read");
}

#[test]
fn a_connection_without_encryption_is_refused_if_asked_to() {
    let home = Workspace::new();
    let Some(server) = Server::start(&home) else {
        return;
    };
    refused(&home, &["--nats", &server.url(), "--tls"]);
}

#[test]
fn a_credentials_file_opens_a_server_with_accounts() {
    let home = Workspace::new();
    let settings = std::fs::read_to_string(data("nats/operator.conf")).expect("readable");
    let Some(server) = Server::configured(&home, &settings) else {
        return;
    };
    // Old servers lose the files of an account that several clients open for the first time at once.
    let options = NatsOptions {
        credentials: Some(data("nats/user.creds")),
        ..server.options()
    };
    let link = NatsFleet::connect(&options).expect("a connection");
    link.prepare(Duration::from_secs(5)).expect("prepared");
    let credentials = data("nats/user.creds").display().to_string();
    plays(&home, &["--nats", &server.url(), "--creds", &credentials]);
    refused(&home, &["--nats", &server.url()]);
    home.write("bad.creds", "nothing\n");
    let sentence = refused(&home, &["--nats", &server.url(), "--creds", "bad.creds"]);
    assert!(sentence.contains("bad.creds: "), "{sentence}");
}

#[test]
fn a_token_in_the_address_admits_and_is_not_shown() {
    let home = Workspace::new();
    let settings = "authorization { token: secret }\n";
    let Some(server) = Server::configured(&home, settings) else {
        return;
    };
    let with = |token: &str| server.url().replace("nats://", &format!("nats://{token}@"));
    plays(&home, &["--nats", &with("secret")]);
    let sentence = refused(&home, &["--nats", &with("hidden")]);
    assert!(!sentence.contains("hidden"), "{sentence}");
    refused(&home, &["--nats", &server.url()]);
}

#[test]
fn a_user_with_a_password_is_admitted_and_the_password_is_not_shown() {
    let home = Workspace::new();
    let settings = "authorization { user: fleet, password: secret }\n";
    let Some(server) = Server::configured(&home, settings) else {
        return;
    };
    let with = |user: &str| server.url().replace("nats://", &format!("nats://{user}@"));
    plays(&home, &["--nats", &with("fleet:secret")]);
    for sentence in [
        refused(&home, &["--nats", &server.url()]),
        refused(&home, &["--nats", &with("fleet:wrong")]),
    ] {
        let start = format!("error: --nats: {}: ", server.url());
        assert!(sentence.starts_with(&start), "{sentence}");
    }
}

#[test]
fn a_server_that_is_not_there_gets_one_sentence() {
    let home = Workspace::new();
    let url = format!("nats://127.0.0.1:{}", free_port());
    for command in [
        &["fleet", "worker", "--nats", &url][..],
        &["fleet", "start", "tournaments/small.toml", "--nats", &url],
    ] {
        let output = home.run(command);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.starts_with(&format!("error: --nats: {url}: ")),
            "{said}"
        );
        assert!(!home.path("results").exists());
    }
    let sentence = refused(&home, &["--nats", &url, "--creds", "missing.creds"]);
    expect_in(&sentence, "missing.creds: cannot be read");
    for bad in ["a.b", "", "a b"] {
        home.refuses(
            &["fleet", "worker", "--nats", &url, "--fleet", bad],
            "--fleet",
        );
    }
}
