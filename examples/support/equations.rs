//! Linear equations.

/// The solution of these equations, each with its right-hand side at the end, by elimination with pivots.
pub(crate) fn solution(mut equations: Vec<Vec<f64>>) -> Vec<f64> {
    let size = equations.len();
    for pivot in 0..size {
        let most = (pivot..size).max_by(|&a, &b| {
            let size_of = |i: usize| equations[i][pivot].abs();
            size_of(a).total_cmp(&size_of(b))
        });
        equations.swap(pivot, most.expect("not empty"));
        let row = equations[pivot].clone();
        for (i, equation) in equations.iter_mut().enumerate() {
            let factor = equation[pivot] / row[pivot];
            if i != pivot {
                equation
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(cell, x)| *cell -= factor * x);
            }
        }
    }
    (0..size)
        .map(|i| equations[i][size] / equations[i][i])
        .collect()
}
