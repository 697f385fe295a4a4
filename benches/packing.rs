//! Time of the packing experiment: three strategies on one core beside a naive program in the same run, and
//! all 66 deterministic strategies on the 1000 published orders on all cores.
//!
//! `cargo bench --bench packing` prints the microseconds per order in the fastest of several rounds, and how
//! many times longer the naive program takes. Compare the ratio, not the times, between machines.

use std::hint::black_box;
use std::time::{Duration, Instant};

use patchwork_engine::board::{Quilt, ShapeId};
use patchwork_engine::placement::{Scratch, Strategy};
use patchwork_engine::util::rng::stream;
use patchwork_papers::paper::{Mode, Order, Orders, compared_with, exact_cells, pack, pack_all};

/// Number of rounds; each times our program and the naive program one after the other.
const ROUNDS: usize = 5;

/// The parts of a strategy, its naive program, how often to pack the orders, and how many orders the naive
/// program packs.
type Case = ([&'static str; 3], fn(&[ShapeId]) -> u32, u32, usize);

const CASES: [Case; 3] = [
    (["in-order", "some", "first"], naive::in_order, 100, 100),
    (["bl-lb", "every", "regret"], naive::bl_lb_regret, 4, 4),
    (["all", "every", "regret"], naive::all_regret, 1, 1),
];

fn main() {
    let orders = Orders::published();
    let few = &orders.as_slice()[1..101];
    println!("microseconds for one order, one core");
    for (names, naive, times, naive_orders) in CASES {
        let strategy = Mode::Described.strategy(&names.join("/"));
        let strategy = strategy.expect("a strategy of the paper");
        let (mut best, mut best_naive) = (f64::MAX, f64::MAX);
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for _ in 0..times {
                black_box(areas(few, &strategy));
            }
            best = best.min(per_order(start.elapsed(), times as usize * few.len()));

            let start = Instant::now();
            let found: Vec<u32> = few[..naive_orders]
                .iter()
                .map(|order| naive(&order.numbers().map(|number| Mode::Described.shape(number))))
                .collect();
            best_naive = best_naive.min(per_order(start.elapsed(), naive_orders));
            assert_eq!(found, areas(&few[..naive_orders], &strategy), "{strategy}");
        }
        let ratio = best_naive / best;
        println!(
            "{:<24}{best:>10.2}{best_naive:>12.1} naive, ratio {ratio:.0}",
            strategy.to_string()
        );
    }
    whole_table(orders.as_slice());
}

fn per_order(time: Duration, orders: usize) -> f64 {
    time.as_secs_f64() * 1e6 / orders as f64
}

fn areas(orders: &[Order], strategy: &Strategy) -> Vec<u32> {
    let mut scratch = Scratch::default();
    let mut rng = stream(&[0]);
    let mut area = |order| {
        pack(
            Mode::Described,
            order,
            strategy,
            &mut rng,
            &mut scratch,
            |_| (),
        )
        .area
    };
    orders.iter().map(&mut area).collect()
}

/// All deterministic strategies as published.
fn whole_table(orders: &[Order]) {
    let none: [&str; 0] = [];
    let evaluations = [
        "first",
        "left",
        "bottom",
        "area",
        "regret",
        "reverse-regret",
    ];
    let strategies = Mode::AsPublished.strategies(&none, &none, &evaluations);
    let strategies = strategies.expect("evaluations of the paper");
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        let results = pack_all(Mode::AsPublished, orders, &strategies, 0, &|_| ());
        best = best.min(start.elapsed());
        assert_eq!(exact_cells(&compared_with(&results)), (66, 66));
    }
    println!(
        "{} strategies x {} orders as published: {:.2} s on {} threads",
        strategies.len(),
        orders.len(),
        best.as_secs_f64(),
        std::thread::available_parallelism().map_or(1, usize::from)
    );
}

/// The same in the plainest form: patches as lists of placements.
mod naive {
    use super::{Quilt, ShapeId};

    pub(super) fn in_order(shapes: &[ShapeId]) -> u32 {
        pack(shapes, |_, _, fits, _| {
            fits.iter()
                .copied()
                .max_by_key(|squares| string(*squares))
                .into_iter()
                .collect()
        })
    }

