use patchwork_arena::board::*;
use patchwork_arena::game::*;
use patchwork_arena::rng::*;
use std::hint::black_box;
use std::time::Instant;
fn main() {
    let free = Words::new(Quilt::from_bits(0xffff_ff00_f3ff_ffff_ffff_ffff_ffff));
    for _ in 0..3 {
        let t = Instant::now();
        let n = 200_000;
        for _ in 0..n {
            let f = black_box(free);
            for s in &SHAPES {
                black_box(cover(ShapeId::of(s.literal()), f));
            }
        }
        println!("covers {:?}", t.elapsed() / n);
        let ids: Vec<ShapeId> = SHAPES.iter().map(|s| ShapeId::of(s.literal())).collect();
        let t = Instant::now();
        for _ in 0..n {
            let f = black_box(free);
            for &s in &ids {
                black_box(cover(s, f));
            }
        }
        println!("covers {:?}", t.elapsed() / n);
        let mut rng = stream(&[1]);
        let setup = Setup::random(Track::Original, &mut rng);
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
}
