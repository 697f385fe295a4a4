//! Games whose truth is known: who wins, by how much, how long they are and how many actions are legal follow from given
//! distributions.

use std::sync::LazyLock;

use patchwork_engine::game::{MAX_PLIES, PATCH_COUNT, PatchId, Player, Setup, Track};
use patchwork_engine::record::{Entry, Extras, GameId, Ply, Record, Thought};
use patchwork_engine::testing::random_plies;
use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_rating::GameScore;

/// The advantage of moving first, in Elo and in points.
pub(crate) const SEAT: f64 = 20.0;
const SEAT_POINTS: f64 = 1.5;
/// Points of margin for each Elo.
const POINTS_PER_ELO: f64 = 0.05;
/// The standard deviations of the margin, in points: between setups and of a game on a given setup.
const BETWEEN: f64 = 6.0;
const CHANCE: f64 = 8.0;
/// The correlation of the luck of two games on a setup that favours an agent or a seat, in normal numbers.
const LUCK: f64 = 0.38268;
/// The share of a game's variance of the result that is between rings, with that correlation and an advantage of [`SEAT`]: that
/// of two bivariate normal numbers cut at the chance to win.
pub(crate) const WINS_SHARE: f64 = 0.24973;
/// The share of a game's variance of the margin that is between rings.
pub(crate) const RING_SHARE: f64 = BETWEEN * BETWEEN / (BETWEEN * BETWEEN + CHANCE * CHANCE);

/// What a setup favours, by a normal amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Luck {
    /// Nothing.
    None,
    /// An agent, against every opponent.
    Agent,
    /// A seat, in every game.
    Seat,
}

/// A kind of tournament.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    pub(crate) name: &'static str,
    pub(crate) agents: usize,
    /// The Elo from one agent to the next.
    pub(crate) step: f64,
    /// The Elo by which the first agent is ahead of that.
    pub(crate) champion: f64,
    /// Pairs of each pairing.
    pub(crate) pairs: u32,
    /// Whether the pairs with the same number share a ring.
    pub(crate) common: bool,
    pub(crate) luck: Luck,
    /// The share of games that equal agents draw.
    pub(crate) draws: f64,
    /// Whether every second pairing plays only every third of its pairs.
    pub(crate) uneven: bool,
    /// Whether only the first agent meets the others.
    pub(crate) gauntlet: bool,
    /// Whether games have plies; without, they are only results.
    pub(crate) plies: bool,
    /// What moving first is worth, by the printing and komi; pairs have each in turn.
    pub(crate) rules: &'static [f64],
    /// The number of agents with each value of the swept key; the last agent is not swept.
    pub(crate) swept: &'static [usize],
}

pub(crate) const PLAIN: Design = Design {
    name: "",
    agents: 8,
    step: 0.0,
    champion: 0.0,
    pairs: 10,
    common: false,
    luck: Luck::None,
    draws: 0.0,
    uneven: false,
    gauntlet: false,
    plies: false,
    rules: &[SEAT],
    swept: &[],
};

/// What is known of a game before it is played.
pub(crate) struct Planned {
    pub(crate) id: GameId,
    pub(crate) agents: [usize; 2],
}

impl Design {
    pub(crate) fn strength(&self, agent: usize) -> f64 {
        let champion = if agent == 0 { self.champion } else { 0.0 };
        champion - self.step * agent as f64
    }

    /// By how much an agent is ahead of another.
    pub(crate) fn lead(&self, [one, other]: [usize; 2]) -> f64 {
        self.strength(one) - self.strength(other)
    }

    pub(crate) fn pairings(&self) -> Vec<[usize; 2]> {
        let all = (0..self.agents).flat_map(|a| (a + 1..self.agents).map(move |b| [a, b]));
        all.filter(|&[a, _]| a == 0 || !self.gauntlet).collect()
    }

