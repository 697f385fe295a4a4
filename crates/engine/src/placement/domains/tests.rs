use super::*;
use crate::board::{Instructions, PortableFits};
use crate::game::PatchId;
use crate::placement::regret_parts::RegretParts;
use crate::util::rng::{below, stream};
use proptest::prelude::*;

proptest! {
    #[test]
    fn all_registers_give_the_regrets_of_the_definition(seed in any::<u64>(), count in 0u32..26) {
        let mut rng = stream(&[seed]);
        let mut left: Vec<ShapeId> = PatchId::all().map(|id| id.patch().shape).collect();
        left.extend([ShapeId::SINGLE; 2]);
        let mut quilt = Quilt::EMPTY;
        for _ in 0..count {
            let shape = left.swap_remove(below(left.len() as u32, &mut rng) as usize);
            let candidates = Candidates::all(shape, quilt);
            if !candidates.is_empty() {
                let rank = below(candidates.len(), &mut rng) / (1 + below(3, &mut rng));
                quilt = quilt.union(candidates.nth(rank).squares(shape));
            }
        }
        let shape = left.swap_remove(0);
        left.truncate(below(left.len() as u32 + 1, &mut rng) as usize);
        let problem = Problem::new(quilt, shape, left.into_iter().collect());
        let candidates = Candidates::all(shape, quilt);
        let placements: Vec<Placement> = candidates.placements().step_by(3).collect();
        if placements.is_empty() {
            return Ok(());
        }
        let root = Domains::root(&problem);
        let slow: Vec<i32> = placements
            .iter()
            .map(|placement| root.regret(placement.squares(shape)))
            .collect();
        let first_least = |scores: &[i32]| (0..scores.len()).min_by_key(|&i| scores[i]);
        let mut out = vec![0; placements.len()];
        let wide = Instructions::available().into_iter().map(Some);
        for instructions in wide.chain([None]) {
            for only_least in [false, true] {
                out.fill(0);
                let work = Regrets { root: &root, shape, placements: &placements, out: &mut out, only_least };
                match instructions {
                    Some(instructions) => instructions.run(work),
                    None => work.run::<PortableFits, u64, 1>(),
                }
                prop_assert!(only_least || out == slow);
                prop_assert_eq!(first_least(&out), first_least(&slow));
            }
        }
        // A search adds up what it has counted once.
        let all = Candidates::all(shape, quilt).len();
        let mut parts = RegretParts::default();
        let few = &placements[..placements.len().min(16)];
        parts.add(&problem, few, all);
        let available = problem.available();
        if RegretParts::add_up(&problem, &available) {
            let mut ranked = Vec::new();
            prop_assert_eq!(parts.rank(&problem, &available, &mut ranked), Some(all));
            let mut order: Vec<usize> = (0..few.len()).collect();
            order.sort_by_key(|&i| slow[i]);
            let expected: Vec<Placement> = order.into_iter().map(|i| few[i]).collect();
            prop_assert_eq!(ranked, expected);
        }
        let mut lost = [vec![[0; SHAPE_COUNT + 1]; few.len()], vec![[0; SHAPE_COUNT + 1]; few.len()]];
        lost_squares(&problem, few, &mut lost[0]);
        let before = covers_of(root.free(), ALL_SHAPES);
        let work = Losing { problem: &problem, before: &before, placements: few, out: &mut lost[1] };
        work.run::<PortableFits, u64, 1>();
        prop_assert_eq!(&lost[0], &lost[1]);
        prop_assert_eq!(Some(least_regret(&problem, &placements, &mut out)), first_least(&slow));
        // Equal placements are evaluated once and count each time.
        let few: Vec<Placement> = placements.iter().take(5).flat_map(|&p| [p, placements[0]]).collect();
        let mut of_few = vec![0; few.len()];
        regrets(&problem, &few, &mut of_few);
        for (i, regret) in of_few.iter().enumerate() {
            prop_assert_eq!(*regret, if i % 2 == 0 { slow[i / 2] } else { slow[0] });
        }
        // The open squares are those of the whole domains.
        prop_assert_eq!(open_before(&problem), root.open());
        for placement in placements.iter().take(5) {
            let mut after = root.clone();
            let squares = placement.squares(shape);
            after.common = squares;
            after.own = squares;
            after.cover();
            after.settle();
            prop_assert_eq!(open_after(&problem, squares), after.open());
        }
    }
}
