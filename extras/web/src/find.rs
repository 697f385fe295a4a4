//! Finding stored games by words: `champion margin>=30 plies<40 fault upset ring=12`.

use patchwork_engine::record::GameFacts;
use patchwork_tournament::{GameNumbers, Results};

use super::request::Refusal;

/// What one word asks of a game.
type Condition<'a> = Box<dyn Fn(&GameFacts) -> bool + 'a>;

/// The indices of the games that fulfil all words of a text, in their order; with `upset`, those that the agent with
/// the lower rating won, by rising difference of the ratings. `elo` has the rating of each agent of the plan.
pub(super) fn find(
    text: &str,
    results: &Results,
    elo: impl FnOnce() -> Result<Vec<f64>, Refusal>,
) -> Result<Vec<u32>, Refusal> {
    let names = results.manifest.plan.names();
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let games = &results.games;
    let text = text.to_lowercase();
    let (upsets, words): (Vec<&str>, Vec<&str>) =
        text.split_whitespace().partition(|word| *word == "upset");
    let conditions = words
        .into_iter()
        .map(|word| condition(word, results, &names));
    let conditions: Vec<Condition<'_>> = conditions.collect::<Result<_, _>>()?;
    let holds = |index: &u32| {
        let facts = &games.facts()[*index as usize];
        conditions.iter().all(|condition| condition(facts))
    };
    let mut found: Vec<u32> = (0..games.len() as u32).filter(holds).collect();
    if !upsets.is_empty() {
        let elo = elo()?;
        let surprise = |index: u32| {
            let facts = &games.facts()[index as usize];
            let [winner, loser] = [facts.winner, facts.winner.other()]
                .map(|player| elo[usize::from(facts.agents[player.index()])]);
            loser - winner
        };
        found.retain(|&index| surprise(index) > 0.0);
        found.sort_by(|&one, &other| surprise(one).total_cmp(&surprise(other)));
    }
    Ok(found)
}

fn condition<'a>(
    word: &'a str,
    results: &'a Results,
    names: &'a [String],
) -> Result<Condition<'a>, Refusal> {
    if word == "fault" {
        return Ok(Box::new(|facts| facts.fault.is_some()));
    }
    if names.iter().any(|name| name.contains(word)) {
        return Ok(Box::new(move |facts| {
            let mut seated = facts.agents.iter();
            seated.any(|&agent| names[usize::from(agent)].contains(word))
        }));
    }
    let wrong = || {
        format!(
            "'{word}': expected a part of an agent's name, fault, upset, or game, margin, plies or ring with =, <, <=, > or \
             >= and a whole number, such as margin>=30"
        )
    };
    let at = word.find(['=', '<', '>']).ok_or_else(wrong)?;
    let (key, rest) = word.split_at(at);
    let value = rest.trim_start_matches(['=', '<', '>']);
    let sign = &rest[..rest.len() - value.len()];
    let value: u64 = value.parse().map_err(|_| wrong())?;
    let numbers = results.numbers()?;
    let number: fn(&GameFacts, &GameNumbers) -> Option<u64> = match key {
        "game" => |facts, numbers| Some(numbers.of(facts).get().cast_unsigned()),
        "margin" => |facts, _| {
            let [one, other] = facts.scores;
            facts.fault.is_none().then_some(one.abs_diff(other).into())
        },
        "plies" => |facts, _| Some(facts.plies.into()),
        "ring" => |facts, _| Some(facts.id().pair.into()),
        _ => return Err(wrong().into()),
    };
    let agrees: fn(&u64, &u64) -> bool = match sign {
        "=" => u64::eq,
        "<" => u64::lt,
        "<=" => u64::le,
        ">" => u64::gt,
        ">=" => u64::ge,
        _ => return Err(wrong().into()),
    };
    Ok(Box::new(move |facts| {
        number(facts, &numbers).is_some_and(|found| agrees(&found, &value))
    }))
}