    pub(crate) fn games(&self) -> Vec<Planned> {
        let mut games = Vec::new();
        for (pairing, [a, b]) in (0..).zip(self.pairings()) {
            for pair in 0..self.pairs {
                let is_left_out = (a + b) % 2 == 0 && !(pair + a as u32).is_multiple_of(3);
                if self.uneven && is_left_out {
                    continue;
                }
                games.extend(
                    [[a, b], [b, a]]
                        .into_iter()
                        .zip(0..)
                        .map(|(agents, leg)| Planned {
                            id: GameId { pairing, pair, leg },
                            agents,
                        }),
                );
            }
        }
        games
    }

    /// The agents with a value of the swept key.
    pub(crate) fn members(&self, value: usize) -> std::ops::Range<usize> {
        let before: usize = self.swept[..value].iter().sum();
        before..before + self.swept[value]
    }

    /// The number of the rules of a game.
    pub(crate) fn rules_of(&self, id: GameId) -> usize {
        id.pair as usize % self.rules.len()
    }

    /// The probability that the agent in the first seat wins, with half of that of a draw.
    pub(crate) fn chance(&self, agents: [usize; 2]) -> f64 {
        chance(self.lead(agents) + SEAT)
    }

    /// The expected margin of the agent in the first seat.
    pub(crate) fn margin(&self, agents: [usize; 2]) -> f64 {
        let of_patches = if self.plies {
            mean_of_games(agents).worth
        } else {
            0.0
        };
        POINTS_PER_ELO * self.lead(agents) + SEAT_POINTS + of_patches
    }

    /// Plays all games.
    pub(crate) fn play(&self, rng: &mut Rng) -> Vec<PlayedGame> {
        // Different rings, not those that another table has next to one of them.
        let (first, step) = (below(RINGS, rng), 2 * below(RINGS / 2, rng) + 1);
        let ring = |number: u32| first.wrapping_add(number.wrapping_mul(step));
        let (mut setup, mut latest) = (SetupLuck::new(0, self.agents, rng), None);
        let mut common: Vec<SetupLuck> = Vec::new();
        if self.common {
            let rings =
                (0..self.pairs).map(|number| SetupLuck::new(ring(number), self.agents, rng));
            common = rings.collect();
        }
        let mut number = 0;
        let play = |Planned { id, agents }: Planned| {
            if latest.replace((id.pairing, id.pair)) != Some((id.pairing, id.pair)) {
                number += 1;
                setup = match self.common {
                    true => common[id.pair as usize].clone(),
                    false => SetupLuck::new(ring(number), self.agents, rng),
                };
            }
            self.game(id, agents, &setup, rng)
        };
        self.games().into_iter().map(play).collect()
    }

    fn game(&self, id: GameId, agents: [usize; 2], setup: &SetupLuck, rng: &mut Rng) -> PlayedGame {
        let [first, second] = agents;
        let of_setup = match self.luck {
            Luck::None => 0.0,
            Luck::Agent => {
                (setup.form[second] - setup.form[first]) * std::f64::consts::FRAC_1_SQRT_2
            }
            Luck::Seat => setup.favour,
        };
        let draw = match self.luck {
            Luck::None => uniform(rng),
            _ => normal_below(LUCK.sqrt() * of_setup + (1.0 - LUCK).sqrt() * normal(rng)),
        };
        let seat = self.rules[self.rules_of(id)];
        let score = result(self.lead(agents) + seat, self.draws, draw);
        let games = STYLES[style_of(agents)];
        let game = match below(2, rng) {
            0 => setup.game % games.len(),
            _ => below(games.len() as u32, rng) as usize,
        };
        let template = games[game];
        let own = POINTS_PER_ELO * self.lead(agents) + SEAT_POINTS;
        let of_patches = if self.plies {
            worth_of_purchases(&POOL[setup.ring][template])
        } else {
            0.0
        };
        let margin = own + of_patches + BETWEEN * setup.margin + CHANCE * normal(rng);
        PlayedGame {
            id,
            agents,
            score,
            // Rounded so that the mean stays.
            margin: (margin + uniform(rng)).floor() as i16,
            setup: setup.ring,
            template,
        }
    }
}

