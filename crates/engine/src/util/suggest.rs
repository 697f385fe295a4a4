//! Suggestions for misspelt names, and lists of known names.

/// Minimum length of a prefix that may be completed.
const MIN_STEM: usize = 3;

/// The distance between a known name and a misspelt one: the number of letters to change, insert, remove or
/// swap with their neighbours. `None` if the names are too different: a short name may have one mistake,
/// longer ones more if the first letter is right, and a prefix may stand for the whole name.
fn distance(name: &str, known: &str) -> Option<usize> {
    let letters = name.chars().count().max(known.chars().count());
    let mistakes = strsim::osa_distance(name, known);
    let same_start = name.chars().next() == known.chars().next();
    let most = match letters {
        0..=2 => 0,
        3..=4 => usize::from(same_start),
        5..=8 => 1 + usize::from(same_start),
        _ => 1 + 2 * usize::from(same_start),
    };
    let is_stem = name.len() >= MIN_STEM && known.starts_with(name);
    (mistakes <= most || is_stem).then_some(mistakes)
}

/// The known name that is most similar to this one, if any is similar enough. Capital letters count as small ones.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let small = name.to_lowercase();
    known
        .into_iter()
        .filter(|near| *near != name)
        .filter_map(|near| Some((distance(&small, &near.to_lowercase())?, near)))
        .min_by_key(|(mistakes, _)| *mistakes)
        .map(|(_, near)| near)
}

/// `; did you mean NAME?` with the most similar of the known names, or nothing.
///
/// ```
/// use patchwork_engine::util::suggest::did_you_mean;
///
/// let known = ["random", "mcts-fast"];
/// assert_eq!(did_you_mean("mcts-fsat", known), "; did you mean mcts-fast?");
/// assert_eq!(did_you_mean("chess", known), "");
/// ```
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("; did you mean {near}?"))
}

/// The names as a list in words.
///
/// ```
/// use patchwork_engine::util::suggest::one_of;
///
/// assert_eq!(one_of(&["ucb1", "ucb1-tuned", "puct"]), "ucb1, ucb1-tuned or puct");
/// ```
pub fn one_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: &str = "name seed track agents sweep pairs rings common_rings budget sprt format \
                        challengers description iterations milliseconds";

    fn near(name: &str) -> Option<&'static str> {
        nearest(name, KEYS.split_whitespace())
    }

    #[test]
    fn likely_names_are_guessed() {
        for (meant, names) in [
            ("name", "nmae names Name NAME"),
            ("seed", "sed"),
            ("pairs", "pears pair"),
            ("agents", "agent"),
            ("rings", "ring"),
            ("common_rings", "commonrings"),
            ("challengers", "chalengers"),
            ("format", "formt"),
            ("iterations", "iteratons itertions iter"),
            ("milliseconds", "miliseconds"),
            ("sprt", "spr"),
            ("budget", "bugdet"),
        ] {
            for name in names.split_whitespace() {
                assert_eq!(near(name), Some(meant), "{name}");
            }
        }
    }

    #[test]
    fn unlikely_names_are_not() {
        let names = "games threads time x size game players rating elo mode book seconds repeat \
                     opponents settings output log";
        for name in names.split_whitespace().chain([""]) {
            assert_eq!(near(name), None, "{name}");
        }
    }
}
