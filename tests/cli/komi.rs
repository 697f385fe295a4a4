//! Games with a komi: buttons that the second player has more at the start.

use patchwork_test_support::program::{Workspace, rows, small};

/// A workspace in which a tournament was played with and without a komi.
fn played() -> Workspace {
    let home = Workspace::new();
    let komi = small("komi", 2).replace("original", "revised+4");
    home.write("tournaments/komi.toml", &komi);
    let plain = small("plain", 2).replace("original", "revised");
    home.write("tournaments/plain.toml", &plain);
    for name in ["komi", "plain"] {
        let command = format!("run tournaments/{name}.toml --quiet");
        home.once(&format!("results/{name}"), name, &command);
    }
    home
}

#[test]
fn games_with_a_komi_are_stored_reported_exported_and_checked() {
    let home = played();
    let (komi, plain) = (home.games("results/komi"), home.games("results/plain"));
    assert_eq!(komi.len(), plain.len());
    for (with, without) in komi.iter().zip(&plain) {
        assert_eq!(
            (&with["track"], &without["track"]),
            (&"revised+4".into(), &"revised".into())
        );
        assert_eq!(
            with["ring"], without["ring"],
            "the rings do not depend on the komi"
        );
    }
    assert_ne!(komi[0]["actions"], plain[0]["actions"]);
    assert_eq!(home.report("results/komi")["track"], "revised+4");
    let text = home.ok("report results/komi");
    assert!(text.contains(" revised+4 track"), "{text}");
    home.ok("verify results/komi --sample 8 -q");
    for format in ["tsv", "pgn"] {
        let games = home.ok(&["export", "results/komi", "--format", format]);
        let file = format!("games.{format}");
        home.write(&file, &games);
        let found = home.ok(&["verify", &file]);
        assert_eq!(found, format!("{} games, 0 mismatches\n", komi.len()));
        // With the usual buttons, some of these games are illegal or end in other scores.
        home.write(&file, &games.replace("revised+4", "revised"));
        assert_eq!(home.run(&["verify", &file]).status.code(), Some(1));
    }
    let shown = home.ok("play random greedy-inorder --track original+3 --show");
    assert!(shown.contains("original+3 track"), "{shown}");
}

#[test]
fn games_with_and_without_a_komi_are_never_mixed() {
    let home = played();
    let file = home.text("tournaments/komi.toml");
    for other in ["revised", "revised+5"] {
        home.write("tournaments/komi.toml", &file.replace("revised+4", other));
        home.refuses("run tournaments/komi.toml --quiet", "track: revised+4");
    }
    home.refuses(
        "import results/komi results/plain --into both",
        "track: revised+4, revised",
    );
    // Ratings count the games of both folders.
    let games = home.report("results/komi")["games"]
        .as_u64()
        .expect("a number");
    let rated = home.json("rate results/komi results/plain --format json");
    assert_eq!(rated["games"].as_u64(), Some(2 * games));
}

#[test]
fn a_komi_that_is_no_number_is_refused() {
    let home = Workspace::new();
    for [track, expected] in rows(
        "
        original+0 => 'original+0' has no komi; expected original+1 to original+99
        original+100 => 'original+100' has no komi
        new+1 => 'new+1' is not a track; expected original or revised, or with a komi
    ",
    ) {
        let text = small("t", 2).replace("original", track);
        home.write("tournaments/t.toml", &text);
        home.refuses("run tournaments/t.toml", &format!("t.toml ... {expected}"));
        home.refuses(&["play", "random", "random", "--track", track], expected);
    }
}
