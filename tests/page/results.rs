//! Results folders with pages.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use patchwork_engine::agent::{AgentSettings, RandomSettings};
use patchwork_engine::game::Track;
use patchwork_engine::record::{Entry, Record};
use patchwork_engine::search::Stop;
use patchwork_rating::sprt::{EloModel, Sprt};
use patchwork_tournament::{
    Archive, Executor as _, Format, Gauntlet, LocalThreads, Manifest, Plan, PlannedAgent,
    Results as Played,
};
use tempfile::TempDir;

use patchwork_test_support::ledger::write_ledger;
use patchwork_test_support::program::{program, success};

/// Names that would break a page in which text is not escaped.
pub(crate) const SEARCHER: &str = "</script><script>throw 1</script>";
pub(crate) const GREEDY: &str = "a&b \"quoted\" 'too' <b>bold</b>";
pub(crate) const RANDOM: &str = "random";

/// A results folder with a page; some agents report expectations and some do not.
pub(crate) struct Results {
    home: TempDir,
    pub(crate) entries: Vec<Entry>,
    pub(crate) plan: Plan,
}

impl Results {
    pub(crate) fn new() -> Self {
        Self::of(3, usize::MAX)
    }

    /// The number of a game.
    pub(crate) fn number(&self, record: &Record) -> i64 {
        let numbers = Archive::default().numbers(&self.plan).expect("in memory");
        numbers.of(record).get()
    }

    /// The first games of a tournament of the first agents.
    pub(crate) fn of(agents: usize, games: usize) -> Self {
        let agent = |file: &str, name: &str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("agents")
                .join(file);
            let text = fs::read_to_string(path)
                .expect("readable")
                .replace("= 1000", "= 40");
            let mut table: toml::Table = text.parse().expect("an agent file");
            table.remove("description");
            let config: AgentSettings = table.try_into().expect("an agent");
            PlannedAgent::new(name, config)
        };
        let chosen = [
            ("mcts-fast.toml", SEARCHER),
            ("greedy-regret.toml", GREEDY),
            ("random.toml", RANDOM),
        ];
        let agents = chosen.into_iter().take(agents);
        let agents = agents.map(|(file, name)| agent(file, name)).collect();
        Self::of_plan(
            Plan::new(7, Track::Original, Format::RoundRobin, 2, agents).expect("a plan"),
            games,
        )
    }

    /// Every pairing of this many agents, one pair each.
    pub(crate) fn many(agents: usize) -> Self {
        let agents = (1..=agents).map(|i| {
            let name = format!("an agent with quite a long name, number {i}");
            PlannedAgent::new(&name, RandomSettings {}.into())
        });
        let format = Format::RoundRobin;
        let plan = Plan::new(7, Track::Revised, format, 1, agents.collect()).expect("a plan");
        Self::of_plan(plan, usize::MAX)
    }

    /// A sequential test of agents whose names are long because they tell settings.
    pub(crate) fn variants() -> Self {
        let names = [
            "mcts-fast{budget.iterations=20,search.exploration=0.5}",
            "mcts-regret-wide{budget.milliseconds_per_game=5000}",
            "mcts-fast{expansion.strategy=bl-lb/every/reverse-regret}",
        ];
        let agents = names.map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
        let challengers = vec![names[0].to_owned()];
        let format = Gauntlet { challengers };
        let plan = Plan::new(7, Track::Original, format, 4, agents.to_vec()).expect("a plan");
        let test = Sprt::new(0.0, 60.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
        Self::of_plan(plan.with_test(test).expect("a gauntlet"), usize::MAX)
    }

    /// The first games of a plan.
    fn of_plan(plan: Plan, games: usize) -> Self {
        let home = tempfile::tempdir().expect("a folder for the test");
        let manifest = Manifest::new("page".into(), plan.clone());
        let mut entries = Vec::new();
        let mut keep = |entry: &Entry, _: &Played| entries.push(entry.clone());
        let mut played = Played::empty(manifest.clone());
        LocalThreads(NonZeroUsize::MIN)
            .play(&mut played, &Stop::new(), &mut keep)
            .expect("played");
        entries.truncate(games);
        write_ledger(home.path(), &manifest, &entries);
        let results = Self {
            home,
            entries,
            plan,
        };
        let [dir, page] = [results.home.path().to_owned(), results.page()];
        let arguments = [
            "report",
            &*dir.to_string_lossy(),
            "-o",
            &*page.to_string_lossy(),
        ];
        let output = program(&arguments).output().expect("started");
        assert_eq!(success(&arguments, &output), "");
        results
    }

    pub(crate) fn page(&self) -> PathBuf {
        self.home.path().join("report.html")
    }

    pub(crate) fn url(&self) -> String {
        format!("file://{}", self.page().display())
    }
}
