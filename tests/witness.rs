//! The constraint model and the bitboards verify each other: two computations of the same domains, and two
//! implementations of each policy's placements.

use patchwork_engine::board::{Quilt, SIDE, ShapeId};
use patchwork_engine::game::{PatchId, Placement};
use patchwork_engine::placement::{
    Alternatives, Available, Candidates, Domains, Problem, Strategy, Transforms, regrets,
};
use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_kernel::Updates;
use patchwork_papers::paper::model::{
    Found, Heuristic, HeuristicMeasure, HeuristicScope, ModelPolicy, Packer, PlacementModel,
};
use patchwork_papers::paper::{Order, Orders, PackingStep};

use patchwork_test_support::traces::published_traces;

/// The experiment's patches: five 1x1 and the 33 of the game, in a random order.
fn shuffled(rng: &mut Rng) -> Vec<ShapeId> {
    let mut shapes = vec![ShapeId::SINGLE; 5];
    shapes.extend(PatchId::all().map(|id| id.patch().shape));
    for last in (1..shapes.len()).rev() {
        shapes.swap(last, below(last as u32 + 1, rng) as usize);
    }
    shapes
}

/// The policies as searches on the model, by their names in the bitboard code.
fn policies(quilt: Quilt) -> [(&'static str, ModelPolicy); 6] {
    let columns = quilt.last_column().map_or(1, |last| last + 2);
    let first_fail = Heuristic {
        measure: HeuristicMeasure::SmallestDomain,
        scope: HeuristicScope::Square,
    };
    [
        ("in-order", ModelPolicy::InOrder),
        ("bl", ModelPolicy::BottomLeft),
        ("bl-lb", ModelPolicy::BottomLeftLeftBottom),
        ("pareto-bl", ModelPolicy::ParetoBottomLeft { columns }),
        ("first-fail", ModelPolicy::Rated(first_fail)),
        ("all", ModelPolicy::All),
    ]
}

/// A packing in which both implementations place the same random placement of each patch.
struct Packing {
    model: PlacementModel,
    quilt: Quilt,
    next: usize,
    rng: Rng,
}

impl Packing {
    fn new(model: PlacementModel, seed: u64) -> Self {
        Self {
            model,
            quilt: Quilt::EMPTY,
            next: 0,
            rng: stream(&[seed, 1]),
        }
    }

    /// The next patch as a problem for the bitboards.
    fn problem(&self) -> Problem<'static> {
        let shapes = self.model.shapes();
        let following: Available = shapes[self.next + 1..].iter().copied().collect();
        Problem::new(self.quilt, shapes[self.next], following)
    }

    fn candidates(&self) -> Candidates {
        Candidates::all(self.model.shapes()[self.next], self.quilt)
    }

    /// Compares the root of the next patch; returns whether the patch fits.
    fn compare_root(&mut self) -> bool {
        let candidates = self.candidates();
        assert_eq!(self.model.may_place(self.next), !candidates.is_empty());
        if candidates.is_empty() {
            return false;
        }
        self.model.solver_mut().store_mut().push_level();
        assert_eq!(self.model.require(self.next), Ok(()));
        let domains = Domains::new(&self.problem(), &candidates);
        for square in Quilt::FULL.squares() {
            let size = self.model.domain(square).count_ones();
            assert_eq!(size, domains.size(square), "{square} of {}", self.quilt);
        }
        // Compares not only sizes, but which patches they count.
        assert_eq!(self.model.reach(self.next), candidates.union());
        assert_eq!(self.model.covered_by(self.next), candidates.common());
        self.model.solver_mut().store_mut().undo();
        true
    }

    /// Compares regrets: domains after a placement, for some of the candidates.
    fn compare_regrets(&mut self, every: usize) {
        let placements: Vec<Placement> = self.candidates().placements().step_by(every).collect();
        let mut fast = vec![0; placements.len()];
        regrets(&self.problem(), &placements, &mut fast);
        let size_of = |model: &PlacementModel, s| model.domain(s).count_ones() as i32;
        for (placement, regret) in placements.iter().zip(fast) {
            let squares = placement.squares(self.model.shapes()[self.next]);
            self.model.solver_mut().store_mut().push_level();
            assert_eq!(self.model.require(self.next), Ok(()));
            let before: Vec<i32> = Quilt::FULL
                .squares()
                .map(|s| size_of(&self.model, s))
                .collect();
            assert_eq!(self.model.cover(self.next, squares), Ok(()));
            assert_eq!(self.model.placement(self.next), Some(*placement));
            let slow: i32 = Quilt::FULL
                .without(squares)
                .squares()
                .map(|s| (before[s.index()], size_of(&self.model, s)))
                .filter(|&(before, _)| before > 1)
                .map(|(before, after)| before - after)
                .sum();
            assert_eq!(regret, slow, "{squares} on {}", self.quilt);
            self.model.solver_mut().store_mut().undo();
        }
    }

    /// Compares what each policy generates, placement by placement.
    fn compare_policies(&mut self) {
        let (problem, candidates) = (self.problem(), self.candidates());
        self.model.solver_mut().store_mut().push_level();
        assert_eq!(self.model.require(self.next), Ok(()));
        let mut fast = Alternatives::default();
        for (name, policy) in policies(self.quilt) {
            for transforms in Transforms::ALL {
                let strategy: Result<Strategy, _> =
                    format!("{name}/{}/first", transforms.name()).parse();
                strategy
                    .expect("known")
                    .generate(&problem, &candidates, &mut fast);
                let mut slow = Vec::new();
                self.model
                    .generate(self.next, policy, transforms, &mut slow);
                let slow: Vec<Placement> = slow.iter().map(|found| found.placement).collect();
                let (fast, slow) = if name == "pareto-bl" && transforms == Transforms::Every {
                    // The searches go by column and then transform, the bitboards the other way around.
                    (sorted(fast.as_slice()), sorted(&slow))
                } else {
                    (fast.as_slice().to_vec(), slow)
                };
                let what = format!("{name} {transforms:?} on {}", self.quilt);
                assert_eq!(fast, slow, "{what}");
            }
        }
        self.model.solver_mut().store_mut().undo();
    }

    /// Places the next patch, if it fits, half of the time near the upper left.
    fn advance(&mut self) {
        let candidates = self.candidates();
        if candidates.is_empty() {
            assert_eq!(self.model.exclude(self.next), Ok(()));
        } else {
            let rank = below(candidates.len(), &mut self.rng);
            let rank = rank / [1, 8][below(2, &mut self.rng) as usize];
            let squares = candidates.nth(rank).squares(self.model.shapes()[self.next]);
            assert_eq!(self.model.cover(self.next, squares), Ok(()));
            self.quilt = self.quilt.union(squares);
        }
        self.next += 1;
    }
}

