//! How many positions of a search tree are in it more than once: what a table of transpositions
//! could save.
//!
//! `cargo run --release --example transpositions -- agents/champion.toml 100000`

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;

use patchwork_arena::agent::{AgentFile, AgentSettings, PatchworkModel, Position, Step};
use patchwork_arena::game::{Player, Setup, State, Track};
use patchwork_arena::search::{Budget, Leaf, Model, Over, Search, Stop, Value};
use patchwork_arena::util::rng::stream;

/// The model with a memory of what it was asked to evaluate: each node of the tree, once.
struct Remembering {
    model: PatchworkModel,
    seen: HashSet<u64>,
    nodes: u64,
    repeated: u64,
}

impl Model for Remembering {
    type State = Position;
    type Action = Step;

    fn is_over(&self, position: &Position) -> bool {
        self.model.is_over(position)
    }

    fn mover(&self, position: &Position) -> Player {
        self.model.mover(position)
    }

    fn play(&self, position: &mut Position, step: Step) {
        self.model.play(position, step);
    }

    fn expand(&mut self, position: &Position, out: &mut Vec<(Step, f32)>) -> bool {
        self.model.expand(position, out)
    }

    fn evaluate(&mut self, position: &Position) -> Leaf {
        let picked = position.picked.map_or(0, |patch| u64::from(patch.number()));
        let is_new = self.seen.insert(position.state.key() ^ picked);
        self.nodes += 1;
        self.repeated += u64::from(!is_new);
        self.model.evaluate(position)
    }

    fn estimate(&mut self, position: &Position) -> Value {
        self.model.estimate(position)
    }

    fn note_move(&mut self, player: Player, step: Step) {
        self.model.note_move(player, step);
    }

    fn has_made(&self, player: Player, step: Step, over: Over) -> bool {
        self.model.has_made(player, step, over)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(iterations)) = (arguments.next(), arguments.next()) else {
        return Err("expected an agent file and a number of iterations".into());
    };
    let iterations: u32 = iterations.parse()?;
    let AgentSettings::Mcts(settings) = AgentFile::read(Path::new(&file))?.config else {
        return Err(format!("{file}: expected an agent of type mcts").into());
    };
    let spec = settings.spec();
    println!("space  nodes  repeated");
    for seed in 0..3 {
        let mut rng = stream(&[seed]);
        let setup = Setup::random(Track::Original, &mut rng);
        let mut state = State::new(&setup);
        let mut next_space = 0;
        while !state.is_over() {
            let model = Remembering {
                model: PatchworkModel::new(setup.clone(), spec, rng.clone()),
                seen: HashSet::new(),
                nodes: 0,
                repeated: 0,
            };
            let space = state.space(Player::First).min(state.space(Player::Second));
            if space < next_space {
                // Only as much search as playing on takes.
                let mut search = Search::new(model.model, spec.search);
                let choice = search.decide(&state.into(), Budget::Iterations(2000), &Stop::new());
                play(&setup, &mut state, &search, choice.action);
                continue;
            }
            next_space = space + 10;
            let mut search = Search::new(model, spec.search);
            let choice = search.decide(&state.into(), Budget::Iterations(iterations), &Stop::new());
            let (nodes, repeated) = (search.model.nodes, search.model.repeated);
            let share = 100.0 * repeated as f64 / nodes.max(1) as f64;
            println!("{space:>5}  {nodes:>5}  {share:.1}%");
            play(&setup, &mut state, &search, choice.action);
        }
    }
    Ok(())
}

/// Plays a chosen step and, where it only picks a patch, the placement below it.
fn play<M: Model<State = Position, Action = Step>>(
    setup: &Setup,
    state: &mut State,
    search: &Search<M>,
    step: Step,
) {
    let mut actions = search.line().into_iter();
    let action = match step {
        Step::Play(action) => Some(action),
        Step::Pick(_) => actions.find_map(|step| match step {
            Step::Play(action) => Some(action),
            Step::Pick(_) => None,
        }),
    };
    if let Some(action) = action {
        state.play_unchecked(setup, action);
    }
}
