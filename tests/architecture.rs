//! The structure of the source: crates and top modules use each other in one direction, files form no cycle, and a type
//! name means one thing.
//!
//! The table on the front page of a crate (`lib.rs`) says which top modules of the crate and which other crates a top module
//! may use. The tests read the source with a parser, test code left out, and follow names through re-exports to the
//! files that define them. `UPDATE_ARCHITECTURE=1 cargo test --test architecture` draws the picture in
//! docs/architecture.md again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// The crates of the workspace and their folders. In code, each has the name with `patchwork_` before it.
const CRATES: [(&str, &str); 15] = [
    ("arena", "."),
    ("bots", "extras/bots"),
    ("fleet", "extras/fleet"),
    ("learn", "extras/learn"),
    ("papers", "extras/papers"),
    ("results", "extras/results"),
    ("tune", "crates/tune"),
    ("web", "extras/web"),
    ("report", "crates/report"),
    ("board", "crates/board"),
    ("tournament", "crates/tournament"),
    ("rating", "crates/rating"),
    ("engine", "crates/engine"),
    ("search", "crates/search"),
    ("kernel", "extras/kernel"),
];

/// The crate that a path names first.
fn crate_named(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("patchwork_")?;
    let mut names = CRATES.iter().map(|(known, _)| *known);
    names.find(|known| *known == name)
}

