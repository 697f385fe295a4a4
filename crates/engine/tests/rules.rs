//! The rules against independent data and against slow, obvious code.

use std::collections::BTreeSet;

use patchwork_engine::board::{Quilt, Square};
use patchwork_engine::game::{
    Action, ActionList, LAST_SPACE, MAX_KOMI, MAX_PLIES, PATCHES, PatchId, Player, Rules, Setup,
    State, Track, perft,
};
use patchwork_engine::util::rng::{Rng, below, stream};

use proptest::prelude::*;

/// A setup, on alternating tracks, and the random stream after it.
fn setup_and_rng(seed: u64) -> (Setup, Rng) {
    let mut rng = stream(&[seed]);
    let setup = Setup::random(Track::ALL[(seed % 2) as usize], &mut rng);
    (setup, rng)
}

/// All placements of a patch on free squares, from its drawing, by trying everything.
fn slow_placements(patch: PatchId, quilt: Quilt) -> BTreeSet<String> {
    let drawing: Vec<(i32, i32)> = patch
        .patch()
        .shape()
        .literal()
        .split('/')
        .enumerate()
        .flat_map(|(r, row)| {
            row.char_indices()
                .filter(|&(_, x)| x == 'X')
                .map(move |(c, _)| (r as i32, c as i32))
        })
        .collect();
    let mut found = BTreeSet::new();
    for flip in [1, -1] {
        for turns in 0..4 {
            let turned = drawing
                .iter()
                .map(|&(r, c)| (0..turns).fold((r, c * flip), |(r, c), _| (c, -r)));
            let turned: Vec<(i32, i32)> = turned.collect();
            for down in -9..18 {
                for right in -9..18 {
                    let mut squares: Vec<Square> = Vec::new();
                    for &(r, c) in &turned {
                        let (r, c) = (r + down, c + right);
                        if (0..9).contains(&r) && (0..9).contains(&c) {
                            squares.push(Square::at(c as usize, r as usize));
                        }
                    }
                    if squares.len() == turned.len() && squares.iter().all(|&s| !quilt.contains(s))
                    {
                        found.insert(squares.into_iter().collect::<Quilt>().to_string());
                    }
                }
            }
        }
    }
    found
}

fn slow_actions(setup: &Setup, state: &State) -> BTreeSet<String> {
    let quilt = state.quilt(state.mover());
    if state.is_over() {
        return BTreeSet::new();
    }
    if state.specials_waiting() > 0 {
        let free = Quilt::FULL.squares().filter(|&s| !quilt.contains(s));
        return free.map(|s| format!("S:{s}")).collect();
    }
    let mut actions = BTreeSet::from(["A".to_owned()]);
    for place in state.ring_places().take(3) {
        let patch = setup.patch_at(place);
        if u16::from(patch.patch().button_cost) <= state.buttons(state.mover()) {
            let placements = slow_placements(patch, quilt);
            actions.extend(
                placements
                    .into_iter()
                    .map(|squares| format!("{patch}:{squares}")),
            );
        }
    }
    actions
}

/// Invariants of every position: generated actions are exactly the legal ones, without repetition; notation
/// round-trips; other actions are refused.
fn assert_conforms(setup: &Setup, state: &State) {
    let actions = state.legal_actions(setup);
    let texts: BTreeSet<String> = actions.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), actions.len(), "an action is generated twice");
    assert_eq!(texts, slow_actions(setup, state));
    assert_eq!(actions.len(), state.count_actions(setup) as usize);
    for &action in &actions {
        assert_eq!(action.to_string().parse(), Ok(action));
        let mut next = *state;
        next.play_unchecked(setup, action);
        assert_eq!(state.try_play(setup, action), Ok(next));
    }
    for place in state.ring_places() {
        let patch = setup.patch_at(place);
        for squares in slow_placements(patch, Quilt::EMPTY) {
            let text = format!("{patch}:{squares}");
            let action: Action = text.parse().expect("a placement");
            assert_eq!(state.try_play(setup, action).is_ok(), texts.contains(&text));
        }
    }
    for square in Quilt::FULL.squares() {
        let action = Action::Special(square);
        let legal = texts.contains(&action.to_string());
        assert_eq!(state.try_play(setup, action).is_ok(), legal);
    }
    assert_eq!(
        state.try_play(setup, Action::Advance).is_ok(),
        texts.contains("A")
    );
}

