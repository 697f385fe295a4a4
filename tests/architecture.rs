//! The structure of the source: rooms use each other in one direction, the files of a room form no
//! cycle, a type name means one thing.
//!
//! The table on the front page of the library (`src/lib.rs`) says which rooms a room may use. The
//! tests read the source with a parser, test code left out, and follow names through re-exports to the files
//! that define them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// A module's path below the crate, such as `["search", "tree"]`; the crate itself is empty.
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

/// All files of `src` except tests, by module; the binary's modules are below `cli`.
fn sources() -> BTreeMap<Module, Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let mut sources = BTreeMap::new();
    for path in files {
        let below = path
            .strip_prefix(&root)
            .expect("below src")
            .with_extension("");
        let mut module: Module = below
            .iter()
            .map(|part| part.to_str().expect("a plain name").to_owned())
            .collect();
        match module.last().map(String::as_str) {
            Some("tests" | "main") => continue,
            Some("mod" | "lib") => drop(module.pop()),
            _ => {}
        }
        let text = fs::read_to_string(&path).expect("a text");
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        if is_test(&file.attrs) {
            continue;
        }
        let mut reader = Reader {
            module: module.clone(),
            source: Source::default(),
        };
        reader.visit_file(&file);
        sources.insert(module, reader.source);
    }
    assert!(sources.len() > 100, "the source was found");
    sources
}

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
    /// A path from the crate's root; `None` if it starts in another crate or with a local name.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut rest = path;
        let mut from = match path.first()?.as_str() {
            "crate" | "patchwork_arena" => Module::new(),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        while let Some(first) = rest.first() {
            match first.as_str() {
                "crate" | "patchwork_arena" | "self" => {}
                "super" => drop(from.pop()),
                _ => break,
            }
            rest = &rest[1..];
        }
        from.extend_from_slice(rest);
        Some(from)
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
            let is_child =
                !["crate", "self", "super", "patchwork_arena"].contains(&path[0].as_str());
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

/// The module that defines what a path from the crate's root names.
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

/// The table in lib.rs: the rooms that each room may use.
fn law() -> BTreeMap<String, BTreeSet<String>> {
    let text = include_str!("../src/lib.rs");
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | [`"));
    rows.map(|row| {
        let (room, rest) = row.split_once("`]").expect("a room");
        let uses = rest.rsplit('|').nth(1).expect("a last column");
        let uses = uses.split([',', ' ']).filter(|name| !name.is_empty());
        (room.to_owned(), uses.map(str::to_owned).collect())
    })
    .collect()
}

#[test]
fn rooms_use_each_other_as_the_table_in_lib_rs_says() {
    let law = law();
    let sources = sources();
    let rooms: BTreeSet<&String> = sources.keys().filter_map(|module| module.first()).collect();
    for room in &rooms {
        assert!(
            *room == "cli" || law.contains_key(*room),
            "lib.rs does not list {room}"
        );
    }
    assert_eq!(
        rooms.len(),
        law.len() + 1,
        "a room is listed that does not exist"
    );

    let mut used = BTreeSet::new();
    for (from, to) in arrows(&sources) {
        let (Some(room), Some(target)) = (from.first(), to.first()) else {
            continue;
        };
        if room == "cli" || room == target {
            continue;
        }
        let (from, to) = (from.join("::"), to.join("::"));
        assert!(
            law[room].contains(target),
            "{from} uses {to}: the table does not allow it"
        );
        used.insert((room.clone(), target.clone()));
    }
    for (room, uses) in &law {
        for target in uses {
            let arrow = (room.clone(), target.clone());
            assert!(
                used.contains(&arrow),
                "{room} may use {target} but does not"
            );
        }
    }
}

