//! The data fixed before a game: the rules that were chosen and the order of the ring.

use std::fmt;
use std::str::FromStr;

use rand::seq::SliceRandom as _;

use super::patch::{PATCH_COUNT, PatchId};
use super::rules::Rules;
use super::track::Track;
use crate::util::InputError;
use crate::util::rng::Rng;

/// Rules and ring of one game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    rules: Rules,
    ring: Ring,
}

impl Setup {
    /// The setup with these rules, of which a track is enough, and this ring.
    pub fn new(rules: impl Into<Rules>, ring: Ring) -> Self {
        let rules = rules.into();
        Self { rules, ring }
    }

    /// A setup whose ring is a uniform shuffle of patches 2 to 33, followed by patch 1.
    pub fn random(rules: impl Into<Rules>, rng: &mut Rng) -> Self {
        let mut order: [PatchId; PATCH_COUNT] =
            std::array::from_fn(|i| PatchId::new(i as u8 + 1).expect("1 to 33"));
        order.rotate_left(1);
        order[..PATCH_COUNT - 1].shuffle(rng);
        Self::new(rules, Ring::checked(order))
    }

    /// The printing of the time board.
    pub const fn track(&self) -> Track {
        self.rules.track()
    }

    /// The printing of the time board and the komi.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The circle of patches.
    pub const fn ring(&self) -> &Ring {
        &self.ring
    }

    /// The patch at a place of the ring, 0 to 32. Places from 33 to 127 go round it again.
    #[inline(always)]
    pub const fn patch_at(&self, place: usize) -> PatchId {
        self.ring.order[place % AHEAD]
    }
}

/// The rules and the ring, such as `original 2 3 ... 33 1`.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rules, self.ring)
    }
}

impl FromStr for Setup {
    type Err = InputError;

    /// Reads rules and a ring. Without rules, they are those of [`Track::Original`].
    fn from_str(text: &str) -> Result<Self, InputError> {
        let text = text.trim();
        let (rules, ring) = if text.starts_with(|c: char| c.is_ascii_digit()) {
            (Rules::default(), text)
        } else {
            let (name, ring) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            (name.parse()?, ring)
        };
        Ok(Self::new(rules, ring.parse()?))
    }
}

/// The circle of patches in order; the token starts before its first patch, after patch 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ring {
    /// Again and again, as far as a place after the token can be.
    order: [PatchId; AHEAD],
    /// The place of each patch, by its index.
    places: [u8; PATCH_COUNT],
}

/// More than the greatest place of the token and the number of bits of a word.
const AHEAD: usize = 128;

impl Ring {
    /// The ring in this order.
    pub fn new(numbers: &[u8]) -> Result<Self, InputError> {
        let mut seen = [false; PATCH_COUNT];
        for &number in numbers {
            let patch = PatchId::new(number).ok_or_else(|| no_patch(number))?;
            if std::mem::replace(&mut seen[patch.index()], true) {
                return Err(format!("patch {patch} comes twice: {EXPECTED}").into());
            }
        }
        if let Some(missing) = PatchId::all().find(|patch| !seen[patch.index()]) {
            return Err(format!("patch {missing} is missing: {EXPECTED}").into());
        }
        let last = numbers[PATCH_COUNT - 1];
        if last != 1 {
            return Err(InputError::new(format!(
                "the ring ends with patch {last}: the token starts after patch 1, so 1 must be last"
            )));
        }
        Ok(Self::checked(std::array::from_fn(|i| {
            PatchId::new(numbers[i]).expect("checked above")
        })))
    }

    /// The ring of an order that is known to contain every patch once.
    fn checked(order: [PatchId; PATCH_COUNT]) -> Self {
        let mut places = [0; PATCH_COUNT];
        for (place, patch) in order.iter().enumerate() {
            places[patch.index()] = place as u8;
        }
        let mut ahead = [order[0]; AHEAD];
        for round in ahead.chunks_mut(PATCH_COUNT) {
            round.copy_from_slice(&order[..round.len()]);
        }
        Self {
            order: ahead,
            places,
        }
    }

    /// The place of a patch, 0 to 32.
    #[inline(always)]
    pub(crate) const fn place_of(&self, patch: PatchId) -> usize {
        self.places[patch.index()] as usize
    }

    /// The patches in order.
    pub const fn order(&self) -> &[PatchId; PATCH_COUNT] {
        let Some(order) = self.order.first_chunk() else {
            unreachable!()
        };
        order
    }