fn sorted(placements: &[Placement]) -> Vec<Placement> {
    let mut sorted = placements.to_vec();
    sorted.sort_unstable_by_key(|p| (p.orientation(), p.anchor()));
    sorted
}

/// Plays packings from random orders and compares everything on the way; returns the number of positions.
fn compare(seeds: std::ops::Range<u64>, regrets_every: usize) -> usize {
    let mut positions = 0;
    for seed in seeds {
        let model = PlacementModel::new(&shuffled(&mut stream(&[seed])));
        let mut packing = Packing::new(model, seed);
        while packing.next < packing.model.shapes().len() {
            if packing.compare_root() {
                packing.compare_regrets(regrets_every);
                packing.compare_policies();
                positions += 1;
            }
            packing.advance();
        }
    }
    positions
}

#[test]
fn domains_regrets_and_policies_agree() {
    assert!(compare(0..4, 23) > 50);
}

#[test]
#[ignore = "minutes of work: thousands of positions"]
fn domains_regrets_and_policies_agree_on_thousands_of_positions_in_full() {
    assert!(compare(1000..1200, 11) > 2500);
}

/// The shape of a patch in the published program, which draws patch 4 as a corner.
fn published_shape(id: PatchId) -> ShapeId {
    match id.number() {
        4 => ShapeId::of(".X/XX"),
        _ => id.patch().shape,
    }
}

/// The last column of the first run of columns with an assigned square, including the dummy column: the
/// published program's measure of how far the patches reach. Column 0 may be empty.
fn published_extent(assigned: Quilt) -> usize {
    let is_bare = |&column: &usize| !Quilt::column(column).overlaps(assigned);
    (1..SIDE).find(is_bare).map_or(SIDE, |bare| bare - 1)
}

fn published_policy(name: &str, assigned: Quilt) -> ModelPolicy {
    match name {
        "in-order" => ModelPolicy::InOrder,
        "bl" => ModelPolicy::BottomLeft,
        "bl-lb" => ModelPolicy::BottomLeftLeftBottom,
        "pareto-bl" => ModelPolicy::ParetoBottomLeft {
            columns: published_extent(assigned) + 2,
        },
        "largest-domain" => ModelPolicy::Rated(Heuristic {
            measure: HeuristicMeasure::LargestDomain,
            scope: HeuristicScope::Square,
        }),
        "all" => ModelPolicy::All,
        _ => panic!("unknown policy {name}"),
    }
}