fn project(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A module's path with its crate, such as `["engine", "search", "tree"]`.
type Module = Vec<String>;

/// What a file contributes to the structure.
#[derive(Default)]
struct Source {
    /// Paths that the code uses, as written from the crate's root.
    uses: BTreeSet<Vec<String>>,
    /// Names that the module re-exports, with their paths.
    exports: BTreeMap<String, Vec<String>>,
    /// Modules of which it re-exports everything.
    globs: Vec<Module>,
    /// Types that the module declares.
    types: Vec<String>,
    /// Functions, constants and statics that it declares.
    values: Vec<String>,
}

/// All files of the crates' `src` except tests, by module. They are read once for all tests.
static SOURCES: LazyLock<BTreeMap<Module, Source>> = LazyLock::new(|| {
    let mut sources = BTreeMap::new();
    for (name, folder) in CRATES {
        let root = project(folder).join("src");
        let mut files = Vec::new();
        collect(&root, &mut files);
        for path in files {
            let below = path
                .strip_prefix(&root)
                .expect("below src")
                .with_extension("");
            let parts = below.iter().map(|part| part.to_str().expect("a name"));
            let mut module: Module = [name].into_iter().chain(parts).map(String::from).collect();
            if module
                .iter()
                .any(|name| ["testing", "tests"].contains(&name.as_str()))
            {
                continue;
            }
            module.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
            let text = fs::read_to_string(&path).expect("a text");
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            if !is_test(&file.attrs) {
                let source = Reader::read(&module, &file);
                sources.insert(module, source);
            }
        }
    }
    assert!(sources.len() > 100, "the source was found");
    sources
});

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && list.is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

struct Reader {
    module: Module,
    source: Source,
}

impl Reader {
    fn read(module: &Module, file: &syn::File) -> Source {
        let mut reader = Self {
            module: module.clone(),
            source: Source::default(),
        };
        reader.visit_file(file);
        reader.source
    }

    /// A path that starts with a crate of the workspace; `None` if it starts elsewhere or with a local name.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut from = self.module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => from.truncate(1),
            "self" | "super" => {}
            name => {
                from = vec![crate_named(name)?.to_owned()];
                rest = &path[1..];
            }
        }
        while let Some(first) = rest.first() {
            match first.as_str() {
                "crate" | "self" => {}
                "super" => drop(from.pop()),
                _ => break,
            }
            rest = &rest[1..];
        }
        from.extend_from_slice(rest);
        // `pub(super)` in the macro of a root names nothing.
        (!from.is_empty()).then_some(from)
    }

    fn used(&mut self, path: &[String]) {
        self.source.uses.extend(self.absolute(path));
    }

    /// Reads paths such as `crate::a::b` inside a macro's argument.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.used(&std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.used(&std::mem::take(&mut path));
                    self.tokens(group.stream());
                }
                _ => {
                    self.used(&std::mem::take(&mut path));
                    colons = 0;
                }
            }
        }
        self.used(&path);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, type_name, value_name) = match item {
            Item::Struct(item) => (&item.attrs, Some(&item.ident), None),
            Item::Enum(item) => (&item.attrs, Some(&item.ident), None),
            Item::Trait(item) => (&item.attrs, Some(&item.ident), None),
            Item::Type(item) => (&item.attrs, Some(&item.ident), None),
            Item::Fn(item) => (&item.attrs, None, Some(&item.sig.ident)),
            Item::Const(item) => (&item.attrs, None, Some(&item.ident)),
            Item::Static(item) => (&item.attrs, None, Some(&item.ident)),
            Item::Mod(item) => (&item.attrs, None, None),
            Item::Impl(item) => (&item.attrs, None, None),
            Item::Use(item) => (&item.attrs, None, None),
            _ => return visit::visit_item(self, item),
        };
        if is_test(attributes) {
            return;
        }
        let source = &mut self.source;
        source.types.extend(type_name.map(ToString::to_string));
        source.values.extend(value_name.map(ToString::to_string));
        match item {
            Item::Mod(inline) if inline.content.is_some() => {
                self.module.push(inline.ident.to_string());
                visit::visit_item(self, item);
                self.module.pop();
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut leaves = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut leaves);
        for (mut path, name) in leaves {
            if name == "*" {
                path.pop();
                if !matches!(item.vis, Visibility::Inherited) {
                    // A list: its entries are re-exported with it.
                    path.insert(0, "self".to_owned());
                    self.source.globs.extend(self.absolute(&path));
                    continue;
                }
                // Of another crate, or of the file around an inline module.
                let from = self.absolute(&path).unwrap_or_default();
                assert!(
                    self.module.starts_with(&from),
                    "{:?} imports by a glob",
                    self.module
                );
                continue;
            }
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let is_child = !["crate", "self", "super"].contains(&path[0].as_str())
                && crate_named(&path[0]).is_none();
            if matches!(item.vis, Visibility::Inherited) {
                self.used(&path);
                continue;
            }
            // A front page names its children without `self::`.
            if is_child {
                path.insert(0, "self".to_owned());
            }
            let path = self.absolute(&path).expect("starts with self");
            // A macro is exported by the file that declares it.
            let is_own = path.split_last() == Some((&name, &self.module));
            if !is_own {
                self.source.exports.insert(name, path);
            }
        }
    }

    /// The path in `pub(in path)` is not a use.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        self.used(&names.collect::<Vec<_>>());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.tokens(item.tokens.clone());
    }
}

/// The leaves of an import: path and the name that it gets.
fn flatten(tree: &UseTree, path: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, String)>) {
    match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            flatten(&tree.tree, path, leaves);
            path.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, path, leaves);
            }
        }
        UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => {
            let (from, to) = match tree {
                UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
                UseTree::Rename(name) => (name.ident.to_string(), name.rename.to_string()),
                _ => ("*".to_owned(), "*".to_owned()),
            };
            let whole = path.iter().cloned().chain([from]).collect();
            leaves.push((whole, to));
        }
    }
}

/// The module that defines what a path names.
fn defined_in(sources: &BTreeMap<Module, Source>, path: &[String]) -> Option<Module> {
    let mut module = Module::new();
    for (i, name) in path.iter().enumerate() {
        module.push(name.clone());
        if sources.contains_key(&module) {
            continue;
        }
        module.pop();
        let source = sources.get(&module)?;
        let own = || source.types.iter().chain(&source.values);
        let target = match (source.exports.get(name), &source.globs[..]) {
            (Some(target), _) => target.clone(),
            // Names cannot be followed through a list's macro, but they are not the front page's own.
            (None, [list, ..]) if !own().any(|own| own == name) => list.clone(),
            _ => return Some(module),
        };
        // What a crate re-exports of another one is used as its own.
        if target[0] != path[0] {
            return Some(module);
        }
        let rest = path[i + 1..].iter();
        let target: Vec<String> = target.iter().chain(rest).cloned().collect();
        return defined_in(sources, &target);
    }
    Some(module)
}

