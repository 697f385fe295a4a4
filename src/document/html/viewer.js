// The game viewer.
//
// The data contain the position after every ply, so the script only draws and does not implement the rules.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const INCOME = [5, 11, 17, 23, 29, 35, 41, 47, 53];
  const LAST_SPACE = 53;
  const SIDE = 9;
  const START = { spaces: [0, 0], buttons: [5, 5], income: [0, 0], scores: [-157, -157], bonus: null };

  /** Creates an element: tag, attributes, children (nodes or text). */
  function make(space, tag, attributes = {}, ...children) {
    const node = space ? document.createElementNS(space, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }
  const svg = (tag, attributes, ...children) => make(SVG, tag, attributes, ...children);
  const html = (tag, attributes, ...children) => make(null, tag, attributes, ...children);

  // ---------------------------------------------------------------- data

  /** The rows of a table that is stored as named columns. */
  function rowsOf(columns) {
    const names = Object.keys(columns);
    const row = (i) => Object.fromEntries(names.map((name) => [name, columns[name][i]]));
    return names.length === 0 ? [] : columns[names[0]].map((_, i) => row(i));
  }

  const squareName = (square) => "abcdefghi"[square % SIDE] + (Math.floor(square / SIDE) + 1);
  const percent = (thousandths) => `${(thousandths / 10).toFixed(1)}%`;
  const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  // ---------------------------------------------------------------- patches and quilts

  const hue = (patch) => (patch < 0 ? 0 : (patch * 137.5) % 360);

  /** The shape of a patch as a list of [column, row]. */
  function shapeOf(literal) {
    return literal.split("/").flatMap((row, y) => [...row].flatMap((c, x) => (c === "X" ? [[x, y]] : [])));
  }

  /** A patch on these squares: filled, outlined, and numbered if there is room. */
  function drawPatch(patch, squares, size, numbered) {
    const has = new Set(squares.map(([x, y]) => `${x},${y}`));
    const at = (x, y) => `${x * size} ${y * size}`;
    let fill = "";
    let outline = "";
    for (const [x, y] of squares) {
      fill += `M${at(x, y)}h${size}v${size}h${-size}z`;
      if (!has.has(`${x},${y - 1}`)) outline += `M${at(x, y)}h${size}`;
      if (!has.has(`${x},${y + 1}`)) outline += `M${at(x, y + 1)}h${size}`;
      if (!has.has(`${x - 1},${y}`)) outline += `M${at(x, y)}v${size}`;
      if (!has.has(`${x + 1},${y}`)) outline += `M${at(x + 1, y)}v${size}`;
    }
    const group = svg("g", { class: patch < 0 ? "patch special" : "patch", style: `--hue:${hue(patch)}` });
    group.append(svg("path", { class: "cloth", d: fill }), svg("path", { class: "seam", d: outline }));
    if (numbered) {
      // On the square nearest to the centre of the patch.
      const middle = [0, 1].map((i) => squares.reduce((sum, square) => sum + square[i], 0) / squares.length);
      const off = ([x, y]) => (x - middle[0]) ** 2 + (y - middle[1]) ** 2;
      const [x, y] = squares.reduce((best, square) => (off(square) < off(best) ? square : best));
      group.append(svg("text", { x: (x + 0.5) * size, y: (y + 0.5) * size }, patch < 0 ? "★" : String(patch)));
    }
    return group;
  }

  function drawQuilt(figure, placed, last, name) {
    const cells = 20;
    const nodes = [svg("rect", { class: "board", width: SIDE * cells, height: SIDE * cells })];
    let lines = "";
    for (let i = 1; i < SIDE; i++) lines += `M${i * cells} 0v${SIDE * cells}M0 ${i * cells}h${SIDE * cells}`;
    nodes.push(svg("path", { class: "lines", d: lines }));
    for (const ply of placed) {
      const squares = ply.squares.map((square) => [square % SIDE, Math.floor(square / SIDE)]);
      const patch = drawPatch(ply.patch, squares, cells, true);
      if (ply === last) patch.classList.add("new");
      nodes.push(patch);
    }
    for (let i = 0; i < SIDE; i++) {
      const middle = (i + 0.5) * cells;
      nodes.push(svg("text", { class: "coordinate", x: middle, y: -8 }, squareName(i)[0]));
      nodes.push(svg("text", { class: "coordinate", x: -8, y: middle }, squareName(i * SIDE).slice(1)));
    }
    figure.replaceChildren(...nodes);
    const covered = placed.reduce((sum, ply) => sum + ply.squares.length, 0);
    figure.setAttribute("aria-label", `Quilt of ${name}: ${count(covered, "square")} covered`);
  }

  /** The ring of remaining patches, with the token in front of the next one. */
  function drawRing(figure, ring, gone, next, patches) {
    const [middle, radius, cell] = [190, 158, 5.5];
    const angle = (place) => (place / ring.length) * 2 * Math.PI - Math.PI / 2;
    const nodes = [svg("circle", { class: "path", cx: middle, cy: middle, r: radius })];
    ring.forEach((patch, place) => {
      const [x, y] = [middle + radius * Math.cos(angle(place)), middle + radius * Math.sin(angle(place))];
      if (gone.has(patch)) {
        nodes.push(svg("circle", { class: "gap", cx: x, cy: y, r: 2 }));
        return;
      }
      const squares = shapeOf(patches[patch - 1].shape);
      const [width, height] = [0, 1].map((i) => 1 + Math.max(...squares.map((square) => square[i])));
      const group = drawPatch(patch, squares, cell, false);
      group.setAttribute("transform", `translate(${x - (width * cell) / 2} ${y - (height * cell) / 2})`);
      if (next.includes(patch)) group.classList.add("offered");
      group.append(svg("title", {}, `patch ${patch}`));
      nodes.push(group);
    });
    if (next.length > 0) {
      const place = angle(ring.indexOf(next[0]) - 0.5);
      const [x, y] = [middle + (radius - 24) * Math.cos(place), middle + (radius - 24) * Math.sin(place)];
      nodes.push(svg("circle", { class: "token", cx: x, cy: y, r: 6 }));
    }
    const left = ring.length - gone.size;
    nodes.push(svg("text", { class: "left", x: middle, y: middle - 8 }, String(left)));
    nodes.push(svg("text", { class: "of", x: middle, y: middle + 22 }, left === 1 ? "patch left" : "patches left"));
    figure.replaceChildren(...nodes);
    figure.setAttribute("aria-label", `Ring: ${count(left, "patch").replace("patchs", "patches")} left, next ${next.join(", ") || "none"}`);
  }

  function drawOffers(list, next, patches) {
    list.replaceChildren(...next.map((patch) => {
      const { buttons, spaces, income, shape } = patches[patch - 1];
      const squares = shapeOf(shape);
      const [width, height] = [0, 1].map((i) => 1 + Math.max(...squares.map((square) => square[i])));
      const picture = svg("svg", { viewBox: `-1 -1 ${width * 14 + 2} ${height * 14 + 2}`, width: width * 14 + 2, height: height * 14 + 2, "aria-hidden": "true" });
      picture.append(drawPatch(patch, squares, 14, false));
      return html("li", {},
        html("span", { class: "picture" }, picture),
        html("span", { class: "price" }, html("b", {}, `No. ${patch}`), html("span", {}, count(buttons, "button")),
          html("span", {}, count(spaces, "space")), html("span", {}, `${income} income`)));
    }));
    if (next.length === 0) list.append(html("li", { class: "none" }, "No patches are left."));
  }

  /** The time board: three rows of 18 spaces, the second one from right to left. */
  function drawTrack(figure, spaces, specials) {
    const [columns, cell, gap] = [18, 30, 14];
    const place = (space) => {
      const row = Math.floor(space / columns);
      const column = row % 2 === 0 ? space % columns : columns - 1 - (space % columns);
      return [column * cell, row * (cell + gap)];
    };
    const nodes = [];
    for (let row = 0; row < 2; row++) {
      const x = row % 2 === 0 ? columns * cell - cell / 2 : cell / 2;
      nodes.push(svg("path", { class: "turn", d: `M${x} ${row * (cell + gap) + cell}v${gap}` }));
    }
    for (let space = 0; space <= LAST_SPACE; space++) {
      const [x, y] = place(space);
      const box = svg("g", { transform: `translate(${x} ${y})` });
      box.append(svg("rect", { class: "space", x: 1, y: 1, width: cell - 2, height: cell - 2, rx: 4 }));
      if (INCOME.includes(space)) {
        box.append(svg("circle", { class: "button", cx: cell / 2, cy: cell / 2, r: 8 }));
        for (const [dx, dy] of [[-2.2, -2.2], [2.2, -2.2], [-2.2, 2.2], [2.2, 2.2]]) {
          box.append(svg("circle", { class: "hole", cx: cell / 2 + dx, cy: cell / 2 + dy, r: 1.1 }));
        }
      } else if (specials.includes(space)) {
        // The first player to pass a special patch takes it.
        const taken = space <= Math.max(...spaces);
        box.append(svg("rect", { class: taken ? "leather taken" : "leather", x: 8, y: 8, width: cell - 16, height: cell - 16, rx: 2 }));
      } else {
        box.append(svg("text", { class: "number", x: cell / 2, y: cell / 2 }, String(space)));
      }
      nodes.push(box);
    }
    spaces.forEach((space, seat) => {
      const [x, y] = place(space);
      const shared = spaces[0] === spaces[1] ? (seat === 0 ? -7 : 7) : 0;
      nodes.push(svg("circle", { class: `pawn seat${seat}`, cx: x + cell / 2 + shared, cy: y + cell / 2, r: shared ? 8 : 9 }));
      nodes.push(svg("text", { class: "pawn", x: x + cell / 2 + shared, y: y + cell / 2 }, String(seat + 1)));
    });
    figure.replaceChildren(...nodes);
    figure.setAttribute("aria-label", `Time track: first player on space ${spaces[0]}, second on ${spaces[1]} of ${LAST_SPACE}`);
  }

  /** The first player's win probability in thousandths, from the value that a seat reported. */
  const ofFirst = (seat, value) => (seat === 0 ? value : 1000 - value);

  /** Where a ply and a share are on the plane of expectations, which is 1000 wide and 200 high. */
  function plane(plies) {
    return {
      x: (ply) => (plies.length > 1 ? ((ply - 1) / (plies.length - 1)) * 1000 : 0),
      // Lines at either end are drawn inside the plot with their full width.
      y: (share) => 5 + 190 * (1 - share),
    };
  }

  /** The win probability of the first player over the plies, as estimated by each player. */
  function drawExpectations(figure, plies, at) {
    const [width, height] = [1000, 200];
    const { x, y } = plane(plies);
    const nodes = [];
    for (const share of [0, 0.5, 1]) nodes.push(svg("path", { class: share === 0.5 ? "even" : "edge", d: `M0 ${y(share)}h${width}` }));
    let told = 0;
    for (const seat of [0, 1]) {
      let path = "";
      plies.forEach((ply, i) => {
        if (ply.seat !== seat || ply.value === null) return;
        path += `${path ? "L" : "M"}${x(i + 1).toFixed(1)} ${y(ofFirst(seat, ply.value) / 1000).toFixed(1)}`;
        told += 1;
      });
      nodes.push(svg("path", { class: `line seat${seat}`, d: path || "M0 0" }));
    }
    if (at > 0) nodes.push(svg("path", { class: "cursor", d: `M${x(at).toFixed(1)} 0v${height}` }));
    figure.replaceChildren(...nodes);
    return told > 0;
  }

  // ---------------------------------------------------------------- viewer

  function startViewer(root, data) {
    const part = (name) => root.querySelector(`[data-part="${name}"]`);
    const games = data.games;
    const patches = rowsOf(data.patches);
    let game = null;
    let at = 0;
    let timer = null;
    let telling = null;

    const name = (seat) => data.agents[game.seats[seat]];
    const result = (g) => (g.fault ? ["1 - 0", "0 - 1"][g.winner] : `${g.scores[0]} : ${g.scores[1]}`);
    const label = (g) => `#${g.number}  ${data.agents[g.seats[0]]} ${result(g)} ${data.agents[g.seats[1]]}`
      + (g.fault ? `  (fault: ${g.fault})` : "")
      + (g.notes.length > 0 ? `  (${g.notes.join(", ")})` : "");

    function outcome() {
      if (game.fault) return ` ${name(game.winner)} wins; ${name(1 - game.winner)} lost by ${game.fault}.`;
      const [won, lost] = [game.scores[game.winner], game.scores[1 - game.winner]];
      return ` ${name(game.winner)} wins ${won} to ${lost}${won === lost ? ", having reached the end first" : ""}.`;
    }

    function describe() {
      if (at === 0) {
        return `Before the first ply: ${name(0)} moves first, against ${name(1)}.${game.plies.length === 0 ? outcome() : ""}`;
      }
      const ply = game.plies[at - 1];
      const squares = ply.squares.map(squareName).join(" ");
      let text = `${name(ply.seat)} `;
      if (ply.patch === 0) text += "advances";
      else if (ply.patch < 0) text += `places a special patch on ${squares}`;
      else text += `buys patch ${ply.patch} for ${squares}`;
      text += `; ${count(ply.legal, "legal action")}`;
      if (ply.iterations > 0) text += `, ${count(ply.iterations, "iteration")}`;
      if (ply.value !== null) text += `, expects to win with ${percent(ply.value)}`;
      if (ply.proven !== null) text += ply.proven ? ", a proven win" : ", a proven loss";
      text += ".";
      return at === game.plies.length ? text + outcome() : text;
    }

    /** An action in notation. */
    function action(ply) {
      if (ply.patch === 0) return "A";
      return `${ply.patch < 0 ? "S" : ply.patch}:${ply.squares.map(squareName).join("")}`;
    }

    /** The marks of the largest swings on the curve, and the buttons that lead to them. */
    function drawSwings() {
      const { x, y } = plane(game.plies);
      part("plane").querySelectorAll(".swing").forEach((mark) => mark.remove());
      const items = game.swings.map(({ ply, seat, from, to }, i) => {
        const text = `Ply ${ply}: ${name(seat)} ${percent(from)} → ${percent(to)}`;
        const there = () => { stop(); go(ply); };
        const share = ofFirst(seat, to) / 1000;
        const mark = html("span", { class: `swing seat${seat}`, style: `left:${x(ply) / 10}%;top:${y(share) / 2}%`, title: text, "aria-hidden": "true" }, String(i + 1));
        mark.addEventListener("click", there);
        part("plane").append(mark);
        const button = html("button", { type: "button", class: `seat${seat}`, "data-ply": ply }, html("b", {}, String(i + 1)), ` ${text}`);
        button.addEventListener("click", there);
        return html("li", {}, button);
      });
      part("swings").replaceChildren(...items);
      part("swings-of").hidden = items.length === 0;
    }

    /** The actions that were considered in the last ply, the one played first, where they were recorded. */
    function drawConsidered() {
      const considered = game.considered.filter((one) => one.ply === at);
      const most = Math.max(1, ...considered.map((one) => one.visits));
      part("considered").replaceChildren(...considered.map(({ patch, squares, visits, value }) => {
        const bar = html("td", { class: "visits number", style: `--share:${(100 * visits) / most}%` }, visits.toLocaleString("en"));
        return html("tr", {}, html("th", { scope: "row" }, action({ patch, squares })), bar, html("td", { class: "number" }, percent(value)));
      }));
      part("considered-box").hidden = considered.length === 0;
    }

    /** What the mover expected at the ply under the pointer. */
    function tellAt(ply) {
      const played = ply === null ? undefined : game.plies[ply - 1];
      part("told").textContent = played === undefined ? "" : `Ply ${ply}: ${name(played.seat)} `
        + (played.value === null ? "reported no expectation" : `expects to win with ${percent(played.value)}`);
    }

    function drawText() {
      part("notation-of").textContent = `The game as text: #${game.number}, ${name(0)} against ${name(1)}`;
      part("notation").textContent = game.plies.map(action).join(" ");
    }

    function draw() {
      const played = game.plies.slice(0, at);
      const last = played[at - 1];
      const position = last ?? { ...START, next: game.ring.slice(0, 3) };
      for (const seat of [0, 1]) {
        const placed = played.filter((ply) => ply.seat === seat && ply.squares.length > 0);
        drawQuilt(part(`quilt${seat}`), placed, last, name(seat));
        part(`name${seat}`).textContent = name(seat);
        part(`score${seat}`).textContent = position.scores[seat];
        part(`buttons${seat}`).textContent = position.buttons[seat];
        part(`income${seat}`).textContent = position.income[seat];
        part(`space${seat}`).textContent = position.spaces[seat];
        part(`bonus${seat}`).hidden = position.bonus !== seat;
        part(`player${seat}`).classList.toggle("moved", last !== undefined && last.seat === seat);
      }
      const gone = new Set(played.filter((ply) => ply.patch > 0).map((ply) => ply.patch));
      drawRing(part("ring"), game.ring, gone, position.next, patches);
      drawOffers(part("offers"), position.next, patches);
      drawTrack(part("track"), position.spaces, data.specials);
      part("expectations").hidden = !drawExpectations(part("curve"), game.plies, at);
      drawConsidered();
      part("ply").textContent = `Ply ${at} of ${game.plies.length}`;
      part("text").textContent = describe();
      part("slider").max = game.plies.length;
      part("slider").value = at;
      part("slider").setAttribute("aria-valuetext", `ply ${at} of ${game.plies.length}`);
      part("choose").value = String(game.number);
      // Not disabled: a disabled button would swallow keyboard events.
      for (const button of ["first", "back"]) part(button).ariaDisabled = at === 0;
      for (const button of part("swings").querySelectorAll("button")) {
        if (Number(button.dataset.ply) === at) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      }
      for (const button of ["forward", "last"]) part(button).ariaDisabled = at === game.plies.length;
      part("play").textContent = timer === null ? "Play" : "Pause";
      root.dataset.game = game.number;
      root.dataset.ply = at;
    }

    function stop() {
      clearInterval(timer);
      timer = null;
    }

    /** Writes the position into the address, so that it can be linked to. Updates are delayed because
        browsers limit their rate. */
    function tell() {
      clearTimeout(telling);
      telling = setTimeout(() => history.replaceState(null, "", `#game=${game.number}&ply=${at}`), 200);
    }

    function go(to) {
      if (game === null) return;
      at = Math.max(0, Math.min(game.plies.length, to));
      if (at === game.plies.length) stop();
      draw();
      tell();
    }

    function play() {
      if (game === null) return;
      if (timer !== null) {
        stop();
        draw();
        return;
      }
      if (at === game.plies.length) at = 0;
      timer = setInterval(() => go(at + 1), Number(part("speed").value));
      go(at + 1);
    }

    function chooseGame(number, ply) {
      stop();
      clearTimeout(telling);
      game = games.find((g) => g.number === number);
      at = Math.max(0, Math.min(game.plies.length, ply));
      // A game that the address asks for may be hidden by the choice of an agent.
      if (!listed().includes(game)) {
        part("agent").value = "";
        list();
      }
      part("missing").textContent = "";
      part("game").hidden = false;
      drawText();
      drawSwings();
      draw();
    }

    /** Says that the page does not hold the game that the address asks for, and shows none. */
    function missing(wanted) {
      stop();
      clearTimeout(telling);
      game = null;
      part("missing").replaceChildren(`This page does not hold game ${wanted}. It holds ${count(games.length, "game")}, which can be chosen above. `,
        html("code", {}, `patchwork-arena replay DIR ${wanted} --show`), " prints a game that is not here.");
      part("game").hidden = true;
      part("choose").value = "";
      delete root.dataset.game;
      delete root.dataset.ply;
    }

    /** Follows the address; false if it does not name a game. */
    function follow() {
      const words = new URLSearchParams(location.hash.slice(1));
      const wanted = words.get("game");
      if (wanted === null) return false;
      const ply = Number(words.get("ply") ?? 0);
      const found = games.find((g) => String(g.number) === wanted);
      if (found === undefined) missing(wanted.slice(0, 20));
      else chooseGame(found.number, Number.isInteger(ply) ? ply : 0);
      return true;
    }

    /** The games of the chosen agent. */
    function listed() {
      const agent = part("agent").value;
      return games.filter((g) => agent === "" || g.seats.includes(Number(agent)));
    }

    function list() {
      const shown = listed();
      part("choose").replaceChildren(...shown.map((g) => html("option", { value: g.number }, label(g))));
      return shown;
    }

    const steps = {
      first: () => go(0), back: () => go(at - 1), forward: () => go(at + 1), last: () => go(Infinity),
    };
    for (const [button, step] of Object.entries(steps)) {
      part(button).addEventListener("click", () => { stop(); step(); });
    }
    part("play").addEventListener("click", play);
    part("speed").addEventListener("change", () => { if (timer !== null) { stop(); play(); } });
    part("slider").addEventListener("input", () => { stop(); go(Number(part("slider").value)); });
    part("choose").addEventListener("change", () => { chooseGame(Number(part("choose").value), 0); go(0); });
    part("agent").addEventListener("change", () => {
      const shown = list();
      if (shown.includes(game)) draw();
      else { chooseGame(shown[0].number, 0); go(0); }
    });
    const plyUnder = (event) => {
      const box = part("curve").getBoundingClientRect();
      return 1 + Math.round(((event.clientX - box.left) / box.width) * (game.plies.length - 1));
    };
    part("curve").addEventListener("click", (event) => { stop(); go(plyUnder(event)); });
    part("curve").addEventListener("pointermove", (event) => tellAt(plyUnder(event)));
    part("curve").addEventListener("pointerleave", () => tellAt(null));
    const keys = { ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last, " ": play };
    root.addEventListener("keydown", (event) => {
      const own = event.target.closest("select, input") !== null || (event.key === " " && event.target.closest("button") !== null);
      if (own || event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
      event.preventDefault();
      if (event.key !== " ") stop();
      keys[event.key]();
    });
    window.addEventListener("hashchange", follow);

    for (const g of games) {
      g.plies = rowsOf(g.plies);
      g.considered = rowsOf(g.considered ?? {});
    }
    const seated = [...new Set(games.flatMap((g) => g.seats))].sort((a, b) => (data.agents[a] < data.agents[b] ? -1 : 1));
    part("agent").append(...seated.map((agent) => html("option", { value: agent }, data.agents[agent])));
    list();
    root.classList.add("live");
    // A click anywhere in the viewer gives it the keyboard focus.
    root.tabIndex = -1;
    if (follow()) root.focus();
    else {
      // The largest swing of the strongest agent, or how a game ended.
      const [number, ply] = data.start ?? [games[0].number, games[0].plies.length];
      chooseGame(number, ply);
    }
  }

  const root = document.getElementById("viewer");
  const data = document.getElementById("games-data");
  if (root !== null && data !== null) startViewer(root, JSON.parse(data.textContent));
})();
