//! Nmbr9 against reference numbers and against the rules, square by square.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;
use patchwork_papers::puzzle::nmbr9::{
    BeamSettings, Layout, LayoutFault, NmbrModel, NmbrVariant, Optimum, Part, Pile, PlacedPart,
    solve,
};
use proptest::prelude::*;
use rand::seq::SliceRandom as _;

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

/// A pile after random legal placements of the first cards of a random deck.
fn random_pile(seed: u64, cards: usize, usable: usize) -> (Pile, Part) {
    let mut deck: Vec<Part> = (0..20).map(|card| part(card / 2)).collect();
    deck.shuffle(&mut stream(&[seed]));
    let mut pile = Pile::new(usable, 10);
    let mut state = seed;
    for &part in &deck[..cards] {
        let mut all = Vec::new();
        pile.placements(part, &mut |one| all.push(one));
        // Half of the time, on the highest level.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let random = (state >> 33) as usize;
        if random.is_multiple_of(2) {
            let highest = all.first().map(|one| one.level);
            all.retain(|one| Some(one.level) == highest);
        }
        if !all.is_empty() {
            pile.place(all[random / 2 % all.len()]);
        }
    }
    (pile, deck[cards])
}

/// The positions in which a box that touches a part may start.
fn around(pile: &Pile, of: fn(&PlacedPart) -> u8) -> RangeInclusive<u8> {
    let places = pile.placed().iter().map(of);
    places.clone().min().map_or(0, |first| first - 4)..=places.max().map_or(0, |last| last + 4)
}

fn checked(parts: Vec<PlacedPart>, usable: usize) -> Result<u32, LayoutFault> {
    Layout { parts }.at_origin().check(usable)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn placements_are_exactly_the_legal_ones(seed: u64, cards in 0usize..9, usable in 8usize..12) {
        let (pile, part) = random_pile(seed, cards, usable);
        prop_assert_eq!(checked(pile.placed().to_vec(), usable), Ok(pile.score()));
        let mut given = HashSet::new();
        pile.placements(part, &mut |one| assert!(given.insert(one)));
        prop_assert_eq!(pile.highest(part).map(|level| level as u8 + 1), given.iter().map(|one| one.level).max());
        if pile.placed().is_empty() {
            return Ok(());
        }
        let mut legal = HashSet::new();
        let rows = around(&pile, |one| one.row);
        let columns = around(&pile, |one| one.column);
        for level in 1..=pile.height() as u8 + 2 {
            for row in rows.clone() {
                for column in columns.clone() {
                    for turn in 0..part.turns().len() as u8 {
                        let one = PlacedPart { part, turn, level, row, column };
                        let mut parts = pile.placed().to_vec();
                        parts.push(one);
                        let score = pile.score() + part.value() * (u32::from(level) - 1);
                        match checked(parts, usable) {
                            Ok(found) => {
                                prop_assert_eq!(found, score);
                                legal.insert(one);
                            }
                            Err(fault) => prop_assert!(!given.contains(&one), "{fault}"),
                        }
                    }
                }
            }
        }
        prop_assert_eq!(given, legal);
    }

    #[test]
    fn the_checker_finds_what_is_missing(seed: u64, cards in 4usize..12) {
        let (pile, _) = random_pile(seed, cards, 20);
        let parts = pile.placed();
        let score = pile.score();
        for i in 0..parts.len() {
            let mut fewer = parts.to_vec();
            let gone = fewer.remove(i);
            match checked(fewer.clone(), 20) {
                Ok(found) => prop_assert_eq!(found, score - gone.part.value() * (u32::from(gone.level) - 1)),
                Err(fault) => prop_assert!(
                    matches!(fault, LayoutFault::Apart(_) | LayoutFault::Unsupported(_)),
                    "{fault}"
                ),
            }
            fewer.extend([gone, gone]);
            prop_assert!(checked(fewer, 20).is_err());
        }
    }
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

#[test]
fn the_best_layout_of_the_standard_game_is_legal() {
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
    let layout = Layout {
        parts: parts.collect(),
    };
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
fn a_stopped_search_gives_the_best_so_far() {
    let stop = Stop::new();
    stop.set();
    let optimum = solve(&free(6, 5, 8, 3), &[], &stop, &mut |_, _| ()).expect("a variant");
    assert!(optimum.layout.is_some_and(|layout| layout.check(6).is_ok()));
    assert!(!optimum.proven);
}
