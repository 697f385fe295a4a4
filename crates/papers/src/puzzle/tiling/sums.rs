//! Sums of the areas of some of the pieces.

/// Whether some of these sizes, each with its number of copies, sum to the total.
pub(super) fn is_sum(sizes: &[(usize, usize)], total: usize) -> bool {
    let mut sums = vec![false; total + 1];
    sums[0] = true;
    for &(size, copies) in sizes {
        for _ in 0..copies {
            for sum in (size..=total).rev() {
                sums[sum] |= sums[sum - size];
            }
        }
    }
    sums[total]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_use_each_copy_once() {
        let sizes = [(5, 2), (3, 1)];
        let reached: Vec<usize> = (0..15).filter(|&total| is_sum(&sizes, total)).collect();
        assert_eq!(reached, [0, 3, 5, 8, 10, 13]);
    }
}