/// Which modules use which.
fn arrows(sources: &BTreeMap<Module, Source>) -> BTreeSet<(Module, Module)> {
    let mut arrows = BTreeSet::new();
    for (module, source) in sources {
        for path in &source.uses {
            let target = defined_in(sources, path);
            arrows.extend(
                target
                    .filter(|to| to != module)
                    .map(|to| (module.clone(), to)),
            );
        }
    }
    arrows
}

/// The top module of a module: its crate, or the crate and the module below it where the crate's table has top modules.
fn top_module(law: &BTreeMap<String, BTreeSet<String>>, module: &Module) -> String {
    let inner = module.iter().take(2).cloned().collect::<Vec<_>>();
    let inner = inner.join("::");
    if law.contains_key(&inner) {
        inner
    } else {
        module[0].clone()
    }
}

/// The program may use everything.
const PROGRAM: &str = "arena";

/// The tables in the crates' lib.rs: what each top module may use. A crate without a table is one module.
fn law() -> BTreeMap<String, BTreeSet<String>> {
    let mut law = BTreeMap::new();
    for (name, folder) in libraries() {
        let text = fs::read_to_string(project(folder).join("src/lib.rs")).expect("a front page");
        let rows = text
            .lines()
            .filter_map(|line| {
                line.strip_prefix("//! | [`")
                    .or(line.strip_prefix("//! | `"))
            })
            .map(|row| row.split_once('`').expect("a module"));
        let tops: BTreeSet<&str> = rows.clone().map(|(top, _)| top).collect();
        for (top, rest) in rows {
            let uses = rest.rsplit('|').nth(1).expect("a last column");
            let uses = uses.split([',', ' ']).filter(|name| !name.is_empty());
            // A top module of the crate itself goes before a crate of the same name, which can be called by its whole name.
            let crate_of = |used: &str| {
                let whole = used.strip_prefix("patchwork-");
                let used = whole.or((!tops.contains(used)).then_some(used))?;
                CRATES.iter().find(|(known, _)| *known == used)
            };
            let uses = uses.map(|used| match crate_of(used) {
                Some((known, _)) => (*known).to_owned(),
                None => format!("{name}::{used}"),
            });
            law.insert(format!("{name}::{top}"), uses.collect());
        }
    }
    law
}

/// The crates except the program.
fn libraries() -> impl Iterator<Item = (&'static str, &'static str)> {
    CRATES.into_iter().filter(|(name, _)| *name != PROGRAM)
}

/// Which top modules use which; of another crate, the crate alone.
fn top_arrows(sources: &BTreeMap<Module, Source>) -> BTreeSet<(String, String)> {
    let law = law();
    let arrows = arrows(sources).into_iter().map(|(from, to)| {
        let target = if from[0] == to[0] {
            top_module(&law, &to)
        } else {
            to[0].clone()
        };
        (top_module(&law, &from), target)
    });
    // The front page of a crate is not a top module; `pub(crate)` in a macro names it.
    let of_tops = arrows.filter(|(from, to)| {
        let own = from.split_once("::").map(|(own, _)| own);
        from != to && own.is_some_and(|own| own != to)
    });
    of_tops.collect()
}