/// A finished game.
pub(crate) struct PlayedGame {
    pub(crate) id: GameId,
    pub(crate) agents: [usize; 2],
    /// The result of the agent in the first seat.
    pub(crate) score: GameScore,
    pub(crate) margin: i16,
    /// The number of its ring.
    pub(crate) setup: usize,
    template: usize,
}

impl PlayedGame {
    pub(crate) fn entry(&self, with_plies: bool) -> Entry {
        let template = &POOL[self.setup][self.template];
        let record = Record {
            id: self.id,
            agents: self.agents.map(|agent| agent as u16),
            scores: [self.margin, 0],
            winner: Player::BOTH[usize::from(self.score == GameScore::Loss)],
            plies: if with_plies {
                template.plies.clone()
            } else {
                Vec::new()
            },
            setup: template.setup.clone(),
            ..*template
        };
        Entry {
            record,
            nanos: Vec::new(),
            extras: Extras::default(),
        }
    }
}

/// What happens on a setup: how it suits each agent and a seat, its margin, and its usual game.
#[derive(Clone)]
struct SetupLuck {
    ring: usize,
    form: Vec<f64>,
    favour: f64,
    margin: f64,
    game: usize,
}

impl SetupLuck {
    fn new(ring: u32, agents: usize, rng: &mut Rng) -> Self {
        Self {
            ring: (ring % RINGS) as usize,
            form: (0..agents).map(|_| normal(rng)).collect(),
            favour: normal(rng),
            margin: normal(rng),
            game: below(12, rng) as usize,
        }
    }
}

/// Number of rings in the pool, and of games on each.
const RINGS: u32 = 4096;
const GAMES: u64 = 4;

/// Random games by ring, the shorter ones first.
static POOL: LazyLock<Vec<Vec<Record>>> = LazyLock::new(|| {
    let on_ring = |ring| {
        let setup = Setup::random(Track::Original, &mut stream(&[71, ring]));
        let game = |game| random_game(&setup, &mut stream(&[72, ring, game]));
        let mut games: Vec<Record> = (0..GAMES).map(game).collect();
        games.sort_by_key(|game| game.plies.len());
        games
    };
    (0..u64::from(RINGS)).map(on_ring).collect()
});

/// What the patches of the first player are worth, less those of the second.
fn worth_of_purchases(record: &Record) -> f64 {
    let worth = |ply: &Ply| {
        let sign = if ply.player == Player::First {
            1.0
        } else {
            -1.0
        };
        ply.bought().map_or(0.0, |patch| sign * worth(patch))
    };
    record.plies.iter().map(worth).sum()
}

fn random_game(setup: &Setup, rng: &mut Rng) -> Record {
    let mut plies = Vec::new();
    let end = random_plies(setup, rng, |state, action, _| {
        plies.push(Ply::new(setup, state, action, Thought::default()));
    });
    Record::new(GameId::default(), [0, 1], setup, plies, &end, None)
}

/// The points that a patch is worth.
pub(crate) fn worth(patch: PatchId) -> f64 {
    (f64::from(patch.number()) - 17.0) / 8.0
}

/// Which games of the pool two agents play: the shorter ones, all or the longer ones.
const STYLES: [&[usize]; 3] = [&[0, 1], &[0, 1, 2, 3], &[2, 3]];

fn style_of([one, other]: [usize; 2]) -> usize {
    (one + other) % STYLES.len()
}

/// The mean over a game of two agents of what is counted of its plies.
pub(crate) fn mean_of_games(agents: [usize; 2]) -> &'static MeanGame {
    &MEANS[style_of(agents)]
}

/// The number of plies of a class, their legal actions, and those with a single one.
pub(crate) type ClassMean = [f64; 3];