    /// The patch numbers in order.
    pub fn numbers(&self) -> [u8; PATCH_COUNT] {
        self.order().map(PatchId::number)
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // By hand: the rings of millions of pairs are written.
        let mut text = String::with_capacity(3 * PATCH_COUNT);
        for number in self.numbers() {
            if !text.is_empty() {
                text.push(' ');
            }
            if number >= 10 {
                text.push(char::from(b'0' + number / 10));
            }
            text.push(char::from(b'0' + number % 10));
        }
        f.write_str(&text)
    }
}

/// What a ring is, as messages say it.
const EXPECTED: &str = "a ring is the 33 numbers 1 to 33, each once, with 1 last";

/// The refusal of a word that is not the number of a patch.
fn no_patch(word: impl fmt::Display) -> InputError {
    InputError::new(format!(
        "'{word}' is not a patch; a ring is the numbers 1 to 33, each once, with 1 last"
    ))
}

impl FromStr for Ring {
    type Err = InputError;

    /// Reads 33 numbers separated by spaces or commas.
    fn from_str(text: &str) -> Result<Self, InputError> {
        let numbers = text
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().map_err(|_| no_patch(word)))
            .collect::<Result<Vec<u8>, _>>()?;
        Self::new(&numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::stream;

    #[test]
    fn rings_are_read_and_written() {
        for seed in 0..100 {
            let ring = crate::testing::ring(seed);
            assert_eq!(ring.to_string().parse(), Ok(ring));
            assert_eq!(ring.to_string().replace(' ', ", ").parse(), Ok(ring));
        }
    }

    #[test]
    fn setups_are_read_and_written() {
        let setup = Setup::random(Track::Revised, &mut stream(&[4]));
        let text = setup.to_string();
        assert!(text.starts_with("revised "));
        assert_eq!(text.parse(), Ok(setup));
        let ring = crate::testing::ring(4);
        let original = Setup::new(Track::Original, ring);
        assert_eq!(ring.to_string().parse(), Ok(original.clone()));
        assert_eq!(ring.to_string().replace(' ', ", ").parse(), Ok(original));
        let komi = Setup::new(Rules::with_komi(Track::Revised, 3).expect("small"), ring);
        assert!(komi.to_string().starts_with("revised+3 "));
        assert_eq!(komi.to_string().parse(), Ok(komi));
        let refused = |text: &str| text.parse::<Setup>().unwrap_err().to_string();
        assert!(refused("new 1 2 3").starts_with("'new' is not a track"));
        assert!(refused("revised 2 3 1").starts_with("patch 4 is missing"));
        assert!(refused("").starts_with("'' is not a track"));
    }

    #[test]
    fn invalid_rings_are_refused() {
        let all: Vec<String> = (2..=33).map(|n| n.to_string()).collect();
        let most = all.join(" ");
        let refused = |text: &str, start: &str| {
            let sentence = text.parse::<Ring>().unwrap_err().to_string();
            assert!(sentence.starts_with(start), "{sentence}");
        };
        refused("", "patch 1 is missing: a ring is the 33 numbers");
        refused(&format!("1 {most}"), "the ring ends with patch 33:");
        refused(&format!("{most} 1 1"), "patch 1 comes twice:");
        for word in ["34", "x", "-1", "300"] {
            refused(
                &format!("{most} {word}"),
                &format!("'{word}' is not a patch; a ring is"),
            );
        }
    }

    #[test]
    fn shuffles_are_uniform_and_keep_patch_1_last() {
        let mut rng = stream(&[7]);
        let mut counts = [[0u32; PATCH_COUNT]; PATCH_COUNT];
        let draws = 32_000;
        for _ in 0..draws {
            let setup = Setup::random(Track::Original, &mut rng);
            for (place, patch) in setup.ring().order().iter().enumerate() {
                counts[place][patch.index()] += 1;
            }
        }
        assert_eq!(counts[PATCH_COUNT - 1][0], draws);
        // Chi-square of 31 x 31 degrees of freedom: mean 961, standard deviation 44.
        let expected = f64::from(draws) / 32.0;
        let chi: f64 = counts[..32]
            .iter()
            .flat_map(|row| &row[1..])
            .map(|&n| (f64::from(n) - expected).powi(2) / expected)
            .sum();
        assert!((780.0..1150.0).contains(&chi), "{chi}");
    }
}
