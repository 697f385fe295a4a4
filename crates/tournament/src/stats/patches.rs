//! How often and when patches are bought, and the results of their buyers.

use std::collections::BTreeMap;

use patchwork_engine::game::{LAST_SPACE, PATCH_COUNT, PatchId, Player};
use patchwork_engine::record::{GameFacts, Record};
use patchwork_rating::{Clusters, Estimate, RegressionRow, least_squares};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{Sum, clusters_by_pairing, per};
use super::pairs::Pairs;
use super::statistics::{BOUGHT, BUYER_WINS, WORTH};
use super::tally::{PHASE_STARTS, phase_of};

/// Statistics of one of the 33 patches.
///
/// A high win rate among buyers is not necessarily due to the patch: strong players may prefer it.
/// [`Self::worth`] corrects for this.
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
    /// [`BOUGHT`].
    #[schemars(description = BOUGHT.about)]
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
    /// [`BUYER_WINS`].
    #[schemars(description = BUYER_WINS.about)]
    pub win_rate: Estimate,
    /// [`WORTH`].
    #[schemars(description = WORTH.about)]
    pub worth: Estimate,
}

/// The buyers of the patches of a game: for each seat, a bit for each patch. They are read twice, and there may be millions.
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

    /// Two bits a patch: whether the first player bought it, and whether the second did.
    fn bits(self) -> u128 {
        let mut bytes = [0; 16];
        bytes[..self.0.len()].copy_from_slice(&self.0);
        u128::from_le_bytes(bytes)
    }

    /// The indices of the patches that were bought, ascending, and their buyers.
    fn all(self) -> impl Iterator<Item = (usize, Player)> {
        let mut bits = self.bits();
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some((bit / 2, Player::BOTH[bit % 2]))
        })
    }

    fn set(&mut self, patch: PatchId, buyer: Option<Player>) {
        let at = 2 * patch.index();
        let buyer = buyer.map_or(0, |buyer| 1 << buyer.index());
        let bits = self.bits() & !(3 << at) | buyer << at;
        let count = self.0.len();
        self.0.copy_from_slice(&bits.to_le_bytes()[..count]);
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
    let mut seats = [[0; 2]; PATCH_COUNT];
    for (patch, buyer) in buyers.iter().flat_map(|buyers| buyers.all()) {
        seats[patch][buyer.index()] += 1;
    }
    let won_by_buyers = clusters_by_pairing(pairs, |games| {
        let mut won = [Sum::default(); PATCH_COUNT];
        for index in games {
            for (patch, buyer) in buyers[index].all() {
                won[patch].add(u8::from(pairs.games()[index].winner == buyer));
            }
        }
        won
    });
    let patch_use = |((patch, won), worth): ((PatchId, Clusters), Estimate)| {
        let printed = patch.patch();
        let [first, second] = seats[patch.index()];
        let bought = first + second;
        let spaces = spaces.spaces[patch.index()];
        let [opening, middle, end] = spaces.map(|sum| sum.count as u64);
        PatchUse {
            patch: patch.number(),
            price: printed.button_cost,
            time: printed.time_cost,
            income: printed.income,
            size: printed.shape().size() as u8,
            bought,
            rate: per(bought as f64, pairs.games().len() as u64),
            first,
            second,
            opening,
            middle,
            end,
            mean_space: per(spaces.into_iter().sum::<Sum>().total, bought),
            win_rate: won.share(),
            worth,
        }
    };
    let all = PatchId::all().zip(won_by_buyers);
    all.zip(worth(pairs, buyers)).map(patch_use).collect()
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
        let bought = buyers[index].all();
        owned.extend(bought.map(|(patch, buyer)| (patch, [1.0, -1.0][buyer.index()])));
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

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::record::Entry;
    use patchwork_engine::util::rng::{below, stream};
    use patchwork_test_support::tournaments::tournament;

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
}
