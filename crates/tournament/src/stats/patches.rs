//! How often and when patches are bought, and the results of their buyers.

use std::collections::BTreeMap;
use std::ops::Range;

use patchwork_engine::game::{LAST_SPACE, PATCH_COUNT, PatchId, Player};
use patchwork_engine::record::{GameFacts, Record};
use patchwork_rating::{Estimate, RegressionRow, least_squares};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{Sum, clusters_by_pairing, per};
use super::pairs::Pairs;
use super::tally::{PHASE_STARTS, phase_of};

/// Statistics of one of the 33 patches.
///
/// A high win rate among buyers is not necessarily due to the patch: strong players may prefer it.
/// The gains correct for this. They compare a buyer's result with the mean of the same agent in the
/// same seat against the same opponent over all games, whether the patch was bought or not. If two
/// agents played a single game in these seats, it is left out of the gains.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PatchUse {
    /// The patch's number, 1 to 33.
    pub patch: u8,
    /// Its price in buttons.
    pub price: u8,
    /// Its time cost in spaces.
    pub time: u8,
    /// Its income in buttons at each income space.
    pub income: u8,
    /// The number of squares it covers.
    pub size: u8,
    /// Number of games in which it was bought.
    pub bought: u64,
    /// Share of all games in which it was bought, 0 to 1.
    pub rate: Option<f64>,
    /// Number of games in which the first player bought it.
    pub first: u64,
    /// Number of games in which the second player bought it.
    pub second: u64,
    /// Number of games in which its buyer stood on space 0 to 17.
    pub opening: u64,
    /// Number of games in which its buyer stood on space 18 to 35.
    pub middle: u64,
    /// Number of games in which its buyer stood on space 36 or beyond.
    pub end: u64,
    /// Mean space of the buyer before the purchase.
    pub mean_space: Option<f64>,
    /// Share of games won by its buyer, 0 to 1.
    pub win_rate: Estimate,
    /// The buyer's points minus the opponent's.
    pub margin: Estimate,
    /// The buyers' win rate minus their mean win rate in the same seat against the same opponent.
    pub win_gain: Estimate,
    /// The buyers' margin minus their mean margin in the same seat against the same opponent.
    pub margin_gain: Estimate,
    /// The points by which owning the patch changes the margin, while all other purchases stay the same: the
    /// coefficient in a regression on the owners of all patches. What the patch cost is part of the margin.
    pub worth: Estimate,
}

/// The buyers of the patches of a game: for each seat, a bit for each patch. The gains of a patch need them twice, and there
/// may be millions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Buyers([u8; (2 * PATCH_COUNT).div_ceil(8)]);

impl Buyers {
    pub(super) fn new(record: &Record) -> Self {
        let mut buyers = Self::default();
        for ply in &record.plies {
            if let Some(patch) = ply.bought() {
                buyers.set(patch, Some(ply.player));
            }
        }
        buyers
    }

    const fn place(patch: PatchId, buyer: Player) -> (usize, u8) {
        let bit = 2 * patch.index() + buyer.index();
        (bit / 8, 1 << (bit % 8))
    }

    fn of(&self, patch: PatchId) -> Option<Player> {
        Player::BOTH.into_iter().find(|&buyer| {
            let (byte, bit) = Self::place(patch, buyer);
            self.0[byte] & bit != 0
        })
    }

    fn set(&mut self, patch: PatchId, buyer: Option<Player>) {
        for player in Player::BOTH {
            let (byte, bit) = Self::place(patch, player);
            self.0[byte] &= !bit;
            if buyer == Some(player) {
                self.0[byte] |= bit;
            }
        }
    }
}

/// The games of one pairing with one agent in the first seat.
#[derive(Clone, Default)]
struct SeatingSums {
    games: f64,
    /// Wins of the first player; the second player's are the complement.
    wins: f64,
    margin: f64,
    /// How often each seat bought each patch.
    bought: Vec<[f64; 2]>,
}

impl SeatingSums {
    /// The mean share of games that the agent in a seat won, and its mean margin.
    fn means(&self, seat: usize) -> [f64; 2] {
        let (wins, margin) = (self.wins / self.games, self.margin / self.games);
        match seat {
            0 => [wins, margin],
            _ => [1.0 - wins, -margin],
        }
    }
}

/// The spaces of the buyers of each patch before their purchases, in games that were played to their end.
#[derive(Clone, Debug)]
pub(super) struct PurchaseSpaces {
    /// By patch and phase.
    spaces: [[Sum; PHASE_STARTS.len()]; PATCH_COUNT],
}