#[test]
fn modules_use_each_other_as_the_tables_in_lib_rs_say() {
    let law = law();
    let mut wrong = Vec::new();
    for module in SOURCES.keys() {
        let has_table = law
            .keys()
            .any(|top| top.starts_with(&format!("{}::", module[0])));
        if has_table && module.len() > 1 && !top_module(&law, module).contains("::") {
            wrong.push(format!("no table lists {}", module.join("::")));
        }
    }
    for top in law.keys() {
        let module: Module = top.split("::").map(str::to_owned).collect();
        if !SOURCES.contains_key(&module) {
            wrong.push(format!("{top} is listed and does not exist"));
        }
    }
    let used = top_arrows(&SOURCES);
    let listed: BTreeSet<(String, String)> = law
        .iter()
        .flat_map(|(top, uses)| uses.iter().map(|to| (top.clone(), to.clone())))
        .collect();
    for (from, to) in used.difference(&listed) {
        if from != PROGRAM {
            wrong.push(format!("{from} uses {to}: the table does not allow it"));
        }
    }
    for (from, to) in listed.difference(&used) {
        wrong.push(format!("{from} may use {to} but does not"));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The README says how many crates the engine alone builds.
#[cfg(target_os = "linux")]
#[test]
fn the_engine_builds_as_many_crates_as_the_documentation_says() {
    let page = include_str!("../docs/library.md").replace('\n', " ");
    let (before, _) = page
        .split_once(" other crates")
        .expect("a number of crates");
    let said = before.rsplit(' ').next();
    let said = said.and_then(|said| said.parse().ok());
    let output = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--package", "patchwork-engine"])
        .args(["--no-default-features", "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}"])
        .args(["--locked", "--offline"])
        .current_dir(project("."))
        .output()
        .expect("started");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let crates: BTreeSet<&str> = lines
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    let others = crates
        .iter()
        .filter(|name| !name.starts_with("patchwork-engine "));
    assert_eq!(said, Some(others.count()), "{crates:#?}");
}

/// Times come from a clock that only runs forward. The time of day only tells processes of the same name, and states of a
/// file, apart.
#[test]
fn nothing_is_measured_by_the_time_of_day() {
    let mut files = Vec::new();
    for folder in [
        "src",
        "extras/bots/src",
        "crates/engine/src",
        "crates/rating/src",
        "crates/search/src",
    ] {
        collect(&project(folder), &mut files);
    }
    let names_it = |file: &&PathBuf| {
        let text = fs::read_to_string(file).expect("readable");
        text.contains("SystemTime")
    };
    let found: Vec<_> = files
        .iter()
        .filter(names_it)
        .map(|file| file.strip_prefix(project("")).expect("below").to_owned())
        .collect();
    let known = ["src/fleet.rs", "extras/bots/src/external/guard.rs"];
    assert_eq!(found, known.map(PathBuf::from));
}

/// The front page of each crate and of each public top module has an example, which runs as a doctest.
#[test]
fn front_pages_have_examples() {
    let of_crates =
        libraries().map(|(name, folder)| (name.to_owned(), format!("{folder}/src/lib.rs")));
    let of_tops = law().into_keys().filter_map(|top| {
        let (name, module) = top.split_once("::").expect("a crate");
        let (_, folder) = libraries().find(|(known, _)| *known == name)?;
        let lib = fs::read_to_string(project(folder).join("src/lib.rs")).expect("a front page");
        let path = format!("{folder}/src/{module}.rs");
        lib.contains(&format!("pub mod {module};"))
            .then_some((top, path))
    });
    for (top, path) in of_crates.chain(of_tops) {
        let text = fs::read_to_string(project(&path)).expect("a front page");
        let mut lines = text.lines().peekable();
        // The front page of a crate begins with its README.
        let readme = "#![doc = include_str!(\"../README.md\")]";
        let begins_with_readme = lines.next_if(|line| *line == readme).is_some();
        let in_readme = begins_with_readme
            && fs::read_to_string(project(path.replace("src/lib.rs", "README.md")))
                .expect("a README")
                .contains("\n```rust\n");
        let mut page = lines.take_while(|line| line.starts_with("//!"));
        let has_example = in_readme || page.any(|line| line == "//! ```");
        assert!(has_example, "{top} has no example");
    }
}

#[test]
fn nothing_in_crates_uses_extras() {
    let is_extra = |module: &Module| {
        let mut all = CRATES.iter();
        let (_, folder) = all.find(|(name, _)| *name == module[0]).expect("a crate");
        folder.starts_with("extras/")
    };
    let (extras, others): (Vec<_>, Vec<_>) = SOURCES.keys().partition(|module| is_extra(module));
    assert!(!extras.is_empty() && !others.is_empty());
    let used: BTreeSet<(String, String)> = arrows(&SOURCES)
        .into_iter()
        .filter(|(from, to)| from[0] != PROGRAM && !is_extra(from) && is_extra(to))
        .map(|(from, to)| (from.join("::"), to.join("::")))
        .collect();
    assert!(used.is_empty(), "{used:#?}");
}

#[test]
fn the_tables_in_lib_rs_go_one_way() {
    let law = law();
    let graph: DiGraphMap<&str, ()> = law
        .iter()
        .flat_map(|(top, uses)| uses.iter().map(|to| (top.as_str(), to.as_str(), ())))
        .collect();
    assert!(tarjan_scc(&graph).iter().all(|group| group.len() == 1));
}

#[test]
fn files_form_no_cycle() {
    let arrows = arrows(&SOURCES);
    let names: Vec<(String, String)> = arrows
        .iter()
        .map(|(from, to)| (from.join("::"), to.join("::")))
        .collect();
    let graph: DiGraphMap<&str, ()> = names
        .iter()
        .map(|(from, to)| (from.as_str(), to.as_str(), ()))
        .collect();
    let cycles: Vec<Vec<&str>> = tarjan_scc(&graph);
    let inside = |from: &str, to: &str| {
        cycles
            .iter()
            .any(|group| group.contains(&from) && group.contains(&to))
    };
    let circular: Vec<String> = names
        .iter()
        .filter(|(from, to)| inside(from, to))
        .map(|(from, to)| format!("{from} uses {to}"))
        .collect();
    assert!(circular.is_empty(), "{circular:#?}");
}

/// The agents' folders: few files in each, and few floors, of which each imports only those below it.
#[test]
fn folders_of_agents_have_few_files_and_few_floors() {
    let agent: Module = ["engine", "agent"].map(str::to_owned).into();
    let arrows = arrows(&SOURCES);
    for folder in SOURCES.keys().filter(|module| module.starts_with(&agent)) {
        let child = |module: &Module| {
            let is_inside = module.starts_with(folder) && module.len() > folder.len();
            is_inside.then(|| module[folder.len()].clone())
        };
        let children: BTreeSet<String> = SOURCES.keys().filter_map(child).collect();
        assert!(children.len() <= 14, "{folder:?}: {children:?}");
        let mut floors: BTreeMap<String, usize> =
            children.iter().cloned().zip(std::iter::repeat(1)).collect();
        for _ in &children {
            for (from, to) in &arrows {
                if let (Some(from), Some(to)) = (child(from), child(to))
                    && from != to
                {
                    let above = floors[&to] + 1;
                    let floor = floors.get_mut(&from).expect("a child");
                    *floor = above.max(*floor);
                }
            }
        }
        assert!(
            floors.values().all(|&floor| floor <= 7),
            "{folder:?}: {floors:?}"
        );
    }
}

/// The picture in docs/architecture.md: crates as boxes, their top modules inside, and who uses whom. An arrow that follows
/// from others is left out.
fn picture() -> String {
    let mut arrows = top_arrows(&SOURCES);
    let crate_arrows: BTreeSet<(String, String)> = self::arrows(&SOURCES)
        .into_iter()
        .filter(|(from, to)| from[0] != to[0])
        .map(|(from, to)| (from[0].clone(), to[0].clone()))
        .collect();
    arrows.retain(|(_, to)| to.contains("::"));
    let name = |top: &str| top.split("::").last().unwrap_or(top).to_owned();
    let mut lines = vec!["```mermaid".to_owned(), "flowchart TD".to_owned()];
    for (package, _) in CRATES {
        let prefix = format!("{package}::");
        let tops: BTreeSet<String> = law()
            .into_keys()
            .filter(|top| top.starts_with(&prefix))
            .collect();
        if tops.is_empty() {
            lines.push(format!("    patchwork-{package}"));
            continue;
        }
        lines.push(format!("    subgraph patchwork-{package}"));
        let own = arrows
            .iter()
            .filter(|(from, _)| from.starts_with(&prefix))
            .cloned();
        let own: BTreeSet<(String, String)> = own.collect();
        for top in &tops {
            if !own.iter().any(|(from, to)| from == top || to == top) {
                lines.push(format!("        {}", name(top)));
            }
        }
        for (from, to) in reduced(&own) {
            lines.push(format!("        {} --> {}", name(&from), name(&to)));
        }
        lines.push("    end".to_owned());
    }
    for (from, to) in reduced(&crate_arrows) {
        lines.push(format!("    patchwork-{from} ==> patchwork-{to}"));
    }
    lines.push("```".to_owned());
    lines.join("\n")
}

/// The arrows without those that follow from a chain of others.
fn reduced(arrows: &BTreeSet<(String, String)>) -> BTreeSet<(String, String)> {
    let reaches = |from: &String, to: &String, without: &(String, String)| {
        let mut open = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(node) = open.pop() {
            for arrow in arrows.iter().filter(|arrow| *arrow != without) {
                if arrow.0 == *node && seen.insert(&arrow.1) {
                    open.push(&arrow.1);
                }
            }
        }
        seen.contains(to)
    };
    let needed = arrows
        .iter()
        .filter(|arrow| !reaches(&arrow.0, &arrow.1, arrow));
    needed.cloned().collect()
}

#[test]
fn the_picture_of_the_architecture_shows_the_imports() {
    let path = project("docs/architecture.md");
    let page = fs::read_to_string(&path).expect("a page");
    let start = page.find("```mermaid\nflowchart TD").expect("a picture");
    let length = page[start..].find("\n```").expect("an end") + 4;
    let picture = picture();
    if std::env::var_os("UPDATE_ARCHITECTURE").is_some() {
        let updated = format!("{}{picture}{}", &page[..start], &page[start + length..]);
        fs::write(path, updated).expect("written");
        return;
    }
    assert_eq!(
        &page[start..start + length],
        picture,
        "run UPDATE_ARCHITECTURE=1 cargo test --test architecture"
    );
}

#[test]
fn a_type_name_means_one_thing() {
    let mut declared: BTreeMap<&String, Vec<String>> = BTreeMap::new();
    for (module, source) in &*SOURCES {
        for name in &source.types {
            // Each subcommand has its own arguments.
            if name != "Args" || !module.join("::").starts_with(PROGRAM) {
                declared.entry(name).or_default().push(module.join("::"));
            }
        }
    }
    // What is there with a feature, and its replacement without.
    let of_fleets = declared.remove(&"FleetArgs".to_owned());
    assert_eq!(of_fleets.map(|list| list.len()), Some(2));
    declared.retain(|_, modules| modules.len() > 1);
    assert!(
        declared.is_empty(),
        "declared more than once: {declared:#?}"
    );
}

/// The README's first command names no program, and the workspace has several.
#[test]
fn cargo_run_is_the_program() {
    let manifest = fs::read_to_string(project("Cargo.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    assert_eq!(
        manifest["package"]["default-run"].as_str(),
        Some("patchwork-arena")
    );
}

#[test]
fn four_types_of_errors_are_all_and_documented() {
    let types = SOURCES.values().flat_map(|source| &source.types);
    let errors: BTreeSet<&str> = types
        .map(String::as_str)
        .filter(|name| name.ends_with("Error"))
        .collect();
    assert_eq!(
        errors,
        [
            "FleetError",
            "InputError",
            "SettingsError",
            "TournamentError"
        ]
        .into()
    );
    let page = fs::read_to_string(project("docs/architecture.md")).expect("the page");
    let section = page.split("## ").find(|part| part.starts_with("Errors"));
    for name in errors {
        assert!(section.is_some_and(|text| text.contains(name)), "{name}");
    }
}

/// The lists to which something is added with one file and one line.
const LISTS: [(&str, &str); 9] = [
    ("engine", "placement/policies"),
    ("engine", "placement/evaluations"),
    ("engine", "agent/kinds"),
    ("search", "allocation"),
    ("search", "choice"),
    ("search", "pick"),
    ("search", "playout"),
    ("tournament", "planning/formats"),
    ("report", "sections"),
];

/// Things that CONTRIBUTING.md says can be added with one file and one line: what the file declares is named in
/// that file and in the list, and nowhere else.
#[test]
fn what_takes_a_file_and_a_line_is_named_nowhere_else() {
    let manual = include_str!("../CONTRIBUTING.md");
    // Names cannot be followed through a list's macro; the last part of a path is enough.
    let names = |source: &Source, list: &Module, entry: &Module, name: &String| {
        source.uses.iter().any(|path| {
            path.last() == Some(name)
                && defined_in(&SOURCES, path)
                    .is_some_and(|module| module.starts_with(list) && entry.starts_with(&module))
        })
    };
    for (package, list) in LISTS {
        let folder = CRATES.iter().find(|(name, _)| *name == package);
        let (_, folder) = folder.expect("a crate");
        let path = Path::new(folder).join("src").join(list);
        let path = path.strip_prefix(".").unwrap_or(&path).display();
        assert!(manual.contains(&format!("`{path}/`")), "{path}");
        let list: Module = [package]
            .into_iter()
            .chain(list.split('/'))
            .map(str::to_owned)
            .collect();
        let is_entry =
            |module: &Module| module.starts_with(&list) && module.len() == list.len() + 1;
        let entries = SOURCES.iter().filter(|(module, source)| {
            is_entry(module) && !(source.types.is_empty() && source.values.is_empty())
        });
        let declared = entries
            .clone()
            .map(|(_, entry)| entry.types.len() + entry.values.len());
        assert!(declared.sum::<usize>() > 1, "{list:?}");
        for (entry, Source { types, values, .. }) in entries {
            let own = || types.iter().chain(values);
            let elsewhere = SOURCES.iter().filter(|(module, source)| {
                !module.starts_with(entry)
                    && **module != list
                    && own().any(|name| names(source, &list, entry, name))
            });
            let elsewhere: Vec<&Module> = elsewhere.map(|(module, _)| module).collect();
            assert!(
                elsewhere.is_empty(),
                "{types:?} and {values:?} of {entry:?} are named in {elsewhere:?}"
            );
        }
    }
}

/// Checks the reader itself: it follows re-exports, macros and `super`.
#[test]
fn names_are_followed_to_the_file_that_defines_them() {
    let mut sources = BTreeMap::new();
    for (module, text) in [
        ("arena", ""),
        ("kernel", ""),
        ("arena::a", "pub use inner::Thing; pub use list::*;"),
        ("arena::a::list", "mod entry;"),
        (
            "arena::a::inner",
            "pub struct Thing; fn f() { vec![super::super::b::g()]; }",
        ),
        (
            "arena::b",
            "use crate::a::{Listed, Thing}; use patchwork_kernel::d::Y; pub fn g() {}
             #[cfg(test)] mod tests { use crate::c::X; }",
        ),
        ("arena::c", "pub struct X;"),
        ("kernel::d", "pub struct Y;"),
    ] {
        let module: Module = module.split("::").map(str::to_owned).collect();
        let source = Reader::read(&module, &syn::parse_file(text).expect("Rust"));
        sources.insert(module, source);
    }
    let found: Vec<(String, String)> = arrows(&sources)
        .into_iter()
        .map(|(from, to)| (from.join("::"), to.join("::")))
        .collect();
    let expected = [
        ("arena::a::inner", "arena::b"),
        ("arena::b", "arena::a::inner"),
        ("arena::b", "arena::a::list"),
        ("arena::b", "kernel::d"),
    ];
    assert_eq!(
        found,
        expected.map(|(from, to)| (from.to_owned(), to.to_owned()))
    );
}
