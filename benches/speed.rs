use patchwork_arena::agent::*;
use patchwork_arena::board::*;
use patchwork_arena::game::*;
use patchwork_arena::placement::*;
use patchwork_arena::rng::*;
use patchwork_arena::search::*;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
fn main() {
    let free = Words::new(Quilt::from_bits(0xffff_ff00_f3ff_ffff_ffff_ffff_ffff));
    let which = std::env::args()
        .skip(1)
        .find(|a| a != "--bench")
        .unwrap_or_default();
    for _ in 0..3 {
        let n = 200_000;
        let ids: Vec<ShapeId> = ShapeId::all().collect();
        if which.is_empty() || which == "covers" {
            let t = Instant::now();
            for _ in 0..n {
                let f = black_box(free);
                for &s in &ids {
                    black_box(cover(s, f));
                }
            }
            println!("covers {:?}", t.elapsed() / n);
        }
        let mut rng = stream(&[1]);
        let setup = Setup::random(Track::Original, &mut rng);
        if which.is_empty() || which == "random" {
            let t = Instant::now();
            let n = 100_000;
            for _ in 0..n {
                let mut s = State::new(&setup);
                while !s.is_over() {
                    let a = s.random_action(&setup, &mut rng);
                    s.play_unchecked(&setup, a);
                }
                black_box(s);
            }
            let e = t.elapsed();
            println!("random games {:?} {}/s", e / n, n as f64 / e.as_secs_f64());
        }
        if which.is_empty() || which == "rollout" {
            let player = QuickPlayer {
                picker: Picker::Greedy,
                strategy: Strategy::by_names("in-order", "some", "first").unwrap(),
            };
            let mut scratch = Scratch::default();
            let n = 100_000;
            let t = Instant::now();
            for _ in 0..n {
                black_box(player.play_out(&setup, State::new(&setup), &mut rng, &mut scratch));
            }
            let e = t.elapsed();
            println!("rollouts {:?} {}/s", e / n, n as f64 / e.as_secs_f64());
        }
        for (name, n) in [
            ("mcts-uniform", 20000u32),
            ("mcts-fast", 100000),
            ("mcts-regret", 100000),
        ] {
            if !which.is_empty() && which != name {
                continue;
            }
            let file = AgentFile::read(Path::new(&format!("agents/{name}.toml"))).unwrap();
            let AgentSpec::Mcts(spec) = file.config.check().unwrap() else {
                panic!()
            };
            let mut search = Search::new(
                PatchworkModel::new(setup.clone(), spec, stream(&[2])),
                spec.exploration as f32,
            );
            let t = Instant::now();
            black_box(search.decide(&State::new(&setup), Budget::Iterations(n), &Stop::new()));
            let e = t.elapsed();
            println!("{name} {:?} {}/s", e / n, n as f64 / e.as_secs_f64());
        }
    }
}
