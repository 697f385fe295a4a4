//! Files of networks: bytes as they are, and whole files in which the input replaces weights and the checksum is right.
//! A network that is read evaluates positions without a panic, twice the same.
#![cfg_attr(not(test), no_main)]

use std::sync::{Arc, LazyLock};

use patchwork_engine::agent::net::{Evaluator, Net};
use patchwork_engine::game::{Setup, State, Track};
use patchwork_engine::util::rng::stream;
use twox_hash::XxHash3_64;

static SHIPPED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let shipped = Net::shipped("learned").expect("a shipped network");
    shipped.to_bytes()
});

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    read(bytes);
    let Some((place, weights)) = bytes.split_first_chunk::<4>() else {
        return;
    };
    let mut file = SHIPPED.clone();
    let body = file.len() - 8;
    let place = u32::from_le_bytes(*place) as usize % body;
    for (to, from) in file[place..body].iter_mut().zip(weights.iter().cycle()) {
        *to = *from;
    }
    let hash = XxHash3_64::oneshot(&file[..body]);
    file[body..].copy_from_slice(&hash.to_le_bytes());
    read(&file);
}

fn read(bytes: &[u8]) {
    match Net::from_bytes(bytes) {
        Ok(net) => {
            assert_eq!(net.to_bytes(), bytes);
            evaluate(net);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Evaluates the positions of a game.
fn evaluate(net: Net) {
    let mut rng = stream(&[1]);
    let setup = Setup::random(Track::Revised, &mut rng);
    let mut state = State::new(&setup);
    let mut evaluator = Evaluator::new(Arc::new(net));
    while !state.is_over() {
        let margin = evaluator.margin(&setup, &state);
        assert!(margin.is_finite());
        assert_eq!(margin, evaluator.margin(&setup, &state));
        let action = state.random_action(&setup, &mut rng);
        state = state.try_play(&setup, action).expect("legal");
    }
}
