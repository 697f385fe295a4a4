//! Layouts up to the symmetries of their region.

/// A symmetry of a region: a permutation of its squares.
pub(super) type Symmetry = Vec<usize>;

/// Numbers the copies of each piece in a layout by their first squares. The layout has for each square the
/// number of a copy, or a number above all of them; `first` has the first copy of each piece.
pub(super) fn renumbered(
    layout: impl Iterator<Item = u16> + Clone,
    first: &[u16],
) -> impl Iterator<Item = u16> {
    // The copies seen so far.
    let mut met: Vec<u16> = Vec::new();
    layout.map(move |copy| {
        let piece = first.partition_point(|&first| first <= copy);
        let Some(&start) = piece.checked_sub(1).and_then(|piece| first.get(piece)) else {
            return copy;
        };
        let end = first.get(piece).copied().unwrap_or(u16::MAX);
        if copy == u16::MAX || end == start + 1 {
            return copy;
        }
        if !met.contains(&copy) {
            met.push(copy);
        }
        let same = met.iter().filter(|&&other| start <= other && other < end);
        start + same.take_while(|&&other| other != copy).count() as u16
    })
}

/// Whether a layout is the representative of its images: true for exactly one of them. Copies must be
/// numbered by [`renumbered`].
pub(super) fn is_least(symmetries: &[Symmetry], layout: &[u16], first: &[u16]) -> bool {
    symmetries.iter().all(|map| {
        let image = map.iter().map(|&square| layout[square]);
        layout.iter().copied().le(renumbered(image, first))
    })
}

/// The symmetries that map some squares, given in ascending order, onto themselves.
pub(super) fn keeping(symmetries: &[Symmetry], squares: &[usize]) -> Vec<Symmetry> {
    let keeps = |map: &&Symmetry| image(map, squares) == squares;
    symmetries.iter().filter(keeps).cloned().collect()
}

/// The images of some squares, ascending and without duplicates.
pub(super) fn images(symmetries: &[Symmetry], squares: &[usize]) -> Vec<Vec<usize>> {
    let mut images: Vec<_> = symmetries.iter().map(|map| image(map, squares)).collect();
    images.sort_unstable();
    images.dedup();
    images
}

fn image(map: &[usize], squares: &[usize]) -> Vec<usize> {
    let mut image: Vec<usize> = squares.iter().map(|&square| map[square]).collect();
    image.sort_unstable();
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::region::Region;

    #[test]
    fn copies_are_numbered_by_their_first_squares() {
        // Pieces with copies 0 to 1, 2 alone, and 3 to 5; a hole.
        let layout = [5, 5, 1, u16::MAX, 2, 0, 3, 4, 1, 3];
        let numbered: Vec<u16> = renumbered(layout.into_iter(), &[0, 2, 3]).collect();
        assert_eq!(numbered, [3, 3, 0, u16::MAX, 2, 1, 4, 5, 0, 4]);
    }

    #[test]
    fn one_layout_of_a_class_is_the_least() {
        let region = Region::new(2, 2).expect("a size");
        let symmetries = region.symmetries();
        // Two dominoes, vertical and horizontal: one of the two layouts is least.
        let least = |layout: &[u16]| is_least(&symmetries, layout, &[0]);
        assert_ne!(least(&[0, 1, 0, 1]), least(&[0, 0, 1, 1]));
        assert_eq!(images(&symmetries, &[0, 1]).len(), 4);
        assert_eq!(keeping(&symmetries, &[0, 1]).len(), 2);
    }
}
