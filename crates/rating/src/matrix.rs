//! Minimal linear algebra for Newton's method on a few hundred agents.

/// A square matrix.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// This matrix multiplied by `by`.
    pub(super) fn scaled(mut self, by: f64) -> Self {
        self.cells.iter_mut().for_each(|cell| *cell *= by);
        self
    }

    /// Adds `weight * x y^T` for sparse vectors given by their nonzero entries.
    pub(super) fn add_outer(&mut self, weight: f64, x: &[(usize, f64)], y: &[(usize, f64)]) {
        for &(row, a) in x {
            for &(column, b) in y {
                self.add(row, column, weight * a * b);
            }
        }
    }

    /// `x^T self x` for a sparse vector given by its nonzero entries.
    pub(super) fn quadratic(&self, x: &[(usize, f64)]) -> f64 {
        let terms = |&(row, a): &(usize, f64)| {
            let products = x
                .iter()
                .map(move |&(column, b)| a * b * self.at(row, column));
            products.sum::<f64>()
        };
        x.iter().map(terms).sum()
    }

    /// `self x` for a symmetric matrix and a sparse vector given by its nonzero entries.
    pub(super) fn times_sparse(&self, x: &[(usize, f64)]) -> Vec<f64> {
        let mut product = vec![0.0; self.size];
        for &(row, by) in x {
            for (sum, cell) in product.iter_mut().zip(self.row(row)) {
                *sum += by * cell;
            }
        }
        product
    }

    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.cells
            .chunks(self.size)
            .map(|row| dot(row, vector))
            .collect()
    }

    /// The Cholesky factor: the lower triangular matrix whose product with its transpose is this
    /// symmetric matrix. `None` if the matrix is not positive definite.
    fn lower(&self) -> Option<Self> {
        let n = self.size;
        let mut lower = Self::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let rest = self.at(i, j) - dot(&lower.row(i)[..j], &lower.row(j)[..j]);
                let value = if i == j {
                    // A pivot this small is rounding noise from a singular matrix.
                    if rest.is_nan() || rest <= 1e-12 * self.at(i, i) {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower.at(j, j)
                };
                lower.cells[i * n + j] = value;
            }
        }
        Some(lower)
    }

    /// The logarithm of the determinant of a symmetric matrix; `None` if it is not positive
    /// definite.
    pub(super) fn log_determinant(&self) -> Option<f64> {
        let lower = self.lower()?;
        Some(
            (0..self.size)
                .map(|i| 2.0 * libm::log(lower.at(i, i)))
                .sum(),
        )
    }

    /// The inverse of a symmetric matrix; `None` if it is not positive definite.
    pub(super) fn inverse(&self) -> Option<Self> {
        let n = self.size;
        let lower = self.lower()?;
        // Row c of `roots` is column c of lower^-1, so the inverse is roots roots^T.
        let mut roots = Self::zero(n);
        for c in 0..n {
            for i in c..n {
                let unit = if i == c { 1.0 } else { 0.0 };
                let known = dot(&lower.row(i)[c..i], &roots.row(c)[c..i]);
                roots.cells[c * n + i] = (unit - known) / lower.at(i, i);
            }
        }
        let mut inverse = Self::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let value = dot(&roots.row(i)[i..], &roots.row(j)[i..]);
                inverse.cells[i * n + j] = value;
                inverse.cells[j * n + i] = value;
            }
        }
        Some(inverse)
    }

    /// `self middle self`, for symmetric matrices.
    pub(super) fn sandwich(&self, middle: &Self) -> Self {
        let mut product = Self::zero(self.size);
        let rows = product.cells.chunks_mut(self.size.max(1));
        for (i, row) in rows.enumerate() {
            row.copy_from_slice(&self.times(&middle.times(self.row(i))));
        }
        product
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Makes the information matrix invertible when strengths are only identified up to a constant per
/// group: the mean of each group is fixed at 0.
pub(super) fn fix_means(information: &mut Matrix, groups: &[usize]) {
    for (i, group) in groups.iter().enumerate() {
        for (j, other) in groups.iter().enumerate() {
            if group == other {
                information.add(i, j, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let mut matrix = Matrix::zero(3);
        let x = [(0, 1.0), (1, -1.0), (2, 1.0)];
        let y = [(0, 2.0), (2, 1.0)];
        matrix.add_outer(0.5, &x, &x);
        matrix.add_outer(3.0, &y, &y);
        assert!(matrix.inverse().is_none(), "rank 2");
        matrix.add(1, 1, 4.0);
        let inverse = matrix.inverse().expect("positive definite");
        let logs = [&matrix, &inverse].map(|one| one.log_determinant().expect("as well"));
        assert!(logs[0] > 1.0 && (logs[0] + logs[1]).abs() < 1e-12);
        for column in 0..3 {
            let mut unit = [0.0; 3];
            unit[column] = 1.0;
            let back = matrix.times(&inverse.times(&unit));
            for (row, value) in back.iter().enumerate() {
                assert!((value - unit[row]).abs() < 1e-12, "{row} {column} {value}");
            }
        }
    }
}