/// What is counted of a game, as means over the games of a style.
#[derive(Clone, Default)]
pub(crate) struct MeanGame {
    /// By seat.
    pub(crate) seats: [ClassMean; 2],
    /// By phase, then by kind.
    pub(crate) classes: [ClassMean; 6],
    pub(crate) by_ply: Vec<ClassMean>,
    /// By seat: the placements of the last patch on offer, and the plies with an offer.
    pub(crate) papers: [[f64; 2]; 2],
    /// The sum of the decimal logarithms of the numbers of legal actions.
    pub(crate) tree: f64,
    /// The probability that a seat buys a patch.
    pub(crate) bought: Vec<[f64; 2]>,
    /// What the patches of the first player are worth, less those of the second.
    pub(crate) worth: f64,
}

static MEANS: LazyLock<[MeanGame; STYLES.len()]> = LazyLock::new(|| {
    STYLES.map(|games| {
        let mut mean = MeanGame {
            by_ply: vec![[0.0; 3]; MAX_PLIES],
            bought: vec![[0.0; 2]; PATCH_COUNT],
            ..MeanGame::default()
        };
        let weight = 1.0 / (POOL.len() * games.len()) as f64;
        for game in POOL
            .iter()
            .flat_map(|ring| games.iter().map(|&game| &ring[game]))
        {
            mean.add(weight, game);
        }
        mean
    })
});

impl MeanGame {
    fn add(&mut self, weight: f64, record: &Record) {
        for (number, ply) in record.plies.iter().enumerate() {
            let phase = [18, 36]
                .into_iter()
                .filter(|&space| ply.space >= space)
                .count();
            let kind = match (ply.is_special(), ply.bought()) {
                (true, _) => 5,
                (false, Some(_)) => 4,
                (false, None) => 3,
            };
            let forced = if ply.legal == 1 { weight } else { 0.0 };
            let of_ply = [weight, weight * f64::from(ply.legal), forced];
            let seat = ply.player.index();
            let add = |sum: &mut ClassMean| (0..3).for_each(|i| sum[i] += of_ply[i]);
            add(&mut self.seats[seat]);
            add(&mut self.classes[phase]);
            add(&mut self.classes[kind]);
            add(&mut self.by_ply[number]);
            self.tree += weight * libm::log10(f64::from(ply.legal));
            if let Some(patch) = ply.bought() {
                self.bought[patch.index()][seat] += weight;
            }
        }
        for (sum, found) in self.papers.iter_mut().zip(record.papers_counts()) {
            sum[0] += weight * found.0;
            sum[1] += weight * found.1;
        }
        self.worth += weight * worth_of_purchases(record);
    }
}

pub(crate) fn uniform(rng: &mut Rng) -> f64 {
    (f64::from(below(1 << 30, rng)) + 0.5) / f64::from(1 << 30)
}

/// A standard normal number (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * libm::log(uniform(rng))).sqrt();
    radius * libm::cos(std::f64::consts::TAU * uniform(rng))
}

/// The probability that a standard normal number is below another one.
fn normal_below(x: f64) -> f64 {
    libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0
}

/// The expected score of an agent that is this many Elo ahead.
pub(crate) fn chance(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// The result for a uniform number: a win if it is small, then a draw. The share of draws is Davidson's, at an expected
/// score that is logistic.
pub(crate) fn result(elo: f64, draws: f64, draw: f64) -> GameScore {
    let chance = chance(elo);
    let product = chance * (1.0 - chance);
    let nu = 2.0 * draws / (1.0 - draws);
    let drawn = match nu > 0.0 {
        true => 2.0 * product / (0.5 + (0.25 - product + 4.0 * product / (nu * nu)).sqrt()),
        false => 0.0,
    };
    match draw {
        _ if draw < chance - drawn / 2.0 => GameScore::Win,
        _ if draw < chance + drawn / 2.0 => GameScore::Draw,
        _ => GameScore::Loss,
    }
}
