//! The constraint kernel against brute force: every propagator against its own checker, search
//! against enumeration, automata against a matcher of regular expressions.

use std::ops::ControlFlow;

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_kernel::{
    Channel, Conjunction, ConstraintSolver, DomainStore, Linear, Propagator, Regex, Regular,
    Reified, Var, WordTable, depth_first, depth_first_watched,
};
use proptest::prelude::*;

/// All ways to give each variable a value of its domain.
fn assignments(domains: &[u64]) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for &domain in domains {
        all = (0..64)
            .filter(|v| domain >> v & 1 == 1)
            .flat_map(|v| {
                all.iter().map(move |prefix| {
                    let mut longer = prefix.clone();
                    longer.push(v);
                    longer
                })
            })
            .collect();
    }
    all.sort();
    all
}

/// The values that some solution has, for each variable; `None` when there is no solution.
fn supported(domains: &[u64], holds: impl Fn(&[u8]) -> bool) -> Option<Vec<u64>> {
    let mut kept = vec![0; domains.len()];
    for values in assignments(domains) {
        if holds(&values) {
            kept.iter_mut().zip(values).for_each(|(k, v)| *k |= 1 << v);
        }
    }
    (kept.iter().all(|&k| k != 0) || domains.is_empty()).then_some(kept)
}

fn domains(store: &DomainStore, vars: &[Var]) -> Vec<u64> {
    vars.iter().map(|&var| store.domain(var)).collect()
}

/// Narrows variables at random, step by step, and checks after each propagation that exactly the supported
/// values are left; occasionally returns to the start.
fn is_domain_consistent<P: Propagator + 'static>(
    start: &[u64],
    post: impl Fn(&mut DomainStore, &[Var]) -> P,
    rng: &mut Rng,
) {
    let mut solver = ConstraintSolver::default();
    let vars: Vec<Var> = start
        .iter()
        .map(|&domain| solver.variable(domain))
        .collect();
    let checker = post(solver.store_mut(), &vars);
    let holds = |values: &[u8]| {
        checker.holds(&|var| values[vars.iter().position(|&x| x == var).expect("known")])
    };
    let propagator = post(solver.store_mut(), &vars);
    solver.post(propagator);
    let mut expected = supported(start, holds);
    assert_eq!(solver.propagate().is_ok(), expected.is_some());
    for _ in 0..3 {
        solver.store_mut().push_level();
        let before = domains(solver.store(), &vars);
        while expected.is_some() {
            assert_eq!(Some(domains(solver.store(), &vars)), expected);
            let var = vars[below(vars.len() as u32, rng) as usize];
            if solver.store().is_fixed(var) {
                break;
            }
            let mask = loop {
                let mask = u64::from(below(1 << 8, rng));
                if solver.store().domain(var) & mask != 0 {
                    break mask;
                }
            };
            assert!(solver.store_mut().keep(var, mask).is_ok());
            expected = supported(&domains(solver.store(), &vars), holds);
            assert_eq!(solver.propagate().is_ok(), expected.is_some());
        }
        solver.store_mut().undo();
        assert_eq!(domains(solver.store(), &vars), before);
        expected = supported(&before, holds);
        if expected.is_none() {
            return;
        }
    }
}

/// Some values of 0 to `max`, at least one.
fn some_values(max: u8, rng: &mut Rng) -> u64 {
    1 + u64::from(below((2 << max) - 1, rng))
}

fn some_regex(symbols: u8, depth: u32, rng: &mut Rng) -> Regex {
    let kind = if depth == 0 { 0 } else { below(6, rng) };
    let mut parts = |count| -> Vec<Regex> {
        (0..count)
            .map(|_| some_regex(symbols, depth - 1, rng))
            .collect()
    };
    match kind {
        1 | 2 => Regex::sequence(parts(3)),
        3 => Regex::either(parts(2)),
        4 => Regex::either(parts(3)),
        5 => parts(1).remove(0).star(),
        _ => Regex::Symbol(below(u32::from(symbols), rng) as u8),
    }
}