/// A second implementation of the game, as a person would keep it with pen and paper.
struct Ledger {
    buttons: [i32; 2],
    income: [i32; 2],
    covered: [u32; 2],
    bought: BTreeSet<PatchId>,
    specials_left: Vec<u8>,
}

impl Ledger {
    fn follow(&mut self, before: &State, action: Action, after: &State) {
        let mover = before.mover();
        let me = mover.index();
        let (old, new) = (before.space(mover), after.space(mover));
        let mut grown = 0;
        match action {
            Action::Advance => {
                assert_eq!(new, (before.space(mover.other()) + 1).min(LAST_SPACE));
                self.buttons[me] += i32::from(new - old);
            }
            Action::Buy(patch, placement) => {
                let printed = &PATCHES[patch.index()];
                assert!(self.bought.insert(patch), "a patch is bought once");
                assert_eq!(new, (old + printed.time_cost).min(LAST_SPACE));
                self.buttons[me] -= i32::from(printed.button_cost);
                self.income[me] += i32::from(printed.income);
                let squares = placement.squares(printed.shape);
                assert!(!squares.overlaps(before.quilt(mover)), "patches overlap");
                grown = squares.len();
            }
            Action::Special(_) => grown = 1,
        }
        self.covered[me] += grown;
        for space in [5, 11, 17, 23, 29, 35, 41, 47, 53] {
            if old < space && space <= new {
                self.buttons[me] += self.income[me];
            }
        }
        self.specials_left
            .retain(|&space| !(old < space && space <= new));
        for player in Player::BOTH {
            let i = player.index();
            assert_eq!(i32::from(after.buttons(player)), self.buttons[i]);
            assert_eq!(i32::from(after.income(player)), self.income[i]);
            assert_eq!(after.quilt(player).len(), self.covered[i]);
        }
        assert_eq!(
            after.special_spaces().collect::<Vec<_>>(),
            self.specials_left
        );
        // The player to move: special patches first, then the player behind, then the last to arrive.
        if !after.is_over() {
            let spaces = Player::BOTH.map(|p| after.space(p));
            let expected = if after.specials_waiting() > 0 || spaces[0] == spaces[1] {
                mover
            } else if spaces[0] < spaces[1] {
                Player::First
            } else {
                Player::Second
            };
            assert_eq!(after.mover(), expected);
        }
    }
}

fn play_randomly(setup: &Setup, rng: &mut Rng, checked: bool) -> usize {
    let mut ledger = Ledger {
        buttons: [5, 5 + i32::from(setup.rules().komi())],
        income: [0; 2],
        covered: [0; 2],
        bought: BTreeSet::new(),
        specials_left: setup.track().specials().to_vec(),
    };
    let mut state = State::new(setup);
    // Random actions rarely fill the quilts, so the largest patch is sometimes preferred.
    let keen = below(2, rng) == 1;
    let mut plies = 0;
    let mut bonus = None;
    while !state.is_over() {
        if checked && below(8, rng) == 0 {
            assert_conforms(setup, &state);
        }
        let mut action = state.random_action(setup, rng);
        if keen && action == Action::Advance {
            action = state.random_action(setup, rng);
        }
        let before = state;
        state = state
            .try_play(setup, action)
            .expect("a random action is legal");
        ledger.follow(&before, action, &state);
        if bonus.is_none() && state.quilt(before.mover()).has_7x7() {
            bonus = Some(before.mover());
        }
        assert_eq!(state.bonus(), bonus);
        plies += 1;
        assert!(plies <= MAX_PLIES, "the game does not end");
    }
    assert_conforms(setup, &state);
    let outcome = state.outcome().expect("the game is over");
    for player in Player::BOTH {
        let i = player.index();
        let points = ledger.buttons[i] - 2 * (81 - ledger.covered[i] as i32);
        let bonus = if bonus == Some(player) { 7 } else { 0 };
        assert_eq!(i32::from(outcome.scores[i]), points + bonus);
    }
    if outcome.scores[0] != outcome.scores[1] {
        assert!(outcome.margin(outcome.winner) > 0);
    }
    plies
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn random_games_keep_the_rules(seed in any::<u64>()) {
        let (setup, mut rng) = setup_and_rng(seed);
        play_randomly(&setup, &mut rng, true);
    }
}

