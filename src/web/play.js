"use strict";
// Draws a game and sends what the person does. The rules are on the server, which lists the legal actions.
const $ = id => document.getElementById(id);
const letters = "abcdefghi";
let game = null, hand = null, busy = false, drag = null, legal = new Set();

const element = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};
const hue = symbol => (symbol.charCodeAt(0) * 47) % 360;
const symbolOf = patch => patch <= 26 ? String.fromCharCode(64 + patch) : String.fromCharCode(70 + patch);
const single = { patch: 0, orientations: [{ cells: [[0, 0]], turned: 0, flipped: 0 }] };
const held = () => game.special ? single : game.offers.find(offer => offer.patch === hand.patch);
const cells = () => held().orientations[hand.turn].cells;
const isMine = () => game && !game.over && game.mover === game.person;

const squares = (column, row) => cells().map(([c, r]) => [column + c, row + r]);
const action = (column, row) => {
  const text = squares(column, row).map(([c, r]) => letters[c] + (r + 1)).join("");
  return game.special ? "S:" + text : hand.patch + ":" + text;
};
const clamp = () => {
  const columns = 1 + Math.max(...cells().map(cell => cell[0])), rows = 1 + Math.max(...cells().map(cell => cell[1]));
  hand.column = Math.max(0, Math.min(9 - columns, hand.column));
  hand.row = Math.max(0, Math.min(9 - rows, hand.row));
};

const ask = async (path, body) => {
  if (busy) return;
  busy = true;
  document.body.dataset.busy = "1";
  $("message").textContent = "Thinking ...";
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (answer.ok) take(await answer.json()); else { if (game) draw(); $("message").textContent = await answer.text(); }
  } catch (error) {
    $("message").textContent = "The server does not answer.";
  }
  busy = false;
  delete document.body.dataset.busy;
};
const step = async act => {
  if (!game) return;
  const before = game.ply;
  await ask("/api/step", { id: game.id, act });
  if ($("evaluate").checked && isMine() && game.ply !== before && act !== "advice") await ask("/api/step", { id: game.id, act: "advice" });
};

const take = next => {
  game = next;
  legal = new Set(game.legal);
  const wish = hand && game.offers.find(offer => offer.patch === hand.patch && offer.can_pay);
  const offer = game.special ? single : wish || game.offers.find(offer => offer.can_pay) || game.offers[0];
  hand = isMine() && offer ? { patch: offer.patch, turn: wish && !game.special ? hand.turn : 0, column: hand ? hand.column : 0, row: hand ? hand.row : 0 } : null;
  if (hand) clamp();
  draw();
};

const choose = patch => {
  if (!isMine() || game.special) return;
  hand = { patch, turn: 0, column: hand ? hand.column : 0, row: hand ? hand.row : 0 };
  clamp();
  draw();
};
const turn = how => {
  if (!hand) return;
  hand.turn = held().orientations[hand.turn][how];
  clamp();
  draw();
};
const move = (columns, rows) => {
  if (!hand) return;
  hand.column += columns;
  hand.row += rows;
  clamp();
  draw();
};
const place = () => {
  if (!hand) return;
  const wanted = action(hand.column, hand.row);
  if (legal.has(wanted)) step(wanted); else $("message").textContent = wanted + " is not legal here.";
};

const drawQuilt = (box, player, isOwn) => {
  const quilt = element("div", "quilt");
  quilt.setAttribute("role", "img");
  const covered = player.rows.join("").replace(/\./g, "").length;
  quilt.setAttribute("aria-label", `Quilt of ${player.name}: ${covered} of 81 squares covered`);
  if (isOwn) { quilt.id = "own"; quilt.tabIndex = 0; }
  const over = new Map(), can = new Set();
  if (isOwn && hand) {
    const fits = legal.has(action(hand.column, hand.row));
    for (const [c, r] of squares(hand.column, hand.row)) over.set(9 * r + c, fits ? "fits" : "clash");
    for (let row = 0; row < 9; row++) for (let column = 0; column < 9; column++)
      if (squares(column, row).every(([c, r]) => c < 9 && r < 9) && legal.has(action(column, row)))
        for (const [c, r] of squares(column, row)) can.add(9 * r + c);
  }
  player.rows.forEach((row, r) => [...row].forEach((symbol, c) => {
    const square = element("span", "", symbol === "." ? "" : symbol);
    if (symbol !== ".") { square.classList.add("covered"); square.style.setProperty("--hue", hue(symbol)); }
    if (can.has(9 * r + c)) square.classList.add("can");
    if (over.has(9 * r + c)) square.classList.add(over.get(9 * r + c));
    quilt.append(square);
  }));
  box.append(quilt);
};