/// The ends of the matches of an expression that start at `from`, directly by definition.
fn ends(regex: &Regex, word: &[u8], from: usize) -> Vec<usize> {
    match regex {
        Regex::Symbol(symbol) if word.get(from) == Some(symbol) => vec![from + 1],
        Regex::Symbol(_) => Vec::new(),
        Regex::Sequence(parts) => parts.iter().fold(vec![from], |starts, part| {
            let mut all: Vec<usize> = starts.iter().flat_map(|&s| ends(part, word, s)).collect();
            all.sort_unstable();
            all.dedup();
            all
        }),
        Regex::Either(parts) => parts.iter().flat_map(|p| ends(p, word, from)).collect(),
        Regex::Star(part) => {
            let mut all = vec![from];
            let mut next = 0;
            while next < all.len() {
                for end in ends(part, word, all[next]) {
                    if !all.contains(&end) {
                        all.push(end);
                    }
                }
                next += 1;
            }
            all
        }
    }
}

/// The words of up to this length.
fn words(symbols: u8, length: usize) -> Vec<Vec<u8>> {
    let all = (1 << symbols) - 1;
    (0..=length)
        .flat_map(|length| assignments(&vec![all; length]))
        .collect()
}

/// The first variable that is not fixed, least value first.
fn in_order(vars: &[Var]) -> impl Fn(&ConstraintSolver) -> Option<(Var, u8)> {
    |solver| {
        let store = solver.store();
        let var = *vars.iter().find(|&&var| !store.is_fixed(var))?;
        Some((var, store.min(var)))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn automata_accept_what_expressions_match(seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let regex = some_regex(3, 4, &mut rng);
        let dfa = regex.to_dfa(3);
        let all = words(3, 6);
        for word in &all {
            let matches = ends(&regex, word, 0).contains(&word.len());
            prop_assert_eq!(dfa.accepts(word.iter().copied()), matches, "{:?} {:?}", regex, word);
        }
        prop_assert!(!dfa.accepts([3]));
        // Minimal: states differ in what they accept, so there are as many different answers for long words
        // as states. Short words may distinguish fewer states, never more.
        let mut answers: Vec<Vec<bool>> = all
            .iter()
            .filter(|prefix| prefix.len() <= 3)
            .map(|prefix| {
                let accepts = |word: &Vec<u8>| dfa.accepts(prefix.iter().chain(word).copied());
                all.iter().filter(|word| word.len() <= 4).map(accepts).collect()
            })
            .collect();
        answers.sort();
        answers.dedup();
        prop_assert!(answers.len() <= dfa.states());
    }

    #[test]
    fn regular_is_domain_consistent(seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let graph = some_regex(3, 4, &mut rng).to_dfa(3).unroll(5);
        let start: Vec<u64> = (0..5).map(|_| some_values(3, &mut rng)).collect();
        let post = |store: &mut DomainStore, vars: &[Var]| Regular::new(store, vars.to_vec(), &graph);
        is_domain_consistent(&start, post, &mut rng);
    }

    #[test]
    fn word_table_is_domain_consistent(seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let graph = some_regex(2, 5, &mut rng).to_dfa(2).unroll(6);
        let start: Vec<u64> = (0..6).map(|_| some_values(2, &mut rng)).collect();
        let post = |store: &mut DomainStore, vars: &[Var]| {
            WordTable::new(store, vars.to_vec(), &graph).expect("few words")
        };
        is_domain_consistent(&start, post, &mut rng);
    }

    #[test]
    fn channel_is_domain_consistent(seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let mut start = vec![some_values(5, &mut rng)];
        start.extend((0..5).map(|_| some_values(1, &mut rng)));
        let post = |_: &mut DomainStore, vars: &[Var]| Channel::new(vars[0], vars[1..].to_vec());
        is_domain_consistent(&start, post, &mut rng);
    }

    #[test]
    fn reified_and_conjunction_are_domain_consistent(seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let start = [some_values(4, &mut rng), some_values(2, &mut rng)];
        let value = below(5, &mut rng) as u8;
        let post = |_: &mut DomainStore, vars: &[Var]| Reified::new(vars[0], value, vars[1]);
        is_domain_consistent(&start, post, &mut rng);
        let start: Vec<u64> = (0..3).map(|_| some_values(1, &mut rng)).collect();
        let post = |_: &mut DomainStore, vars: &[Var]| Conjunction::new(vars[0], vars[1], vars[2]);
        is_domain_consistent(&start, post, &mut rng);
    }

    #[test]
    fn sums_of_flags_are_domain_consistent(seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let start: Vec<u64> = (0..6).map(|_| some_values(1, &mut rng)).collect();
        let total = below(7, &mut rng) as i32;
        let post = |_: &mut DomainStore, vars: &[Var]| {
            Linear::new(vars.iter().map(|&var| (1, var)).collect(), total)
        };
        is_domain_consistent(&start, post, &mut rng);
    }

    #[test]
    fn linear_keeps_every_solution_and_its_bounds(seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let start: Vec<u64> = (0..4).map(|_| some_values(5, &mut rng)).collect();
        let mut solver = ConstraintSolver::default();
        let vars: Vec<Var> = start.iter().map(|&domain| solver.variable(domain)).collect();
        let c: Vec<i32> = vars.iter().map(|_| below(7, &mut rng) as i32 - 3).collect();
        let total = below(13, &mut rng) as i32 - 6;
        let sum = |values: &[u8]| c.iter().zip(values).map(|(c, &v)| c * i32::from(v)).sum::<i32>();
        solver.post(Linear::new(c.iter().copied().zip(vars.iter().copied()).collect(), total));
        let consistent = solver.propagate();
        let Some(kept) = supported(&start, |values| sum(values) == total) else {
            return Ok(());
        };
        prop_assert_eq!(consistent, Ok(()));
        let left = domains(solver.store(), &vars);
        let is_kept = |(kept, left): (&u64, &u64)| kept & !left == 0;
        prop_assert!(kept.iter().zip(&left).all(is_kept));
        // Over the reals between the bounds, every bound has a solution.
        for (i, &var) in vars.iter().enumerate() {
            for bound in [solver.store().min(var), solver.store().max(var)] {
                let reach = |least: bool| -> i32 {
                    let others = (0..4).filter(|&j| j != i).map(|j| {
                        let ends = [solver.store().min(vars[j]), solver.store().max(vars[j])];
                        let [a, b] = ends.map(|v| c[j] * i32::from(v));
                        if least { a.min(b) } else { a.max(b) }
                    });
                    others.sum()
                };
                let rest = total - c[i] * i32::from(bound);
                prop_assert!(reach(true) <= rest && rest <= reach(false));
            }
        }
    }

    /// Several constraints at once: search finds every solution, in the branching's order.
    #[test]
    fn search_finds_all_solutions_in_order(seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let start: Vec<u64> = (0..3).map(|_| some_values(2, &mut rng)).chain([0b11; 3]).collect();
        let graph = some_regex(3, 4, &mut rng).to_dfa(3).unroll(3);
        let total = below(5, &mut rng) as i32;
        let (picked, flag) = (below(3, &mut rng) as usize, below(3, &mut rng) as u8);

        let run = |backwards: bool| {
            let mut solver = ConstraintSolver::default();
            let vars: Vec<Var> = start.iter().map(|&domain| solver.variable(domain)).collect();
            let post = |solver: &mut ConstraintSolver, which: u8| match which {
                0 => {
                    let regular = Regular::new(solver.store_mut(), vars[..3].to_vec(), &graph);
                    solver.post(regular);
                }
                1 => solver.post(Linear::new(vars.iter().map(|&x| (1, x)).collect(), total)),
                2 => solver.post(Reified::new(vars[picked], flag, vars[3])),
                _ => solver.post(Conjunction::new(vars[3], vars[4], vars[5])),
            };
            for which in 0..4 {
                post(&mut solver, if backwards { 3 - which } else { which });
            }
            let holds = |values: &[u8]| {
                solver.holds(&|var| values[vars.iter().position(|&x| x == var).expect("known")])
            };
            let mut expected = assignments(&start);
            expected.retain(|values| holds(values));
            let mut found = Vec::new();
            let root = if solver.propagate().is_ok() {
                let root = domains(solver.store(), &vars);
                depth_first(&mut solver, &mut in_order(&vars), &mut |solver| {
                    found.push(vars.iter().filter_map(|&x| solver.store().value(x)).collect());
                    ControlFlow::Continue(())
                });
                assert_eq!(domains(solver.store(), &vars), root);
                Some(root)
            } else {
                None
            };
            (expected, found, root)
        };
        let (expected, found, root): (_, Vec<Vec<u8>>, _) = run(false);
        prop_assert_eq!(&expected, &found);
        // The order of posting, and so of running, affects neither the fixpoint nor the solutions.
        let (_, same_found, same_root) = run(true);
        prop_assert_eq!((found, root), (same_found, same_root));
    }
}

/// Five of ten 0/1 variables are open, and four of them are 1: the tree is counted, and its shares add up.
#[test]
fn a_search_counts_its_nodes() {
    let mut solver = ConstraintSolver::default();
    let vars: Vec<Var> = (0..10).map(|_| solver.variable(0b11)).collect();
    solver.post(Linear::new(vars.iter().map(|&x| (1, x)).collect(), 4));
    solver.post(Linear::new(vars[5..].iter().map(|&x| (2, x)).collect(), 0));
    assert!(solver.propagate().is_ok());
    let mut share = 0.0;
    let counts = depth_first_watched(
        &mut solver,
        &mut in_order(&vars),
        &mut |counts| {
            assert!(counts.share > share);
            share = counts.share;
            ControlFlow::Continue(())
        },
        &mut |_| ControlFlow::Continue(()),
    );
    assert_eq!(counts.solutions, 5);
    assert_eq!(counts.nodes, 2 * (counts.solutions + counts.failures) - 1);
    assert!((counts.share - 1.0).abs() < 1e-9);
}

/// Languages with too many words or too many symbols for a table are refused.
#[test]
fn word_tables_take_languages_of_few_words() {
    let any = |symbols: u8| Regex::either((0..symbols).map(Regex::Symbol)).star();
    let mut store = DomainStore::default();
    let vars: Vec<Var> = (0..15).map(|_| store.variable(0b11)).collect();
    let mut table = |symbols: u8, length: usize| {
        let graph = any(symbols).to_dfa(symbols.into()).unroll(length);
        WordTable::new(&mut store, vars[..length].to_vec(), &graph).is_some()
    };
    assert!(table(2, 14) && !table(2, 15) && !table(3, 2));
}

#[test]
fn a_placement_has_the_states_that_its_drawing_needs() {
    // 0* 1 1 0^4 1 0^4 1 0*: one state before each of the 12 symbols between the two stars, one after them,
    // and one for words that can never be accepted.
    let zeros = Regex::Symbol(0).star();
    let word = Regex::word([1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    let regex = Regex::sequence([zeros.clone(), word, zeros]);
    assert_eq!(regex.to_dfa(2).states(), 12 + 1 + 1);
    // The same twice over is the same.
    let twice = Regex::either([regex.clone(), regex.clone()]);
    assert_eq!(twice.to_dfa(2), regex.to_dfa(2));
}

#[test]
fn failures_belong_to_the_propagator_that_found_them() {
    let mut solver = ConstraintSolver::default();
    let [x, y, z] = [(); 3].map(|()| solver.variable(0b11));
    solver.post(Linear::new(vec![(1, x), (1, y)], 1));
    solver.post(Linear::new(vec![(1, y), (1, z)], 1));
    assert_eq!(solver.propagate(), Ok(()));
    assert_eq!([x, y, z].map(|v| solver.failure_count(v)), [1.0, 2.0, 1.0]);
    solver.store_mut().push_level();
    // The first constraint makes y 0; then the second has nothing left to add up to 1.
    assert_eq!(solver.store_mut().assign(x, 1), Ok(()));
    assert_eq!(solver.store_mut().assign(z, 0), Ok(()));
    assert!(solver.propagate().is_err());
    solver.store_mut().undo();
    assert_eq!([x, y, z].map(|v| solver.failure_count(v)), [1.0, 3.0, 2.0]);
    assert_eq!(solver.learning().failures(), 1);
    // The queue was emptied, so nothing is left of the failed attempt.
    assert_eq!(solver.propagate(), Ok(()));
}