fn games_balance_to_the_button(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let (setup, mut rng) = setup_and_rng(seed);
        play_randomly(&setup, &mut rng, false);
    }
}

#[test]
fn five_hundred_games_balance_to_the_button() {
    games_balance_to_the_button(0..500);
}

#[test]
#[ignore = "takes a while without optimisation"]
fn ten_thousand_games_balance_to_the_button_in_full() {
    games_balance_to_the_button(0..10_000);
}

#[test]
fn a_komi_adds_buttons_of_the_second_player_and_nothing_else() {
    for seed in 0..200 {
        let (plain, mut rng) = setup_and_rng(seed);
        let komi = 1 + (seed % u64::from(MAX_KOMI)) as u8;
        let rules = Rules::with_komi(plain.track(), komi).expect("not too large");
        let setup = Setup::new(rules, *plain.ring());
        assert_ne!(setup, plain);
        let (with, without) = (State::new(&setup), State::new(&plain));
        assert_eq!(
            with.buttons(Player::Second),
            without.buttons(Player::Second) + u16::from(komi)
        );
        // The first player's choices are the same, and the second player may pay for more.
        assert_eq!(with.legal_actions(&setup), without.legal_actions(&plain));
        let [with, without] = [(with, &setup), (without, &plain)].map(|(state, setup)| {
            let next = state
                .try_play(setup, Action::Advance)
                .expect("always legal");
            next.count_actions(setup)
        });
        assert!(with >= without);
        play_randomly(&setup, &mut rng, seed % 20 == 0);
    }
}

#[test]
fn random_actions_are_uniform_over_the_legal_ones() {
    let mut rng = stream(&[11]);
    let setup = Setup::random(Track::Original, &mut rng);
    let mut state = State::new(&setup);
    for _ in 0..12 {
        let legal = state.legal_actions(&setup);
        let mut counts = vec![0u32; legal.len()];
        for _ in 0..1000 * legal.len() {
            let action = state.random_action(&setup, &mut rng);
            counts[legal.iter().position(|&a| a == action).expect("legal")] += 1;
        }
        assert!(counts.iter().all(|n| n.abs_diff(1000) < 180), "{counts:?}");
        state.play_unchecked(&setup, legal[legal.len() / 2]);
    }
}

#[test]
fn random_actions_are_drawn_from_the_list() {
    for seed in 0..50 {
        let mut rng = stream(&[seed, 8]);
        let setup = Setup::random(Track::ALL[seed as usize % 2], &mut rng);
        let (mut state, mut plain) = (State::new(&setup), rng.clone());
        while !state.is_over() {
            let (legal, is_turn) = (state.legal_actions(&setup), state.specials_waiting() == 0);
            let count = legal.len() as u32;
            let drawn = match count {
                1 if is_turn => 0,
                _ if is_turn => (below(count, &mut plain) + 1) % count,
                _ => below(count, &mut plain),
            };
            let action = state.random_action(&setup, &mut rng);
            assert_eq!(action, legal[drawn as usize]);
            assert_eq!(rng, plain);
            state.play_unchecked(&setup, action);
        }
    }
}

#[test]
fn perft_counts_agree() {
    let table = std::fs::read_to_string("tests/data/perft.tsv").expect("readable");
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let setup = Setup::new(
            columns[0].parse::<Rules>().unwrap(),
            columns[1].parse().unwrap(),
        );
        let mut state = State::new(&setup);
        if columns[2] != "-" {
            for action in columns[2].parse::<ActionList>().unwrap().0 {
                state = state.try_play(&setup, action).unwrap();
            }
        }
        for (depth, count) in (1..).zip(&columns[3..]) {
            assert_eq!(perft(&setup, &state, depth).to_string(), *count, "{line}");
        }
    }
}

#[test]
fn patches_are_those_of_the_data() {
    let table = std::fs::read_to_string("tests/data/patches.csv").expect("readable");
    let ours: Vec<String> = PatchId::all()
        .map(|id| {
            let p = id.patch();
            let shape = p.shape().literal();
            format!(
                "{id},{},{},{},{shape}",
                p.button_cost, p.time_cost, p.income
            )
        })
        .collect();
    let data: Vec<&str> = table
        .lines()
        .skip(1)
        .map(|line| line.rsplit_once(',').expect("six columns").0)
        .collect();
    assert_eq!(ours, data);
}