const draw = () => {
  $("game").hidden = false;
  $("message").textContent = game.message + (game.over ? " The game is over." : "");
  const table = $("table"), hadFocus = document.activeElement && document.activeElement.id === "own";
  table.replaceChildren();
  for (const seat of [game.person, 1 - game.person]) {
    const player = game.players[seat], box = element("section", "player" + (!game.over && game.mover === seat ? " next" : ""));
    box.append(element("h2", "", `${player.name} (${seat ? "second" : "first"})`));
    box.append(element("p", "facts", `${player.buttons} buttons, income ${player.income}, space ${player.space} of 53, score ${player.score}${player.bonus ? ", 7×7 bonus" : ""}`));
    drawQuilt(box, player, seat === game.person);
    table.append(box);
  }
  if (hadFocus) $("own").focus();
  const offers = $("offers");
  offers.replaceChildren();
  game.offers.forEach((offer, i) => {
    const isHeld = Boolean(hand) && !game.special && hand.patch === offer.patch;
    const button = element("button", "offer" + (offer.can_pay ? "" : " dear"));
    button.type = "button";
    button.dataset.patch = offer.patch;
    button.setAttribute("aria-pressed", isHeld);
    button.append(`${i + 1}: patch ${offer.patch}`);
    const shape = element("div", "shape");
    shape.style.setProperty("--hue", hue(symbolOf(offer.patch)));
    for (const [c, r] of offer.orientations[isHeld ? hand.turn : 0].cells) {
      const cell = element("i");
      cell.style.gridColumn = c + 1;
      cell.style.gridRow = r + 1;
      shape.append(cell);
    }
    button.append(shape, `price ${offer.price}, time ${offer.time}, income ${offer.income}`);
    offers.append(button);
  });
  $("then").textContent = game.then.length ? "Then patches " + game.then.join(" ") : "";
  const track = $("track");
  track.replaceChildren();
  game.spaces.forEach((kind, space) => {
    const box = element("span", kind);
    box.title = `space ${space}${kind ? ", " + kind : ""}`;
    game.players.forEach((player, seat) => { if (player.space === space) box.append(element("b", "", String(seat + 1))); });
    track.append(box);
  });
  const advice = game.advice;
  $("advised").textContent = advice ? `${advice.by} would play ${advice.action}${advice.chance === null ? "" : `; your chance is ${Math.round(100 * advice.chance)}%`}.` : "";
  for (const id of ["advance", "rotate", "flip", "place", "advice"]) $(id).disabled = !isMine();
  $("advance").disabled = !legal.has("A");
  document.body.dataset.state = game.over ? "over" : isMine() ? "mine" : "theirs";
  document.body.dataset.ply = game.ply;
};

// The pointer holds the patch at its middle.
const follow = event => {
  const own = $("own");
  if (!hand || !own) return false;
  const box = own.getBoundingClientRect();
  const column = Math.floor(9 * (event.clientX - box.left) / box.width), row = Math.floor(9 * (event.clientY - box.top) / box.height);
  if (column < 0 || row < 0 || column > 8 || row > 8) return false;
  const columns = Math.max(...cells().map(cell => cell[0])), rows = Math.max(...cells().map(cell => cell[1]));
  const at = [hand.column, hand.row];
  hand.column = column - Math.floor(columns / 2);
  hand.row = row - Math.floor(rows / 2);
  clamp();
  if (at[0] !== hand.column || at[1] !== hand.row) draw();
  return true;
};
document.addEventListener("pointerdown", event => {
  const offer = event.target.closest(".offer");
  if (offer) { drag = { x: event.clientX, y: event.clientY }; choose(Number(offer.dataset.patch)); }
});
document.addEventListener("pointermove", event => { follow(event); });
document.addEventListener("pointerup", event => {
  const isDragged = drag && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8;
  drag = null;
  if ((isDragged || event.target.closest("#own")) && event.button === 0 && follow(event)) place();
});
document.addEventListener("wheel", event => { if (event.target.closest("#own") && hand) { event.preventDefault(); turn("turned"); } }, { passive: false });
document.addEventListener("contextmenu", event => { if (event.target.closest("#own") && hand) { event.preventDefault(); turn("flipped"); } });
document.addEventListener("keydown", event => {
  if (event.target.closest("input, select") || event.ctrlKey || event.altKey || event.metaKey || !game || busy) return;
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (arrows[event.key]) { move(...arrows[event.key]); event.preventDefault(); }
  else if (/^[123]$/.test(event.key)) { const offer = game.offers[event.key - 1]; if (offer) choose(offer.patch); }
  else if (event.key === "r") turn("turned");
  else if (event.key === "f") turn("flipped");
  else if (event.key === "a") { if (legal.has("A")) step("A"); }
  else if (event.key === "u") step("undo");
  else if (event.key === "h") step("advice");
  else if (event.key === "Enter" && !event.target.closest("button, a")) { place(); event.preventDefault(); }
});
$("advance").onclick = () => step("A");
$("rotate").onclick = () => turn("turned");
$("flip").onclick = () => turn("flipped");
$("place").onclick = place;
$("undo").onclick = () => step("undo");
$("advice").onclick = () => step("advice");
$("setup").onsubmit = event => {
  event.preventDefault();
  hand = null;
  ask("/api/new", { agent: $("agent").value, seat: Number($("seat").value) });
};
fetch("/api/agents").then(answer => answer.json()).then(names => {
  for (const name of names) $("agent").append(element("option", "", name));
  if (names.includes("mcts-regret")) $("agent").value = "mcts-regret";
  document.body.dataset.state = "ready";
});
