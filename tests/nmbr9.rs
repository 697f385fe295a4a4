//! Nmbr9 against reference numbers and against the rules, square by square.

use patchwork_engine::search::Stop;
use patchwork_papers::puzzle::nmbr9::{
    BeamSettings, Layout, LayoutFault, NmbrModel, NmbrVariant, Optimum, Part, PlacedPart, solve,
};

const PARTS: &str = include_str!("data/systems/nmbr9-parts.txt");
/// The best layout of the standard game found by the beam search.
const BEST: &str = include_str!("data/systems/nmbr9-best.tsv");
const OPTIMA: &str = include_str!("data/systems/nmbr9.tsv");

#[test]
fn parts_are_as_given() {
    let blocks: Vec<&str> = PARTS
        .split("\n\n")
        .filter(|block| block.starts_with("part"))
        .collect();
    assert_eq!(blocks.len(), 10);
    for block in blocks {
        let head: Vec<&str> = block.lines().next().expect("a line").split(' ').collect();
        let part = part(head[1].parse().expect("a value"));
        assert_eq!(part.area().to_string(), head[3]);
        assert_eq!(part.turns().len().to_string(), head[5]);
        let cells = part.turns()[0].cells.iter();
        let cells: Vec<String> = cells.map(|(r, c)| format!("{r},{c}")).collect();
        let last = block.trim_end().lines().last().expect("a line");
        assert_eq!(format!("cells {}", cells.join(" ")), last);
    }
}

fn part(value: u8) -> Part {
    Part::new(value).expect("0 to 9")
}

/// The instances of the reference: name, variant, optimum.
fn instances() -> impl Iterator<Item = (String, NmbrVariant, Option<u32>)> {
    OPTIMA.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| fields[i].parse::<usize>().expect("a number");
        let max_value = number(3) as u8;
        let deck = match fields[2] {
            "" => None,
            deck => Some(NmbrVariant::parse_deck(deck, max_value).expect("a deck")),
        };
        let variant = NmbrVariant {
            deck,
            max_value,
            copies: number(4),
            cards: number(5),
            grid: number(6),
            levels: number(8),
        };
        (fields[0].to_owned(), variant, fields[9].parse().ok())
    })
}

fn solved(variant: &NmbrVariant) -> Optimum {
    solve(variant, &[], &Stop::new(), &mut |_, _| ()).expect("a variant")
}

#[test]
fn optima_are_the_references() {
    let mut count = 0;
    for (name, variant, expected) in instances() {
        let optimum = solved(&variant);
        let score = optimum.layout.map(|layout| layout.check(variant.usable()));
        assert_eq!(score.transpose(), Ok(expected), "{name}");
        assert!(optimum.proven, "{name}");
        assert_eq!(optimum.bound, expected.unwrap_or(0), "{name}");
        count += 1;
    }
    assert_eq!(count, 25);
}

fn free(max_value: u8, cards: usize, grid: usize, levels: usize) -> NmbrVariant {
    NmbrVariant {
        deck: None,
        max_value,
        copies: 2,
        cards,
        grid,
        levels,
    }
}

#[test]
fn the_instance_of_the_paper_is_proven() {
    let optimum = solved(&free(6, 5, 8, 3));
    let layout = optimum.layout.expect("a layout");
    assert_eq!((layout.check(6), optimum.proven), (Ok(19), true));
    let mut split = layout.values_by_level();
    split.iter_mut().for_each(|level| level.sort_unstable());
    assert_eq!(split, [vec![2, 2], vec![1, 6], vec![6]]);
}

#[test]
#[ignore = "takes half a minute"]
fn larger_free_drafts_are_proven_in_full() {
    for (max_value, cards, expected) in [(6, 6, 23), (9, 5, 34), (9, 6, 40), (9, 7, 51), (6, 8, 38)]
    {
        let variant = free(max_value, cards, 22, 10);
        let beam = BeamSettings::default();
        let optimum = solve(&variant, &[beam], &Stop::new(), &mut |_, _| ()).expect("a variant");
        let score = optimum.layout.map(|layout| layout.check(20));
        assert_eq!((score, optimum.proven), (Some(Ok(expected)), true));
    }
}

/// Instances for which the constraint model takes a second or less.
const FEW: [&str; 5] = ["F-1-2-3", "F-2-1-3", "F-3-1-3", "F-3-1-4", "F-1-2-4"];

/// The model and the search share only the drawings of the parts.
fn witnessed(is_chosen: impl Fn(&str) -> bool) -> usize {
    let chosen = instances().filter(|(name, ..)| is_chosen(name));
    chosen
        .map(|(name, variant, expected)| {
            let found = NmbrModel::new(&variant).optimum();
            let (score, layout) = found.unzip();
            let checked = layout.map(|layout| layout.check(variant.usable()));
            assert_eq!(checked, expected.map(Ok), "{name}");
            assert_eq!(score, expected, "{name}");
        })
        .count()
}