    pub(super) fn bl_lb_regret(shapes: &[ShapeId]) -> u32 {
        pack(shapes, |shape, quilt, fits, others| {
            let groups: Vec<Vec<Quilt>> = placements(shape)
                .into_iter()
                .map(|all| all.into_iter().filter(|q| !q.overlaps(quilt)).collect())
                .collect();
            let column = |q: &Quilt| q.columns().trailing_zeros();
            let row = |q: &Quilt| q.bits().trailing_zeros() / 9;
            let mut chosen = Vec::new();
            for group in &groups {
                chosen.extend(group.iter().copied().min_by_key(|q| (column(q), row(q))));
            }
            for group in &groups {
                chosen.extend(group.iter().copied().min_by_key(|q| (row(q), column(q))));
            }
            least_regret(shape, quilt, fits, others, &chosen)
        })
    }

    pub(super) fn all_regret(shapes: &[ShapeId]) -> u32 {
        pack(shapes, |shape, quilt, fits, others| {
            let mut all = fits.to_vec();
            all.sort_by_key(|squares| std::cmp::Reverse(string(*squares)));
            least_regret(shape, quilt, fits, others, &all)
        })
    }

    /// Packs the shapes; `choose` gets the shape, the covered squares, the placements that fit and the
    /// remaining shapes, and returns a placement or none.
    fn pack(
        shapes: &[ShapeId],
        choose: impl Fn(ShapeId, Quilt, &[Quilt], &[ShapeId]) -> Vec<Quilt>,
    ) -> u32 {
        let mut quilt = Quilt::EMPTY;
        for (i, &shape) in shapes.iter().enumerate() {
            let all = placements(shape).into_iter().flatten();
            let fits: Vec<Quilt> = all.filter(|squares| !squares.overlaps(quilt)).collect();
            for squares in choose(shape, quilt, &fits, &shapes[i + 1..]) {
                quilt = quilt.union(squares);
            }
        }
        quilt.len()
    }

    fn string(squares: Quilt) -> u128 {
        squares.bits().reverse_bits()
    }

    /// All placements on the empty quilt, by orientation.
    fn placements(shape: ShapeId) -> Vec<Vec<Quilt>> {
        let orientations = shape.shape().orientations().iter();
        orientations
            .map(|o| o.inside().squares().map(|anchor| o.place(anchor)).collect())
            .collect()
    }

    fn least_regret(
        shape: ShapeId,
        quilt: Quilt,
        fits: &[Quilt],
        others: &[ShapeId],
        chosen: &[Quilt],
    ) -> Vec<Quilt> {
        let all: Vec<Vec<Quilt>> = others
            .iter()
            .map(|&other| placements(other).into_iter().flatten().collect())
            .collect();
        let size = shape.shape().size();
        let (root, left) = domains(quilt, size, fits, &all);
        let regret = |squares: &Quilt| -> i32 {
            let (after, _) = domains(quilt, size, &[*squares], &left);
            let free = quilt.union(*squares).complement().squares();
            free.map(|s| s.index())
                .filter(|&s| root[s] > 1)
                .map(|s| root[s] - after[s])
                .sum()
        };
        let least = chosen.iter().copied().min_by_key(regret);
        least.into_iter().collect()
    }

    /// Domain sizes of the squares, and the other patches that can still be placed.
    fn domains(
        quilt: Quilt,
        size: u32,
        own: &[Quilt],
        others: &[Vec<Quilt>],
    ) -> (Vec<i32>, Vec<Vec<Quilt>>) {
        let common = own.iter().copied().fold(Quilt::FULL, Quilt::intersection);
        let union = own.iter().copied().fold(Quilt::EMPTY, Quilt::union);
        let common = if own.is_empty() { Quilt::EMPTY } else { common };
        let taken = quilt.union(common);
        let mut left: Vec<Vec<Quilt>> = others
            .iter()
            .map(|all| all.iter().copied().filter(|q| !q.overlaps(taken)).collect())
            .filter(|all: &Vec<Quilt>| !all.is_empty())
            .collect();
        loop {
            let reached = left.iter().flatten().copied().fold(union, Quilt::union);
            let holes = taken.union(reached).complement().len();
            let before = left.len();
            left.retain(|all| all[0].len() + size + quilt.len() + holes <= 81);
            if left.len() == before {
                break;
            }
        }
        let mut sizes = vec![1; 81];
        for cover in left
            .iter()
            .map(|all| all.iter().copied().fold(Quilt::EMPTY, Quilt::union))
            .chain([union.without(common)])
        {
            cover
                .squares()
                .for_each(|square| sizes[square.index()] += 1);
        }
        (sizes, left)
    }
}