fn published_choice(evaluation: &str, problem: &Problem<'_>, offer: &[Found]) -> usize {
    let placements: Vec<Placement> = offer.iter().map(|found| found.placement).collect();
    let mut scores = vec![0; placements.len()];
    let extent = |found: &Found| published_extent(found.assigned) as i32;
    match evaluation {
        // The program's bottom is the same for every placement, so its area equals its left.
        "first" | "bottom" => {}
        "left" | "area" => scores = offer.iter().map(extent).collect(),
        _ => regrets(problem, &placements, &mut scores),
    }
    let sign = if evaluation == "reverse-regret" {
        -1
    } else {
        1
    };
    let best = (0..scores.len()).min_by_key(|&i| sign * scores[i]);
    best.expect("an offer has placements")
}

/// Checks rows of the published traces with an order below this number; returns their number.
fn replay_traces(orders: usize) -> usize {
    let text = published_traces();
    let mut packer = Packer::new(published_shape, Updates::Gecode);
    let published = Orders::published();
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [order, policy, transforms, evaluation, _, _, steps] = columns[..] else {
            panic!("seven columns: {line}");
        };
        let order: usize = order.parse().expect("a number");
        if order >= orders {
            continue;
        }
        let transforms = match transforms {
            "some" => Transforms::Some,
            _ => Transforms::Every,
        };
        let order = &published.as_slice()[order];
        let packed = packer.pack(
            order,
            &mut |assigned| published_policy(policy, assigned),
            transforms,
            &mut |problem, offer| published_choice(evaluation, problem, offer),
        );
        let show = |s: &PackingStep| format!("{}:{}:{}", s.number, s.alternatives, s.squares);
        let ours: Vec<String> = packed.iter().map(show).collect();
        assert_eq!(
            ours.join(" "),
            steps,
            "order {}, {policy} {transforms:?} {evaluation}",
            order.index()
        );
        rows += 1;
    }
    rows
}

#[test]
#[ignore = "many searches"]
fn searches_find_the_packings_of_the_papers_program() {
    assert_eq!(replay_traces(1), 51);
}

#[test]
#[ignore = "a minute of work: the other 23 orders"]
fn searches_find_all_packings_of_the_papers_program_in_full() {
    assert_eq!(replay_traces(24), 24 * 51);
}

/// The packings of a learning strategy alone, always taking the first alternative.
fn learn(
    measure: HeuristicMeasure,
    transforms: Transforms,
    summed: bool,
    count: usize,
) -> Vec<PackingStep> {
    learn_orders(
        measure,
        transforms,
        summed,
        Orders::seeded(count, 7).as_slice(),
    )
}

fn learn_orders(
    measure: HeuristicMeasure,
    transforms: Transforms,
    summed: bool,
    orders: &[Order],
) -> Vec<PackingStep> {
    let scope = if summed {
        HeuristicScope::SquareAndPatches
    } else {
        HeuristicScope::Square
    };
    let policy = ModelPolicy::Rated(Heuristic { measure, scope });
    let mut packer = Packer::new(|id| id.patch().shape, Updates::Described);
    let pack = |order| packer.pack(order, &mut |_| policy, transforms, &mut |_, _| 0);
    orders.iter().flat_map(pack).collect()
}

#[test]
fn failure_counts_alone_are_first_fail() {
    // A search for one patch cannot fail: its regular constraint is domain consistent and nothing else
    // restricts it. So all counts keep their initial values, and only domain sizes distinguish squares.
    for transforms in Transforms::ALL {
        let by_size = learn(HeuristicMeasure::SmallestDomain, transforms, false, 6);
        let by_count = learn(HeuristicMeasure::FailureCount, transforms, false, 6);
        assert_eq!(by_size, by_count);
    }
}

#[test]
fn learning_lasts_and_is_the_same_each_time() {
    for measure in [
        HeuristicMeasure::Activity,
        HeuristicMeasure::ConflictHistory,
    ] {
        for summed in [false, true] {
            let all = learn(measure, Transforms::Some, summed, 6);
            assert_eq!(all, learn(measure, Transforms::Some, summed, 6));
            // Without the experience of the first five orders, the last one is packed differently.
            let last = learn_orders(
                measure,
                Transforms::Some,
                summed,
                &Orders::seeded(6, 7).as_slice()[5..],
            );
            assert_ne!(all[5 * 38..], last, "{measure:?} {summed}");
        }
    }
}
