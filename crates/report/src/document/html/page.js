// The theme button, and what makes tables and plots respond. The page works without this script.
"use strict";

(() => {
  // ---------------------------------------------------------------- theme

  const THEMES = ["auto", "light", "dark"];

  function startTheme(button) {
    const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
    const keep = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* may fail for pages opened from disk */ } };
    let theme = THEMES.includes(kept()) ? kept() : "auto";
    const show = () => {
      document.documentElement.dataset.theme = theme;
      button.textContent = `Theme: ${theme}`;
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      keep(theme);
      show();
    });
    show();
  }

  // ---------------------------------------------------------------- scrolling

  const SCROLLERS = ".box, .plot-box";

  /** Marks a box with the directions in which it has more to show, for the cues of the stylesheet. */
  function startScroller(box) {
    const mark = () => {
      const more = [];
      if (box.scrollLeft > 1) more.push("left");
      if (box.scrollLeft + box.clientWidth < box.scrollWidth - 1) more.push("right");
      if (box.scrollTop > 1) more.push("top");
      if (box.scrollTop + box.clientHeight < box.scrollHeight - 1) more.push("bottom");
      box.dataset.scroller = more.join(" ");
    };
    box.addEventListener("scroll", mark, { passive: true });
    const watch = new ResizeObserver(mark);
    watch.observe(box);
    for (const child of box.children) watch.observe(child);
    mark();
  }

  // ---------------------------------------------------------------- tables

  /** Tables with more rows than this can be filtered. */
  const MOST_UNFILTERED = 12;

  /** The number that a cell starts with; null if it does not start with a number. */
  function numberOf(text) {
    const found = /^[<>±]?([+\u2212-]?[\d,]*\.?\d+(?:e[+-]?\d+)?)/.exec(text);
    return found === null ? null : Number(found[1].replaceAll(",", "").replace("\u2212", "-"));
  }

  const isMissing = (text) => text === "" || text === "-" || text === "·";

  /** The order of two cells of a column: numbers by value, text by letters. */
  function compare(a, b) {
    const [x, y] = [numberOf(a), numberOf(b)];
    if (x !== null && y !== null) return x - y;
    return a.localeCompare(b, "en", { numeric: true });
  }

  function startTable(table) {
    const body = table.tBodies[0];
    const heads = table.tHead === null ? [] : [...table.tHead.rows[0].cells];
    if (body === undefined || body.rows.length < 3 || table.matches(".cross, .considered")) return;
    const rows = [...body.rows];
    // The number that is not rounded, or what is read.
    const text = (row, column) => row.cells[column]?.dataset.sort ?? (row.cells[column]?.textContent ?? "").trim();

    /** Sorts by a column; cells without a value stay at the end. */
    function sort(column, direction) {
      const order = direction === null ? rows : [...rows].sort((a, b) => {
        const [x, y] = [text(a, column), text(b, column)];
        if (isMissing(x) || isMissing(y)) return isMissing(x) - isMissing(y);
        return direction === "ascending" ? compare(x, y) : compare(y, x);
      });
      body.append(...order);
      heads.forEach((head, i) => {
        if (i === column && direction !== null) head.setAttribute("aria-sort", direction);
        else head.removeAttribute("aria-sort");
      });
    }

    heads.forEach((head, column) => {
      if (head.getAttribute("scope") !== "col" || head.textContent.trim() === "") return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      // Large numbers are of interest first, and names from A.
      const cycle = head.matches(".number") ? ["descending", "ascending", null] : ["ascending", "descending", null];
      button.addEventListener("click", () => {
        const next = cycle.indexOf(head.getAttribute("aria-sort")) + 1;
        sort(column, cycle[next % cycle.length]);
      });
    });
    if (rows.length > MOST_UNFILTERED) startFilter(table, rows);
  }

  /** A box above a long table that keeps the rows that contain all words. */
  function startFilter(table, rows) {
    const box = table.closest(".box");
    if (box === null) return;
    const name = table.caption?.textContent ?? "the table";
    const line = document.createElement("p");
    line.className = "filter";
    const input = document.createElement("input");
    input.type = "search";
    input.placeholder = "Filter rows";
    input.setAttribute("aria-label", `Filter the rows of: ${name}`);
    const told = document.createElement("span");
    told.setAttribute("role", "status");
    line.append(input, told);
    box.before(line);
    const texts = rows.map((row) => row.textContent.toLowerCase());
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      let shown = 0;
      rows.forEach((row, i) => {
        row.hidden = !words.every((word) => texts[i].includes(word));
        shown += row.hidden ? 0 : 1;
      });
      told.textContent = words.length === 0 ? "" : `${shown} of ${rows.length} rows`;
    });
  }

  // ---------------------------------------------------------------- plots

  /** Most values in the box beside the pointer. */
  const MOST_TOLD = 12;

  const SVG = "http://www.w3.org/2000/svg";

  /** The values of a plot at each horizontal position: {x, values: [{y, mark, text}]}. */
  function stopsOf(plot) {
    const stops = new Map();
    const add = (x, value) => {
      const key = Math.round(x * 2);
      if (!stops.has(key)) stops.set(key, { x, values: [] });
      stops.get(key).values.push(value);
    };
    for (const curve of plot.querySelectorAll("path[data-values]")) {
      const points = curve.getAttribute("d").split(/[ML]/).slice(1).map((point) => point.split(" ").map(Number));
      const values = JSON.parse(curve.dataset.values);
      points.forEach(([x, y], i) => add(x, { y, mark: curve, text: values[i] }));
    }
    for (const title of plot.querySelectorAll("title")) {
      const whole = title.parentNode;
      const mark = whole.tagName === "g" ? whole.querySelector("circle, rect") ?? whole : whole;
      const number = (name) => Number(mark.getAttribute(name) ?? 0);
      const [x, y] = mark.tagName === "rect"
        ? [number("x") + number("width") / 2, number("y")] : [number("cx"), number("cy")];
      add(x, { y, mark, text: title.textContent });
    }
    return [...stops.values()].sort((a, b) => a.x - b.x);
  }

  /** Shows the values of a plot at the pointer, or at a position chosen with the arrow keys. */
  function startPlot(box) {
    const plot = box.querySelector("svg.plot");
    const stops = plot === null ? [] : stopsOf(plot);
    if (stops.length === 0) return;
    const [width, height] = plot.getAttribute("viewBox").split(" ").slice(2).map(Number);
    const cursor = document.createElementNS(SVG, "path");
    cursor.setAttribute("class", "cursor");
    const frame = document.createElement("div");
    frame.className = "plot-frame";
    box.before(frame);
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    tip.setAttribute("role", "status");
    frame.append(box, tip);
    plot.append(cursor);
    box.setAttribute("aria-label", `${plot.getAttribute("aria-label")}. The left and right arrow keys tell the values.`);
    let current = null;

    function show(index, nearY) {
      current = index;
      const stop = stops[index];
      const values = [...stop.values].sort((a, b) => Math.abs(a.y - nearY) - Math.abs(b.y - nearY)).slice(0, MOST_TOLD);
      values.sort((a, b) => a.y - b.y);
      const lines = values.map(({ mark, text }) => {
        const line = document.createElement("span");
        const key = document.createElement("b");
        key.className = `key ${[...mark.classList].filter((word) => /^c\d+$|^all$/.test(word)).join(" ")}`;
        line.append(key, ` ${text}`);
        return line;
      });
      const more = stop.values.length - values.length;
      if (more > 0) lines.push(`and ${more} more`);
      tip.replaceChildren(...lines);
      tip.hidden = false;
      cursor.setAttribute("d", `M${stop.x} 0V${height}`);
      const [own, outer] = [plot.getBoundingClientRect(), frame.getBoundingClientRect()];
      const x = own.left - outer.left + (stop.x / width) * own.width;
      const room = outer.width - tip.offsetWidth;
      // On the side of the cursor with more room.
      const left = x < outer.width / 2 ? x + 12 : x - 12 - tip.offsetWidth;
      tip.style.left = `${Math.max(0, Math.min(room, left))}px`;
    }

    function hide() {
      current = null;
      tip.hidden = true;
      cursor.removeAttribute("d");
    }

    box.addEventListener("pointermove", (event) => {
      const own = plot.getBoundingClientRect();
      const [x, y] = [((event.clientX - own.left) / own.width) * width, ((event.clientY - own.top) / own.height) * height];
      let best = 0;
      stops.forEach((stop, i) => { if (Math.abs(stop.x - x) < Math.abs(stops[best].x - x)) best = i; });
      show(best, y);
    });
    box.addEventListener("pointerleave", hide);
    box.addEventListener("blur", hide);
    const last = stops.length - 1;
    const steps = {
      ArrowRight: () => (current === null ? 0 : Math.min(last, current + 1)),
      ArrowLeft: () => (current === null ? last : Math.max(0, current - 1)),
      Home: () => 0,
      End: () => last,
    };
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in steps)) return;
      event.preventDefault();
      show(steps[event.key](), 0);
    });
  }

  // ---------------------------------------------------------------- saving

  /** Offers some text or an image as a file. */
  function download(name, url) {
    const link = document.createElement("a");
    link.download = name;
    link.href = url;
    link.click();
  }

  const textUrl = (type, text) => `data:${type};charset=utf-8,${encodeURIComponent(text)}`;

  /** The name of a file for a part of a section. */
  function nameOf(part, ending) {
    const section = part.closest("section")?.id ?? "report";
    const parts = [...document.querySelectorAll(`#${section} ${part.tagName}`)];
    const number = parts.length > 1 ? `-${parts.indexOf(part) + 1}` : "";
    return `${section}${number}.${ending}`;
  }

  /** Buttons after a part, one for each ending. */
  function addButtons(after, actions) {
    const line = document.createElement("p");
    line.className = "save";
    for (const [label, act] of actions) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", act);
      line.append(button);
    }
    after.after(line);
  }

  const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "font", "text-anchor", "paint-order"];

  /** The plot as a file that needs no style sheet. */
  function svgOf(plot) {
    const copy = plot.cloneNode(true);
    copy.setAttribute("xmlns", SVG);
    const [, , width, height] = plot.getAttribute("viewBox").split(" ");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const copies = [...copy.querySelectorAll("*")];
    [...plot.querySelectorAll("*")].forEach((node, i) => {
      const style = getComputedStyle(node);
      copies[i].setAttribute("style", DRAWN.map((key) => `${key}:${style.getPropertyValue(key)}`).join(";"));
    });
    const ground = document.createElementNS(SVG, "rect");
    ground.setAttribute("width", "100%");
    ground.setAttribute("height", "100%");
    ground.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
    copy.prepend(ground);
    return new XMLSerializer().serializeToString(copy);
  }

  function savePng(plot) {
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = document.createElement("canvas");
      canvas.width = 2 * image.width;
      canvas.height = 2 * image.height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      download(nameOf(plot, "png"), canvas.toDataURL("image/png"));
    });
    image.src = textUrl("image/svg+xml", svgOf(plot));
  }

  function startSaving() {
    for (const plot of document.querySelectorAll("main svg.plot")) {
      addButtons(plot.closest(".plot-frame, .plot-box"), [
        ["SVG", () => download(nameOf(plot, "svg"), textUrl("image/svg+xml", svgOf(plot)))],
        ["PNG", () => savePng(plot)],
      ]);
    }
    for (const box of document.querySelectorAll("main .box[data-csv]")) {
      addButtons(box, [["CSV", () => download(box.dataset.file, textUrl("text/csv", box.dataset.csv))]]);
    }
  }

  // ---------------------------------------------------------------- the board

  /** The game in the viewer as the board reads it: the setup and the actions, which the viewer writes below it. */
  function gameText(viewer) {
    const number = /^#game=(\d+)/.exec(location.hash)?.[1];
    const data = JSON.parse(document.getElementById("games-data").textContent);
    const game = data.games.find((one) => String(one.number) === number) ?? data.games[0];
    const actions = viewer.querySelector("[data-part=notation]")?.textContent.trim() ?? "";
    return [data.rules, ...game.ring, "..", ...actions.split(/\s+/)].join("_");
  }

  /** A button that opens the game of the viewer in the analysis of the board, if the board is served beside the page. */
  function startBoard(viewer) {
    if (viewer === null || document.getElementById("games-data") === null) return;
    const isServed = location.protocol !== "file:";
    addButtons(viewer.querySelector("#viewer-live"), [[isServed ? "Analyse on the board" : "Copy for the board's analysis", () => {
      const text = gameText(viewer);
      if (isServed) open(`/board/index.html#game=${text}`);
      else navigator.clipboard?.writeText(text);
    }]]);
  }

  // ---------------------------------------------------------------- folding

  /** Opens the question of the section that the address names. */
  function unfold() {
    const found = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const question = found?.closest("details");
    if (question === null || question === undefined || question.open) return;
    question.open = true;
    found.scrollIntoView();
  }

  startTheme(document.getElementById("theme"));
  addEventListener("hashchange", unfold);
  unfold();
  document.querySelectorAll("main table").forEach(startTable);
  document.querySelectorAll(".plot-box").forEach(startPlot);
  document.querySelectorAll(SCROLLERS).forEach(startScroller);
  startSaving();
  startBoard(document.getElementById("viewer"));
})();

