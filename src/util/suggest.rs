//! What a misspelt name may mean, and the names that are known.

/// The known name that is most similar to this one, if any is similar enough.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|near| (strsim::jaro_winkler(name, near), near))
        .filter(|&(likeness, _)| likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, near)| near)
}

/// `; did you mean NAME?` with the most similar of the known names, or nothing.
///
/// ```
/// use patchwork_arena::util::suggest::did_you_mean;
///
/// let known = ["random", "mcts-fast"];
/// assert_eq!(did_you_mean("mcts-fsat", known), "; did you mean mcts-fast?");
/// assert_eq!(did_you_mean("chess", known), "");
/// ```
#[must_use]
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

/// The names as an enumeration.
///
/// ```
/// use patchwork_arena::util::suggest::one_of;
///
/// assert_eq!(one_of(&["ucb1", "ucb1-tuned", "puct"]), "ucb1, ucb1-tuned or puct");
/// ```
#[must_use]
pub fn one_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}