impl Default for PurchaseSpaces {
    fn default() -> Self {
        let spaces = [[Sum::default(); PHASE_STARTS.len()]; PATCH_COUNT];
        Self { spaces }
    }
}

impl PurchaseSpaces {
    pub(super) fn add(&mut self, record: &Record) {
        // The last purchase of a patch counts; in a legal game it is the only one.
        let mut bought = [None; PATCH_COUNT];
        for ply in &record.plies {
            if let Some(patch) = ply.bought() {
                bought[patch.index()] = Some(ply.space.min(LAST_SPACE));
            }
        }
        for (patch, space) in bought.into_iter().enumerate() {
            if let Some(space) = space {
                self.spaces[patch][phase_of(space)].add(space);
            }
        }
    }
}

/// The statistics of the patches. `buyers` has those of each game of the pairs.
pub(super) fn patches(
    pairs: &Pairs<'_>,
    buyers: &[Buyers],
    spaces: &PurchaseSpaces,
) -> Vec<PatchUse> {
    let seatings = seatings(pairs.games(), buyers);
    let worth = worth(pairs, buyers);
    let all: Vec<(PatchId, Estimate)> = PatchId::all().zip(worth).collect();
    all.into_par_iter()
        .map(|(patch, worth)| patch_use(pairs, buyers, spaces, &seatings, patch, worth))
        .collect()
}

/// The coefficient of each patch in a regression of the first player's margin: the patch counts 1 if the first player
/// bought it, and -1 if the second did. Each pairing has its own level for each seating. Games on one setup are a
/// cluster.
fn worth(pairs: &Pairs<'_>, buyers: &[Buyers]) -> Vec<Estimate> {
    let pairs = pairs.clone().by_setup();
    let games =
        || (0..pairs.len()).flat_map(|place| pairs.range(place).map(move |game| (place, game)));
    let mut strata: BTreeMap<Key, u64> = BTreeMap::new();
    let mut rest = games();
    least_squares(PATCH_COUNT, pairs.iter().flatten().count(), |i, owned| {
        if i == 0 {
            rest = games();
        }
        let (place, index) = rest.next().expect("as many as were counted");
        let game = &pairs.games()[index];
        for patch in PatchId::all() {
            if let Some(buyer) = buyers[index].of(patch) {
                owned.push((patch.index(), if buyer.index() == 0 { 1.0 } else { -1.0 }));
            }
        }
        let next = strata.len() as u64;
        RegressionRow {
            stratum: *strata.entry(key(game)).or_insert(next),
            cluster: match pairs.setup(place) {
                Some(setup) => 1 << 63 | u64::from(setup),
                None => u64::from(game.pairing) << 32 | u64::from(game.pair),
            },
            outcome: game.margin(0),
        }
    })
}

type Key = (u32, [u16; 2]);

fn key(game: &GameFacts) -> Key {
    (game.pairing, game.agents)
}

fn seatings(games: &[GameFacts], buyers: &[Buyers]) -> BTreeMap<Key, SeatingSums> {
    let mut seatings: BTreeMap<Key, SeatingSums> = BTreeMap::new();
    for (game, buyers) in games.iter().zip(buyers) {
        let seating = seatings.entry(key(game)).or_default();
        seating.bought.resize(PATCH_COUNT, [0.0; 2]);
        seating.games += 1.0;
        seating.wins += f64::from(u8::from(game.first_won()));
        seating.margin += game.margin(0);
        for (bought, patch) in seating.bought.iter_mut().zip(PatchId::all()) {
            if let Some(buyer) = buyers.of(patch) {
                bought[buyer.index()] += 1.0;
            }
        }
    }
    seatings
}

/// The places of the quantities of a patch's buyers in [`patch_use`]. A gain is the mean of the buyers' quantity minus the
/// mean of their seating.
///
/// The interval of a gain is that of the mean over a subset of the games minus the mean over all of them. The
/// contribution of each game to the mean of its seating is subtracted (linearisation; Särndal,
/// Swensson and Wretman, Model Assisted Survey Sampling, 1992, section 5.5).
const WIN_RATE: usize = 0;
const MARGIN: usize = 1;
const WIN_GAIN: usize = 2;
const MARGIN_GAIN: usize = 3;