/// The README says how many crates the engine alone builds.
#[cfg(target_os = "linux")]
#[test]
fn the_engine_builds_as_many_crates_as_the_readme_says() {
    let readme = include_str!("../README.md");
    let (before, _) = readme
        .split_once(" crates, and")
        .expect("a number of crates");
    let said = before.rsplit(' ').next().and_then(|said| said.parse().ok());
    let output = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--no-default-features", "--edges", "normal"])
        .args([
            "--prefix",
            "none",
            "--format",
            "{p}",
            "--locked",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
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
        .filter(|name| !name.starts_with("patchwork-arena "));
    assert_eq!(said, Some(others.count()), "{crates:#?}");
}

/// The front page of each room has an example, which runs as a doctest.
#[test]
fn front_pages_have_examples() {
    for room in law().keys() {
        let path = format!("{}/src/{room}.rs", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(&path).expect("a front page");
        let mut page = text.lines().take_while(|line| line.starts_with("//!"));
        assert!(page.any(|line| line == "//! ```"), "{path} has no example");
    }
}

#[test]
fn the_table_in_lib_rs_goes_one_way() {
    let law = law();
    let graph: DiGraphMap<&str, ()> = law
        .iter()
        .flat_map(|(room, uses)| uses.iter().map(|to| (room.as_str(), to.as_str(), ())))
        .collect();
    assert!(tarjan_scc(&graph).iter().all(|group| group.len() == 1));
}

#[test]
fn the_files_of_a_room_form_no_cycle() {
    let sources = sources();
    let arrows = arrows(&sources);
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

#[test]
fn a_type_name_means_one_thing() {
    let mut declared: BTreeMap<&String, Vec<String>> = BTreeMap::new();
    let sources = sources();
    for (module, source) in &sources {
        for name in &source.types {
            // Each subcommand has its own arguments.
            if name != "Args" || module.first().is_none_or(|room| room != "cli") {
                declared.entry(name).or_default().push(module.join("::"));
            }
        }
    }
    // What is there with a feature or a system, and its replacement without.
    for name in ["FleetArgs", "RawMode"] {
        assert_eq!(
            declared.remove(&name.to_owned()).map(|list| list.len()),
            Some(2),
            "{name}"
        );
    }
    declared.retain(|_, modules| modules.len() > 1);
    assert!(
        declared.is_empty(),
        "declared more than once: {declared:#?}"
    );
}

/// The lists to which something is added with one file and one line.
const LISTS: [&str; 6] = [
    "placement/policies",
    "placement/evaluations",
    "agent/kinds",
    "tournament/formats",
    "cli",
    "report/sections",
];

/// Things that CONTRIBUTING.md says can be added with one file and one line: what the file declares is named in
/// that file and in the list, and nowhere else.
#[test]
fn what_takes_a_file_and_a_line_is_named_nowhere_else() {
    let manual = include_str!("../CONTRIBUTING.md");
    let sources = sources();
    // Names cannot be followed through a list's macro; the last part of a path is enough.
    let names = |source: &Source, list: &Module, entry: &Module, name: &String| {
        source.uses.iter().any(|path| {
            path.last() == Some(name)
                && defined_in(&sources, path)
                    .is_some_and(|module| module.starts_with(list) && entry.starts_with(&module))
        })
    };
    for list in LISTS {
        assert!(manual.contains(&format!("`src/{list}/`")), "{list}");
        let list: Module = list.split('/').map(str::to_owned).collect();
        // The other files beside the subcommands are shared by them.
        if list == ["cli"] {
            continue;
        }
        let is_entry =
            |module: &Module| module.starts_with(&list) && module.len() == list.len() + 1;
        let entries = sources.iter().filter(|(module, source)| {
            is_entry(module) && !(source.types.is_empty() && source.values.is_empty())
        });
        assert!(entries.clone().count() > 3, "{list:?}");
        for (entry, Source { types, values, .. }) in entries {
            let own = || types.iter().chain(values);
            let elsewhere = sources.iter().filter(|(module, source)| {
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
        ("a", "pub use inner::Thing; pub use list::*;"),
        ("a::list", "mod entry;"),
        (
            "a::inner",
            "pub struct Thing; fn f() { vec![super::super::b::g()]; }",
        ),
        (
            "b",
            "use crate::a::{Listed, Thing}; pub fn g() {} #[cfg(test)] mod tests { use crate::c::X; }",
        ),
        ("c", "pub struct X;"),
    ] {
        let module: Module = module.split("::").map(str::to_owned).collect();
        let mut reader = Reader {
            module: module.clone(),
            source: Source::default(),
        };
        reader.visit_file(&syn::parse_file(text).expect("Rust"));
        sources.insert(module, reader.source);
    }
    sources.insert(Module::new(), Source::default());
    let found: Vec<(String, String)> = arrows(&sources)
        .into_iter()
        .map(|(from, to)| (from.join("::"), to.join("::")))
        .collect();
    let expected = [("a::inner", "b"), ("b", "a::inner"), ("b", "a::list")];
    assert_eq!(
        found,
        expected.map(|(from, to)| (from.to_owned(), to.to_owned()))
    );
}