#[test]
fn the_constraint_model_finds_the_same_optima() {
    witnessed(|name| FEW.contains(&name));
}

/// Instances that the constraint model does not finish in 15 minutes.
const TOO_LARGE: [&str; 2] = ["F-9-1-4", "F-9-2-4"];

#[test]
#[ignore = "takes minutes"]
fn the_constraint_model_finds_the_same_optima_of_more_in_full() {
    witnessed(|name| !TOO_LARGE.contains(&name));
}

#[test]
fn each_rule_is_checked() {
    let at = |value, turn, level, row, column| PlacedPart {
        part: part(value),
        turn,
        level,
        row,
        column,
    };
    let base = [at(0, 0, 1, 0, 0), at(0, 0, 1, 0, 3)];
    let with = |more: PlacedPart| {
        let parts = base.iter().copied().chain([more]).collect();
        Layout { parts }.check(10)
    };
    assert_eq!(with(at(5, 0, 1, 4, 2)), Ok(0));
    assert_eq!(with(at(1, 0, 1, 3, 2)), Err(LayoutFault::Overlap(3, 1)));
    assert_eq!(with(at(1, 0, 1, 5, 2)), Err(LayoutFault::Apart(3)));
    assert_eq!(with(at(1, 0, 1, 7, 2)), Err(LayoutFault::Outside(3)));
    assert_eq!(with(at(1, 4, 1, 4, 2)), Err(LayoutFault::Unknown(3)));
    assert_eq!(with(at(1, 0, 0, 4, 2)), Err(LayoutFault::Unknown(3)));
    assert_eq!(with(at(9, 0, 2, 0, 2)), Err(LayoutFault::Unsupported(3)));
    assert_eq!(with(at(1, 0, 2, 0, 1)), Err(LayoutFault::OnePart(3)));
    assert_eq!(with(at(1, 0, 2, 0, 2)), Ok(1));
}

#[test]
#[ignore = "half a minute without optimisation"]
fn a_beam_search_finds_a_high_score_of_the_standard_game() {
    let variant = NmbrVariant::standard();
    let beam = BeamSettings {
        width: 20,
        ..BeamSettings::default()
    };
    let optimum = solve(&variant, &[beam], &Stop::new(), &mut |_, _| ()).expect("a variant");
    let layout = optimum.layout.expect("a layout");
    let score = layout.check(20).expect("legal");
    assert_eq!(layout.parts.len(), 20);
    assert!((100..=optimum.bound).contains(&score), "{score}");
    assert!(!optimum.proven);
}

fn best() -> Vec<PlacedPart> {
    let parts = BEST.lines().skip(1).map(|line| {
        let fields: Vec<u8> = line.split('\t').flat_map(str::parse).collect();
        PlacedPart {
            part: part(fields[0]),
            turn: fields[1],
            level: fields[2],
            row: fields[3],
            column: fields[4],
        }
    });
    parts.collect()
}

#[test]
fn the_best_layout_of_the_standard_game_is_legal() {
    let layout = Layout { parts: best() };
    assert_eq!(layout.check(20), Ok(259));
    let mut values: Vec<u32> = layout.parts.iter().map(|one| one.part.value()).collect();
    values.sort_unstable();
    assert!(
        values
            .into_iter()
            .eq((0..10).flat_map(|value| [value, value]))
    );
}

#[test]
fn the_checker_finds_what_is_missing() {
    let parts = best();
    for i in 0..parts.len() {
        let mut fewer = parts.clone();
        let gone = fewer.remove(i);
        match (Layout { parts: fewer }).check(20) {
            Ok(found) => {
                let points = gone.part.value() * (u32::from(gone.level) - 1);
                assert_eq!(found, 259 - points);
            }
            Err(fault) => assert!(
                matches!(fault, LayoutFault::Apart(_) | LayoutFault::Unsupported(_)),
                "{fault}"
            ),
        }
        let mut twice = parts.clone();
        twice.push(gone);
        assert!((Layout { parts: twice }).check(20).is_err());
    }
}

#[test]
fn a_deck_too_long_for_a_proof_is_refused() {
    let variant = NmbrVariant {
        deck: Some((0..20).map(|card| part(card / 2)).collect()),
        ..NmbrVariant::standard()
    };
    let refused = solve(&variant, &[], &Stop::new(), &mut |_, _| ()).expect_err("too long");
    assert!(
        refused
            .to_string()
            .starts_with("--deck: there are too many ways"),
        "{refused}"
    );
}

#[test]
fn a_stopped_search_gives_the_best_so_far() {
    let stop = Stop::new();
    stop.set();
    let optimum = solve(&free(6, 5, 8, 3), &[], &stop, &mut |_, _| ()).expect("a variant");
    assert!(!optimum.proven && optimum.layout.is_none());
    assert!(optimum.bound >= 19);
}