fn patch_use(
    pairs: &Pairs<'_>,
    buyers: &[Buyers],
    spaces: &PurchaseSpaces,
    seatings: &BTreeMap<Key, SeatingSums>,
    patch: PatchId,
    worth: Estimate,
) -> PatchUse {
    let printed = patch.patch();
    let mut seats = [0; 2];
    for buyer in buyers.iter().filter_map(|buyers| buyers.of(patch)) {
        seats[buyer.index()] += 1;
    }
    let spaces = spaces.spaces[patch.index()];
    let [opening, middle, end] = spaces.map(|sum| sum.count as u64);
    let bought: u64 = seats.iter().sum();
    let of_pair = |games: Range<usize>| {
        let mut sums = [Sum::default(); MARGIN_GAIN + 1];
        for index in games {
            let game = &pairs.games()[index];
            let buyer = buyers[index].of(patch).map(Player::index);
            if let Some(seat) = buyer {
                sums[WIN_RATE].add(won(game, seat));
                sums[MARGIN].add(game.margin(seat));
            }
            let seating = &seatings[&key(game)];
            // With one game, the mean of the seating is that game, so there is nothing to compare
            // with.
            if seating.games < 2.0 {
                continue;
            }
            for seat in 0..2 {
                let buys = f64::from(u8::from(buyer == Some(seat)));
                let excess = buys - seating.bought[patch.index()][seat] / seating.games;
                let [wins, margin] = seating.means(seat);
                let gains = [won(game, seat) - wins, game.margin(seat) - margin];
                for (sum, gain) in sums[WIN_GAIN..].iter_mut().zip(gains) {
                    sum.total += excess * gain;
                    sum.count += buys;
                }
            }
        }
        sums
    };
    let clusters = clusters_by_pairing(pairs, of_pair);
    PatchUse {
        patch: patch.number(),
        price: printed.button_cost,
        time: printed.time_cost,
        income: printed.income,
        size: printed.shape().size() as u8,
        bought,
        rate: per(bought as f64, pairs.games().len() as u64),
        first: seats[0],
        second: seats[1],
        opening,
        middle,
        end,
        mean_space: per(spaces.into_iter().sum::<Sum>().total, bought),
        win_rate: clusters[WIN_RATE].share(),
        margin: clusters[MARGIN].mean(),
        win_gain: clusters[WIN_GAIN].mean().unless_certain(),
        margin_gain: clusters[MARGIN_GAIN].mean().unless_certain(),
        worth,
    }
}

