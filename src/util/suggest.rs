//! Guessing what a misspelt name was meant to be.

/// The known name that is most like this one, if any is much like it.
///
/// ```
/// use patchwork_arena::util::suggest::nearest;
///
/// assert_eq!(nearest("mcts-fsat", ["random", "mcts-fast"]), Some("mcts-fast"));
/// assert_eq!(nearest("chess", ["random", "mcts-fast"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|near| (strsim::jaro_winkler(name, near), near))
        .filter(|&(likeness, _)| likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, near)| near)
}
