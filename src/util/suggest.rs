//! Guesses at what a misspelt name means.

/// The known name that is most similar to this one, if any is similar enough.
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
