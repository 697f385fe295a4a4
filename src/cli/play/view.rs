//! Draws a [`Model`] in 80 columns and 24 lines, or more where the terminal has them.

use patchwork_arena::document::counted;
use patchwork_engine::board::{Quilt, Square};
use patchwork_engine::game::{LAST_SPACE, PatchId, Player, is_income};
use patchwork_engine::record::diagram::symbol;

use super::grid::{CharGrid, Look};
use super::model::{HELP, Model};

/// The columns and lines that the game needs.
pub(super) const SIZE: (usize, usize) = (80, 24);

/// Lines of a patch on offer, including its heading.
const OFFER: usize = 5;

/// Columns of the list of moves, with the gap before it.
const MOVES: usize = 42;

/// Where the parts of the screen are.
#[derive(Clone, Copy)]
struct ScreenLayout {
    /// Width and height of a quilt square in characters, including a gap of one column.
    square: (usize, usize),
    /// Columns from one quilt, or one patch on offer, to the next.
    block: usize,
    /// Number of patches drawn as shapes, in rows of three.
    offers: usize,
    /// First column, first line and number of lines of the list of moves, if there is room for it.
    moves: Option<(usize, usize, usize)>,
}

impl ScreenLayout {
    /// The layout of a screen of at least [`SIZE`]. Extra room goes to larger quilts first, then to more
    /// patches drawn as shapes, then to the list of moves, beside the rest or below.
    fn of(columns: usize, lines: usize) -> Self {
        let is_large = columns >= 106 && lines >= SIZE.1 + 9;
        let (square, block) = if is_large { ((4, 2), 40) } else { ((2, 1), 26) };
        let right = 2 * block + 26;
        let is_beside = columns >= right + MOVES;
        let used = SIZE.1 + 9 * (square.1 - 1);
        let rows = ((lines - used) / OFFER).min(if is_beside { 3 } else { 1 });
        let used = used + rows * OFFER;
        let below = (lines >= used + 5).then(|| (0, used - 2, lines - used - 1));
        Self {
            square,
            block,
            offers: 3 + 3 * rows,
            moves: if is_beside {
                Some((right + 2, 4, lines - 8))
            } else {
                below
            },
        }
    }

    /// The first line of the patches on offer.
    const fn offers_line(&self) -> usize {
        6 + 9 * self.square.1
    }
}

const RED: u8 = 1;
const GREEN: u8 = 2;
const YELLOW: u8 = 3;
const CYAN: u8 = 6;

/// The look of a patch's letter.
fn patch_look(symbol: char) -> Look {
    match symbol {
        '.' => Look::PLAIN,
        symbol => Look::PLAIN.coloured(1 + symbol as u8 % 6),
    }
}

/// The look of a line that may be highlighted.
const fn marked(is_marked: bool) -> Look {
    if is_marked { Look::BOLD } else { Look::PLAIN }
}

/// Draws the game.
pub(super) fn draw(model: &Model, screen: &mut CharGrid) {
    let (columns, lines) = (screen.columns(), screen.lines());
    if columns < SIZE.0 || lines < SIZE.1 {
        let text = format!("{}x{} needed, this is {columns}x{lines}", SIZE.0, SIZE.1);
        screen.put(0, 0, &text, Look::PLAIN);
        screen.put(0, 1, "q leaves", Look::PLAIN);
        screen.put(0, 2, &model.message, Look::PLAIN);
        return;
    }
    let title = format!(
        "{} (first) against {} (second), ply {}",
        model.names[0],
        model.names[1],
        model.table.plies() + 1
    );
    screen.put(0, 0, &title, Look::BOLD);
    if model.shows_help {
        draw_help(screen);
        return;
    }
    let layout = ScreenLayout::of(columns, lines);
    draw_track(model, screen);
    for (column, player) in [(0, model.person), (layout.block, model.person.other())] {
        draw_player(model, screen, layout, column, player);
    }
    draw_facts(model, screen, 2 * layout.block);
    draw_offers(model, screen, layout);
    draw_moves(model, screen, layout);
    draw_foot(model, screen);
}

