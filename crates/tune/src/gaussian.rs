//! Linear algebra of Gaussian models: a Cholesky factor that grows row by row.

/// A lower triangular matrix whose product with its transpose is a covariance matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Factor {
    rows: Vec<Vec<f64>>,
}

impl Factor {
    /// Adds a variable with this variance and these covariances with the existing variables, in order.
    ///
    /// If the others explain the variable completely, its remaining variance is raised to a small positive
    /// number.
    pub(super) fn push(&mut self, covariances: &[f64], variance: f64) {
        let mut row = self.lower_solve(covariances);
        let explained: f64 = row.iter().map(|x| x * x).sum();
        row.push((variance - explained).max(1e-9 * variance).sqrt());
        self.rows.push(row);
    }

    /// Keeps only the first `size` variables.
    pub(super) fn truncate(&mut self, size: usize) {
        self.rows.truncate(size);
    }

    /// The solution x of `L x = b`.
    pub(super) fn lower_solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = Vec::with_capacity(b.len() + 1);
        for (row, b) in self.rows.iter().zip(b) {
            let known = dot(row, &x);
            x.push((b - known) / row[row.len() - 1]);
        }
        x
    }

    /// The solution x of `L^T x = b`.
    pub(super) fn upper_solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for (i, row) in self.rows.iter().enumerate().rev() {
            x[i] /= row[i];
            let (before, at) = x.split_at_mut(i);
            for (x, l) in before.iter_mut().zip(row) {
                *x -= l * at[0];
            }
        }
        x
    }

    /// The logarithm of the determinant of the covariance matrix.
    pub(super) fn log_determinant(&self) -> f64 {
        let diagonal = self.rows.iter().enumerate();
        diagonal.map(|(i, row)| 2.0 * libm::log(row[i])).sum()
    }
}

/// The logarithm of the density of values with mean 0 whose covariances have this factor, up to a constant.
pub(super) fn log_likelihood(factor: &Factor, values: &[f64]) -> f64 {
    let white = factor.lower_solve(values);
    -0.5 * (dot(&white, &white) + factor.log_determinant())
}

/// The dot product, up to the end of the shorter list.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four sums at once let the compiler use vector instructions.
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4
        .remainder()
        .iter()
        .zip(b4.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a4.zip(b4) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    sums[0] + sums[1] + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_solves_its_equations() {
        // The covariance matrix of x, x + y and y + 2 z for independent x, y and z.
        let matrix = [[1.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 5.0]];
        let mut factor = Factor::default();
        for (i, row) in matrix.iter().enumerate() {
            factor.push(&row[..i], row[i]);
        }
        let b = [3.0, -1.0, 2.0];
        let x = factor.upper_solve(&factor.lower_solve(&b));
        for (row, b) in matrix.iter().zip(b) {
            assert!((dot(row, &x) - b).abs() < 1e-12);
        }
        // The determinant is (1 * 1 * 2)^2.
        assert!((factor.log_determinant() - libm::log(4.0)).abs() < 1e-12);
    }
}
