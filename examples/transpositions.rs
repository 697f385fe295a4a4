//! Counts the positions that occur more than once in a search tree: the potential of a transposition table.
//!
//! `cargo run --release --example transpositions -- agents/champion.toml 100000`

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;

use patchwork_engine::agent::{AgentFile, MctsSettings, PatchworkModel, Step, TreePosition};
use patchwork_engine::game::{Player, Setup, State, Track};
use patchwork_engine::util::rng::stream;
use patchwork_search::{GameRules, Guidance, Leaf, Meter, MoveSet, Search, Side, Stop, Value};

/// The model, recording each position that it evaluates: each node of the tree once.
struct Remembering {
    model: PatchworkModel,
    seen: HashSet<u64>,
    nodes: u64,
    repeated: u64,
}

impl GameRules for Remembering {
    type Position = TreePosition;
    type Action = Step;

    fn is_over(&self, position: &TreePosition) -> bool {
        self.model.is_over(position)
    }

    fn mover(&self, position: &TreePosition) -> Side {
        self.model.mover(position)
    }

    fn play(&self, position: &mut TreePosition, step: Step) {
        self.model.play(position, step);
    }
}

impl Guidance for Remembering {
    fn expand(&mut self, position: &TreePosition, steps: &mut Vec<(Step, f32)>) -> bool {
        self.model.expand(position, steps)
    }

    fn evaluate(&mut self, position: &TreePosition) -> Leaf {
        let is_new = self
            .model
            .key(position)
            .is_none_or(|key| self.seen.insert(key));
        self.nodes += 1;
        self.repeated += u64::from(!is_new);
        self.model.evaluate(position)
    }

    fn estimate(&mut self, position: &TreePosition) -> Value {
        self.model.estimate(position)
    }

    fn moves(&mut self) -> Option<&mut dyn MoveSet<Step>> {
        self.model.moves()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(iterations)) = (arguments.next(), arguments.next()) else {
        return Err("expected an agent file and a number of iterations".into());
    };
    let iterations: u32 = iterations.parse()?;
    let agent = AgentFile::read(Path::new(&file))?;
    let Some(settings) = agent.config.downcast_ref::<MctsSettings>() else {
        return Err(format!("{file}: expected an agent of type mcts").into());
    };
    println!("space  nodes  repeated");
    for seed in 0..3 {
        let mut rng = stream(&[seed]);
        let setup = Setup::random(Track::Original, &mut rng);
        let mut state = State::new(&setup);
        let mut next_space = 0;
        while !state.is_over() {
            let model = Remembering {
                model: PatchworkModel::new(
                    setup.clone(),
                    settings.clone(),
                    settings.estimate.estimator()?,
                    rng.clone(),
                ),
                seen: HashSet::new(),
                nodes: 0,
                repeated: 0,
            };
            let space = state.space(Player::First).min(state.space(Player::Second));
            let counted = space >= next_space;
            // If nothing is counted, a small search is enough to continue the game.
            let count = if counted { iterations } else { 2000 };
            let mut search = Search::new(model, settings.tree_search())?;
            let choice = search.decide(&state.into(), &Meter::iterations(count, &Stop::new()));
            if counted {
                next_space = space + 10;
                let Remembering {
                    nodes, repeated, ..
                } = *search.game();
                let share = 100.0 * repeated as f64 / nodes.max(1) as f64;
                println!("{space:>5}  {nodes:>5}  {share:.1}%");
            }
            // The line omits a forced action.
            let line = search.line().map(|one| one.action);
            let mut steps = std::iter::once(choice.best.action).chain(line);
            let action = steps.find_map(|step| match step {
                Step::Play(action) => Some(action),
                Step::Pick(_) => None,
            });
            let Some(action) = action else { break };
            state.play_unchecked(&setup, action);
        }
    }
    Ok(())
}