/// Draws the time board with both tokens: spaces 0 to 53.
fn draw_track(model: &Model, screen: &mut CharGrid) {
    let state = model.table.state();
    screen.put(0, 1, "time", Look::PLAIN);
    for space in 0..=LAST_SPACE {
        let column = 6 + usize::from(space);
        let is_special = state.special_spaces().any(|special| special == space);
        let is_income = is_income(space);
        let (symbol, colour) = match (is_special, is_income) {
            (true, _) => ("*", Some(YELLOW)),
            (false, true) => ("$", Some(CYAN)),
            _ => (".", None),
        };
        screen.put(
            column,
            1,
            symbol,
            colour.map_or(Look::PLAIN, |colour| Look::PLAIN.coloured(colour)),
        );
        let here = Player::BOTH.map(|player| state.space(player) == space);
        let token = match here {
            [true, true] => "B",
            [true, false] => "1",
            [false, true] => "2",
            [false, false] => " ",
        };
        screen.put(column, 2, token, Look::BOLD);
    }
    screen.put(62, 1, "$ income  * 1x1", Look::PLAIN);
    let both = state.space(Player::First) == state.space(Player::Second);
    let legend = if both { "B both tokens" } else { "1, 2 tokens" };
    screen.put(62, 2, legend, Look::PLAIN);
}

fn draw_player(
    model: &Model,
    screen: &mut CharGrid,
    layout: ScreenLayout,
    column: usize,
    player: Player,
) {
    let state = model.table.state();
    let is_next = !state.is_over() && state.mover() == player;
    let mark = if is_next { ">" } else { " " };
    let name: String = model.names[player.index()].chars().take(15).collect();
    let head = format!("{mark} {name} ({player})");
    screen.put(column, 3, &head, marked(is_next));
    let (wide, high) = layout.square;
    for (i, letter) in ('a'..='i').enumerate() {
        let column = column + 2 + wide * i + (wide - 1) / 2;
        screen.put(column, 4, &letter.to_string(), Look::PLAIN);
    }
    let piece = model
        .piece
        .filter(|_| player == model.person)
        .map_or(Quilt::EMPTY, |piece| piece.squares());
    let fits = model.obstacle().is_none();
    let covered = state.quilt(player);
    for (row, symbols) in model.table.diagram().rows(player).enumerate() {
        let line = 5 + high * row;
        screen.put(column, line, &(row + 1).to_string(), Look::PLAIN);
        for (i, symbol) in symbols.chars().enumerate() {
            let square = Square::at(i, row);
            let (symbol, look) = match (piece.contains(square), covered.contains(square)) {
                (true, true) => ('x', Look::BOLD.coloured(RED)),
                (true, false) => ('#', Look::BOLD.coloured(if fits { GREEN } else { RED })),
                _ => (symbol, patch_look(symbol)),
            };
            let column = column + 2 + wide * i;
            if symbol == '.' {
                screen.put(column + (wide - 1) / 2, line, ".", look);
                continue;
            }
            let drawn = symbol.to_string().repeat(wide - 1);
            for line in line..line + high {
                screen.put(column, line, &drawn, look);
            }
        }
    }
}

/// Draws the numbers of both players beside the quilts.
fn draw_facts(model: &Model, screen: &mut CharGrid, column: usize) {
    let state = model.table.state();
    let mut line = 4;
    for player in [model.person, model.person.other()] {
        let name: String = model.names[player.index()].chars().take(26).collect();
        let bonus = if state.bonus() == Some(player) {
            ", 7x7"
        } else {
            ""
        };
        screen.put(column, line, &name, Look::BOLD);
        let facts = [
            format!(
                "{}, income {}",
                counted(u64::from(state.buttons(player)), "button"),
                state.income(player)
            ),
            format!("space {} of {LAST_SPACE}", state.space(player)),
            format!("score {}{bonus}", state.score(player)),
        ];
        for (i, fact) in facts.iter().enumerate() {
            screen.put(column, line + 1 + i, fact, Look::PLAIN);
        }
        line += 5;
    }
    if let Some(value) = model.evaluation {
        let text = format!("your chance {:.0}%", 100.0 * value);
        screen.put(column, 14, &text, Look::BOLD);
    }
}