fn won(game: &GameFacts, seat: usize) -> f64 {
    f64::from(u8::from(game.winner.index() == seat))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::tournaments::tournament;
    use patchwork_engine::record::Entry;
    use patchwork_engine::util::rng::{below, stream};

    fn spaces_of(entries: &[Entry]) -> PurchaseSpaces {
        let mut spaces = PurchaseSpaces::default();
        entries.iter().for_each(|entry| spaces.add(&entry.record));
        spaces
    }

    fn facts(entries: &[Entry]) -> (Vec<GameFacts>, Vec<Buyers>) {
        let records = entries.iter().map(|entry| &entry.record);
        let facts = records.map(|record| (GameFacts::from(record), Buyers::new(record)));
        facts.unzip()
    }

    #[test]
    fn purchases_add_up() {
        let entries = tournament(4);
        let (games, buyers) = facts(&entries);
        let found = patches(&Pairs::new(&games), &buyers, &spaces_of(&entries));
        assert_eq!(found.len(), PATCH_COUNT);
        let plies = || entries.iter().flat_map(|entry| &entry.record.plies);
        for patch in &found {
            let bought =
                plies().filter(|ply| ply.bought().map(PatchId::number) == Some(patch.patch));
            let spaces: Vec<f64> = bought.map(|ply| f64::from(ply.space)).collect();
            assert_eq!(patch.bought, spaces.len() as u64);
            assert_eq!(patch.bought, patch.first + patch.second);
            assert_eq!(patch.bought, patch.opening + patch.middle + patch.end);
            let mean = spaces.iter().sum::<f64>() / spaces.len() as f64;
            assert!(
                patch
                    .mean_space
                    .is_some_and(|found| (found - mean).abs() < 1e-9)
            );
        }
        let buys = plies().filter(|ply| ply.bought().is_some()).count() as u64;
        assert_eq!(found.iter().map(|patch| patch.bought).sum::<u64>(), buys);
        let patch = &found[26];
        assert_eq!(
            (patch.price, patch.time, patch.income, patch.size),
            (0, 3, 1, 6)
        );
    }

    #[test]
    fn one_game_of_a_seating_tells_no_gain() {
        let entries = tournament(1);
        let (games, buyers) = facts(&entries);
        for patch in patches(&Pairs::new(&games), &buyers, &spaces_of(&entries)) {
            assert_eq!(
                (patch.win_gain.value, patch.margin_gain.value),
                (None, None)
            );
            assert_eq!(patch.win_rate.value.is_some(), patch.bought > 0);
            if let Some((low, high)) = patch.win_rate.interval() {
                assert!(low < high, "{patch:?}");
            }
        }
    }

    /// Each player's margin is made of the patches that they own, so the regression finds what each is worth.
    #[test]
    fn worth_is_what_owning_a_patch_changes() {
        let mut rng = stream(&[32]);
        let (template, owners) = facts(&tournament(30)[..60]);
        let (mut games, mut buyers) = (template.repeat(20), owners.repeat(20));
        for (i, (game, buyers)) in games.iter_mut().zip(&mut buyers).enumerate() {
            game.pair = (i / 2) as u32;
            game.pairing = 0;
            let mut points = below(7, &mut rng) as i16 - 3;
            for patch in PatchId::all() {
                let buyer =
                    [None, Some(Player::First), Some(Player::Second)][below(3, &mut rng) as usize];
                buyers.set(patch, buyer);
                let worth = i16::from(patch.number()) - 10;
                points += buyer.map_or(0, |buyer| {
                    if buyer == Player::First {
                        worth
                    } else {
                        -worth
                    }
                });
            }
            game.scores = [points, 0];
        }
        let found = worth(&Pairs::new(&games), &buyers);
        for (patch, found) in PatchId::all().zip(found) {
            let truth = f64::from(patch.number()) - 10.0;
            assert!(
                (found.value.expect("a value") - truth).abs() < 0.5,
                "{patch}: {found:?}"
            );
            assert!(found.interval().is_some_and(|(low, high)| high - low < 1.0));
        }
    }

    /// Agent 0 is 20 points better and buys the patch in 60 games of 100, the other agent in 30. Buying it is
    /// worth 5 points. So buyers have 5 points more than without the purchase, while the mean of all games
    /// includes 0.6 and 0.3 times that: (0.6 (1 - 0.3) + 0.3 (1 + 0.3)) 5 / 0.9 = 4.5.
    #[test]
    fn gains_leave_out_who_buys_and_their_intervals_cover_the_truth() {
        let mut rng = stream(&[31]);
        let patch = PatchId::new(7).expect("a patch");
        let (template, owners) = facts(&tournament(30)[..60]);
        let (runs, mut covered, mut sum, mut confounded) = (1000, 0, 0.0, 0.0);
        for _ in 0..runs {
            let (mut games, mut buyers) = (template.clone(), owners.clone());
            let mut luck = 0;
            for (i, (game, buyers)) in games.iter_mut().zip(&mut buyers).enumerate() {
                // The ring favours a seat by chance, in both legs.
                if i % 2 == 0 {
                    luck = below(11, &mut rng) as i16 - 5;
                }
                let strong = usize::from(game.agents[0] != 0);
                let drawn = below(10, &mut rng);
                let buyer = match drawn {
                    0..6 => Some(strong),
                    6..9 => Some(1 - strong),
                    _ => None,
                };
                buyers.set(patch, buyer.map(|seat| Player::BOTH[seat]));
                let chance = below(41, &mut rng) as i16 - 20;
                let worth = |seat| if buyer == Some(seat) { 5 } else { 0 };
                let better = if strong == 0 { 20 } else { -20 };
                game.scores = [better + worth(0) - worth(1) + luck + chance, 0];
            }
            let pairs = Pairs::new(&games);
            let spaces = PurchaseSpaces::default();
            let found = patch_use(
                &pairs,
                &buyers,
                &spaces,
                &seatings(&games, &buyers),
                patch,
                Estimate::default(),
            );
            let (low, high) = found.margin_gain.interval().expect("ends");
            covered += u32::from(low <= 4.5 && 4.5 <= high);
            sum += found.margin_gain.value.expect("a gain") / f64::from(runs);
            confounded += found.margin.value.expect("a margin") / f64::from(runs);
        }
        assert!((sum - 4.5).abs() < 0.2, "{sum}");
        // The margin alone: 20 (0.6 - 0.3) / 0.9 from who buys, plus 5 from the purchase.
        assert!((confounded - 11.67).abs() < 0.3, "{confounded}");
        let covered = f64::from(covered) / f64::from(runs);
        assert!((0.93..0.97).contains(&covered), "{covered}");
    }
}
