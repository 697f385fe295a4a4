//! Minimal linear algebra for Newton's method on a few hundred agents.

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

    /// Adds the lower half of `x x^T`; [`Self::mirrored`] makes the matrix whole.
    pub(super) fn add_lower_square(&mut self, x: &[f64]) {
        for (row, a) in x.iter().enumerate() {
            let cells = &mut self.cells[row * self.size..][..=row];
            cells.iter_mut().zip(x).for_each(|(cell, b)| *cell += a * b);
        }
    }

    /// The symmetric matrix with this lower half.
    pub(super) fn mirrored(mut self) -> Self {
        for row in 0..self.size {
            for column in 0..row {
                self.cells[column * self.size + row] = self.at(row, column);
            }
        }
        self
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
        for start in (0..n).step_by(LANES) {
            let end = (start + LANES).min(n);
            let mut block = vec![[0.0; LANES]; start];
            for j in 0..start {
                let sums = dots(&lower.row(j)[..j], &block[..j]);
                let divisor = lower.at(j, j);
                for (i, sum) in (start..end).zip(sums) {
                    let value = (self.at(i, j) - sum) / divisor;
                    block[j][i - start] = value;
                    lower.cells[i * n + j] = value;
                }
            }
            for i in start..end {
                for j in start..=i {
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
        }
        Some(lower)
    }

    /// The logarithm of the determinant of a symmetric matrix; `None` if it is not positive
    /// definite.
    pub(super) fn log_determinant(&self) -> Option<f64> {
        Some(self.lower()?.log_diagonal())
    }

    /// Twice the sum of the logarithms of the diagonal.
    fn log_diagonal(&self) -> f64 {
        let of = |i| 2.0 * libm::log(self.at(i, i));
        (0..self.size).map(of).sum()
    }

    /// A generalized inverse of a positive semidefinite matrix, and its rank: the inverse for rows that do not depend on those
    /// before, and 0 for the others.
    pub(super) fn generalized_inverse(&self) -> (Self, u64) {
        let (mut swept, mut kept) = (self.clone(), vec![false; self.size]);
        for (k, is_kept) in kept.iter_mut().enumerate() {
            let pivot = swept.at(k, k);
            *is_kept = pivot > 1e-9 * self.at(k, k) && pivot > 0.0;
            if !*is_kept {
                continue;
            }
            let row: Vec<f64> = (0..self.size).map(|j| swept.at(k, j) / pivot).collect();
            for i in (0..self.size).filter(|&i| i != k) {
                let by = swept.at(i, k);
                for (j, of_row) in row.iter().enumerate() {
                    swept.add(i, j, -by * of_row);
                }
                swept.cells[i * self.size + k] = -by / pivot;
            }
            swept.cells[k * self.size..][..self.size].copy_from_slice(&row);
            swept.cells[k * self.size + k] = 1.0 / pivot;
        }
        for (i, j) in (0..self.size).flat_map(|i| (0..self.size).map(move |j| (i, j))) {
            if !(kept[i] && kept[j]) {
                swept.cells[i * self.size + j] = 0.0;
            }
        }
        let rank = kept.into_iter().filter(|kept| *kept).count();
        (swept, rank as u64)
    }

    /// The inverse of a symmetric matrix; `None` if it is not positive definite.
    pub(super) fn inverse(&self) -> Option<Self> {
        Some(self.inverse_and_log_determinant()?.0)
    }

    /// The inverse and the logarithm of the determinant of a symmetric matrix; `None` if it is not positive definite.
    pub(super) fn inverse_and_log_determinant(&self) -> Option<(Self, f64)> {
        let n = self.size;
        let lower = self.lower()?;
        let log_determinant = lower.log_diagonal();
        // Row c of `roots` is column c of lower^-1, so the inverse is roots roots^T.
        let mut roots = Self::zero(n);
        for start in (0..n).step_by(LANES) {
            let mut block = vec![[0.0; LANES]; n - start];
            for i in start..n {
                let known = dots(&lower.row(i)[start..i], &block[..i - start]);
                for (c, known) in (start..=i).zip(known) {
                    let unit = if i == c { 1.0 } else { 0.0 };
                    let value = (unit - known) / lower.at(i, i);
                    block[i - start][c - start] = value;
                    roots.cells[c * n + i] = value;
                }
            }
        }
        drop(lower);
        let mut inverse = Self::zero(n);
        for start in (0..n).step_by(LANES) {
            let end = (start + LANES).min(n);
            let block = roots.block(start, start);
            for j in 0..end {
                let values = dots(&roots.row(j)[start..], &block);
                for (i, value) in (start..end).zip(values).filter(|(i, _)| j <= *i) {
                    inverse.cells[i * n + j] = value;
                    inverse.cells[j * n + i] = value;
                }
            }
        }
        Some((inverse, log_determinant))
    }

    /// `self middle self`, for symmetric matrices, of which `middle` may have many zeros.
    pub(super) fn sandwich(&self, middle: &Self) -> Self {
        let n = self.size;
        let mut product = Self::zero(n);
        let row = |r: usize| {
            let cells = middle.row(r).iter().copied().enumerate();
            cells.filter(|&(_, cell)| cell != 0.0).collect()
        };
        let rows: Vec<Vec<(usize, f64)>> = (0..n).map(row).collect();
        for start in (0..n).step_by(LANES) {
            let end = (start + LANES).min(n);
            let block = self.block(start, 0);
            let sum = |row: &Vec<(usize, f64)>| {
                let mut sums = [0.0; LANES];
                for &(c, by) in row {
                    sums.iter_mut()
                        .zip(block[c])
                        .for_each(|(sum, y)| *sum += by * y);
                }
                sums
            };
            let half: Vec<_> = rows.iter().map(sum).collect();
            // The product is symmetric, up to rounding.
            let in_half = n > MAX_IN_FULL;
            for c in if in_half { start } else { 0 }..n {
                let values = dots(self.row(c), &half);
                for (i, value) in (start..end).zip(values) {
                    product.cells[i * n + c] = value;
                    if in_half {
                        product.cells[c * n + i] = value;
                    }
                }
            }
        }
        product
    }

    /// The [`LANES`] rows from `row` on, without the columns before `column`, by columns.
    fn block(&self, row: usize, column: usize) -> Vec<[f64; LANES]> {
        let mut block = vec![[0.0; LANES]; self.size - column];
        for lane in 0..LANES.min(self.size - row) {
            for (cells, value) in block.iter_mut().zip(&self.row(row + lane)[column..]) {
                cells[lane] = *value;
            }
        }
        block
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }
}

/// Of the products of larger matrices that are symmetric, a half is computed.
const MAX_IN_FULL: usize = 200;

/// Number of products that are summed at a time: each has its sums in the order of [`dot`], but does not wait for
/// those of the others.
const LANES: usize = 8;

/// The products of a row with each lane of a block.
fn dots(row: &[f64], block: &[[f64; LANES]]) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (x, lanes) in row.iter().zip(block) {
        for (sum, y) in sums.iter_mut().zip(lanes) {
            *sum += x * y;
        }
    }
    sums
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
    fn a_generalized_inverse_leaves_out_what_depends_on_others() {
        let mut matrix = Matrix::zero(4);
        for x in [[1.0, -1.0, 0.0, 2.0], [0.0, 1.0, -1.0, 0.0]] {
            let x: Vec<(usize, f64)> = x.into_iter().enumerate().collect();
            matrix.add_outer(2.0, &x, &x);
        }
        let (inverse, rank) = matrix.generalized_inverse();
        assert_eq!(rank, 2);
        for row in 0..4 {
            let of_row: Vec<f64> = (0..4).map(|column| matrix.at(row, column)).collect();
            let again = matrix.times(&inverse.times(&of_row));
            assert!(again.iter().zip(&of_row).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }

    #[test]
    fn large_matrices_are_like_small_ones() {
        for size in [1, 7, 8, 9, 30, MAX_IN_FULL + 3] {
            let mut matrix = Matrix::zero(size);
            let mut random = 1_u32;
            for _ in 0..3 * size {
                let mut next = || {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (random >> 16) as usize
                };
                let x = [(next() % size, 1.0), (next() % size, -0.5), (0, 0.25)];
                matrix.add_outer(1.0 + next() as f64 / 65_536.0, &x, &x);
            }
            (0..size).for_each(|i| matrix.add(i, i, 0.5));
            let inverse = matrix.inverse().expect("positive definite");
            let sandwich = inverse.sandwich(&matrix);
            for i in 0..size {
                let row: Vec<f64> = inverse.times(&matrix.times(inverse.row(i)));
                for (one, other) in sandwich.row(i).iter().zip(&row) {
                    let rounding = if size > MAX_IN_FULL { 1e-9 } else { 0.0 };
                    assert!((one - other).abs() <= rounding * one.abs(), "{size}");
                }
                let unit = matrix.times(inverse.row(i));
                for (j, value) in unit.into_iter().enumerate() {
                    let expected = if i == j { 1.0 } else { 0.0 };
                    assert!((value - expected).abs() < 1e-9, "{size} {i} {j} {value}");
                }
            }
        }
    }

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