/// Draws the next three or more patches as shapes with their costs, and lists those after them.
fn draw_offers(model: &Model, screen: &mut CharGrid, layout: ScreenLayout) {
    let state = model.table.state();
    let patches: Vec<PatchId> = state
        .ring_places()
        .map(|place| model.table.setup().patch_at(place))
        .collect();
    let held = model.piece.and_then(|piece| piece.which());
    let top = layout.offers_line();
    for (i, &patch) in patches.iter().take(layout.offers).enumerate() {
        let (column, line) = (layout.block * (i % 3), top + OFFER * (i / 3));
        let can_pay = patch.patch().costs_at_most(state.buttons(state.mover()));
        let is_held = held == Some(patch);
        let mark = if is_held { ">" } else { " " };
        let head = match (i, can_pay) {
            (0..3, true) => format!("{mark} {}: patch {patch}", i + 1),
            (0..3, false) => format!("{mark} {}: patch {patch}, too dear", i + 1),
            _ => format!("  then patch {patch}"),
        };
        screen.put(column, line, &head, marked(is_held));
        draw_patch(patch, screen, column, line + 1);
    }
    let then: Vec<String> = patches
        .iter()
        .skip(layout.offers)
        .take(12)
        .map(ToString::to_string)
        .collect();
    if !then.is_empty() {
        let text = format!("  then patches {}", then.join(" "));
        let line = top + OFFER * layout.offers.div_ceil(3);
        screen.put(0, line, &text, Look::PLAIN);
    }
}

/// Draws a patch as a shape, with price, time and income.
fn draw_patch(patch: PatchId, screen: &mut CharGrid, column: usize, line: usize) {
    let printed = patch.patch();
    for (row, symbols) in printed.shape().literal().split('/').enumerate() {
        let drawn: String = symbols
            .chars()
            .map(|c| if c == 'X' { "# " } else { "  " })
            .collect();
        let look = patch_look(symbol(patch));
        screen.put(column + 2, line + row, &drawn, look);
    }
    for (row, (what, number)) in (line..).zip([
        ("price ", printed.button_cost),
        ("time  ", printed.time_cost),
        ("income", printed.income),
    ]) {
        screen.put(column + 14, row, &format!("{what} {number}"), Look::PLAIN);
    }
}

/// Draws the last moves, where there is room.
fn draw_moves(model: &Model, screen: &mut CharGrid, layout: ScreenLayout) {
    let Some((column, line, lines)) = layout.moves else {
        return;
    };
    screen.put(column, line, "Last moves", Look::BOLD);
    let moves = model.table.moves();
    let from = moves.len().saturating_sub(lines - 1);
    for (i, (player, action)) in moves.enumerate().skip(from) {
        let name: String = model.names[player.index()].chars().take(15).collect();
        let text = format!("{:>3} {name}: {action}", i + 1);
        screen.put(column, line + 1 + i - from, &text, Look::PLAIN);
    }
}

fn draw_help(screen: &mut CharGrid) {
    screen.put(2, 4, "Keys", Look::BOLD);
    for (line, text) in (6..).zip(HELP) {
        screen.put(2, line, text, Look::PLAIN);
    }
    screen.put(
        2,
        17,
        "# is the patch in your hand, x where it cannot lie; letters are patches.",
        Look::PLAIN,
    );
    screen.put(2, 18, "Any key closes this help.", Look::PLAIN);
}

fn draw_foot(model: &Model, screen: &mut CharGrid) {
    let text = match (&model.typed, &model.thinking) {
        (Some(typed), _) => format!("Action: {typed}_"),
        (None, Some(name)) => format!("{name} is thinking ..."),
        (None, None) => model.message.clone(),
    };
    let line = screen.lines() - 3;
    screen.put(0, line, &text, Look::BOLD);
    let state = model.table.state();
    let what = match model.obstacle() {
        _ if state.is_over() => String::new(),
        Some(what) => format!("Not here: {what}."),
        None => model
            .piece
            .filter(|_| model.is_mine())
            .map_or(String::new(), |piece| {
                format!("Enter plays {}.", piece.action())
            }),
    };
    screen.put(0, line + 1, &what, Look::PLAIN);
    let keys = if state.is_over() {
        "The game is over. q leaves, u takes back."
    } else {
        "1-3 patch  arrows move  r rotate  f flip  Enter place  a advance  h hint  ? help"
    };
    screen.put(0, line + 2, keys, Look::PLAIN);
}
