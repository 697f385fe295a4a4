//! Solitaire battleships against the instances of `tests/data/systems/battleships.txt`.

use std::collections::BTreeSet;

use patchwork_engine::search::Stop;
use patchwork_papers::puzzle::{Battleships, Fleet, generate};

use patchwork_test_support::program::{rows, section};

fn read(name: &str) -> (String, Battleships) {
    let text = section("systems/battleships.txt", name);
    let instance = text.parse().expect("an instance");
    (text, instance)
}

/// Solves an instance, checks the number of solutions and each of them, and returns the picture of the first
/// one.
#[track_caller]
fn has_stated_solutions(instance: &Battleships) -> Vec<String> {
    let result = instance.solve(u64::MAX, 10_000, &Stop::new(), &mut |_| ());
    assert!(result.complete);
    assert_eq!(Some(result.counts.solutions), instance.stated_solutions());
    let different: BTreeSet<_> = result.grids.iter().collect();
    assert_eq!(different.len() as u64, result.counts.solutions);
    for grid in &result.grids {
        assert!(instance.is_solved_by(grid), "{grid}");
    }
    result.grids[0].picture()
}

#[track_caller]
fn is_as_stated(name: &str) {
    let (text, instance) = read(name);
    let lines = text.lines().skip_while(|line| *line != "solution").skip(1);
    let stated: Vec<&str> = lines.collect();
    assert_eq!(has_stated_solutions(&instance), stated, "{name}");
    has_stated_solutions(&instance.without_hints());
}

#[test]
fn instances_have_the_stated_solutions() {
    for name in [
        "csplib-12620",
        "csplib-1623",
        "csplib-850",
        "games-1998-08-no1",
    ] {
        is_as_stated(name);
    }
    has_stated_solutions(&read("csplib-698").1);
    has_stated_solutions(&read("eclipse-example").1);
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn more_instances_have_the_stated_solutions_in_full() {
    for name in ["csplib-698", "eclipse-example", "sb_15_15_7_0"] {
        is_as_stated(name);
    }
}

#[test]
#[ignore = "a simulation"]
fn generated_instances_have_one_solution() {
    for (size, fleet, seeds) in [
        ((6, 6), "3x1 2x2 1x3", 0..6),
        ((10, 10), "4x1 3x2 2x3 1x4", 0..2),
    ] {
        let fleet: Fleet = fleet.parse().expect("a fleet");
        let mut different = BTreeSet::new();
        for seed in seeds.clone() {
            let (instance, grid) = generate(size, &fleet, seed, &Stop::new())
                .expect("it fits")
                .expect("not stopped");
            assert_eq!(has_stated_solutions(&instance), grid.picture());
            let read: Battleships = instance.to_string().parse().expect("as written");
            assert_eq!(read, instance);
            if seed == 0 {
                let again = generate(size, &fleet, seed, &Stop::new());
                assert_eq!(again, Ok(Some((instance, grid.clone()))));
            }
            different.insert(grid);
        }
        assert_eq!(different.len() as u64, seeds.end);
    }
}

#[test]
fn mistakes_are_named() {
    let (text, _) = read("games-1998-08-no1");
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1).parse::<Battleships>()
    };
    for [from, to, sentence] in rows(
        "
        rows 0 2 => rows 1 2 => the rows have 21 occupied squares, the columns 20 and the ships 20; expected the same number
        size 10 10 => size 10 => line 2: size: found '10'; expected rows and columns, each 1 to 24
        size 10 10 => size 100 10 => line 2: size: found '100 10'; expected rows and columns, each 1 to 24
        fleet 4x1 => fleet 4 => line 5: fleet: '4' is not a length and a number of ships; expected parts such as 3x2, two ships of length 3
        cols 1 => colls 1 => line 4: unknown key `colls`; expected size, rows, cols, fleet, grid, solutions, solutions-without-hints or solution
        rows 0 2 3 => rows 0 2 x => line 3: rows: found 'x'; expected a number
        c......... => c....q.... => line 14: grid: found 'c....q....'; expected squares such as . w c l r t b m
        c......... => c.. => line 14: grid: found 'c..'; expected 10 squares
        c......... => cc........ => the hint 'c' on b8 contradicts 'c' on a8
        c......... => r......... => the hint 'r' on a8 contradicts the border of the board
        c......... => c.c....... => the hints show 2 occupied squares in row 8, whose sum is 1
        fleet 4x1 3x2 2x3 1x4 => fleet 20x1 => a ship of length 20 does not fit on the board
        ",
    ) {
        let error = with(from, to).expect_err(to);
        assert_eq!(error.to_string(), sentence);
    }
    let missing = text.replace("fleet", "# fleet").parse::<Battleships>();
    assert_eq!(
        missing.expect_err("no fleet").to_string(),
        "missing key `fleet`"
    );
}
