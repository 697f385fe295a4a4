"use strict";
// All pages of results copy commands and ask how far a tournament is by this script. It also sorts and filters the list of
// results, follows what changes without loading it again, and stores notes and tags. Rows come from the server, as it
// writes them into the page.

const table = document.querySelector("table.list");
const PAUSE = 5000;
/** Games of running tournaments when they were counted last, and when: their difference is the speed. */
const counted = new Map();
const rowsOf = () => [...table.querySelectorAll("tr[data-name]")];
const count = number => number.toLocaleString("en");

function copy(button) {
  const field = Object.assign(document.createElement("textarea"), { value: button.dataset.copy });
  button.append(field);
  field.select();
  // Browsers have no clipboard for pages that are served without encryption.
  const done = document.execCommand("copy");
  field.remove();
  if (!done) navigator.clipboard?.writeText(button.dataset.copy);
  button.title = button.dataset.copy;
  button.dataset.copied = "1";
  setTimeout(() => delete button.dataset.copied, 2000);
}
document.addEventListener("click", ({ target }) => {
  if (target.matches("[data-copy]")) copy(target);
  else if (target.matches(".tag")) choose(target.textContent);
});

// ---- sorting and filtering

let sorted = null;
const text = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();

function arrange() {
  if (sorted === null) return;
  const [column, sign] = sorted;
  for (const body of table.tBodies) {
    const rows = [...body.querySelectorAll("tr[data-name]")].filter(row => row.cells.length > column);
    body.append(...rows.sort((a, b) => sign * text(a, column).localeCompare(text(b, column), "en", { numeric: true })));
  }
}

function choice(label, values) {
  const field = document.createElement("select");
  field.setAttribute("aria-label", label);
  field.append(new Option(label, ""), ...values.map(value => new Option(value)));
  field.addEventListener("change", filter);
  return field;
}

const find = Object.assign(document.createElement("input"), { type: "search", placeholder: "Find" });
find.setAttribute("aria-label", "Find by words");
const state = choice("any state", ["searching", "playing", "complete", "stopped", "damaged"]);
const tag = choice("any tag", []);
const none = Object.assign(document.createElement("p"), { textContent: "No results match.", hidden: true });
const tagsOf = row => [...row.querySelectorAll(".tag")].map(one => one.textContent);

function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rowsOf()) {
    const said = `${row.textContent} ${row.dataset.agents ?? ""}`.toLowerCase();
    row.hidden = !words.every(word => said.includes(word))
      || (state.value !== "" && (row.dataset.state ?? "damaged") !== state.value)
      || (tag.value !== "" && !tagsOf(row).includes(tag.value));
  }
  for (const body of table.tBodies) body.hidden = ![...body.rows].some(row => row.dataset.name && !row.hidden);
  none.hidden = [...table.tBodies].some(body => !body.hidden);
}

function choose(wanted) {
  tag.value = wanted;
  filter();
}

function listTags() {
  const wanted = tag.value;
  tag.replaceChildren(new Option("any tag", ""), ...[...new Set(rowsOf().flatMap(tagsOf))].sort().map(one => new Option(one)));
  tag.value = wanted;
  tag.hidden = tag.options.length < 2;
}

// ---- what changes

/** Puts what a row says now into the one that is shown; what somebody types there stays. */
function renew(row, now) {
  const details = row.querySelector("details");
  const isEdited = details && (details.open || [...details.querySelectorAll("textarea, input")].some(one =>
    one.value !== one.defaultValue));
  // What a tournament answered stays until it has changed or, while it runs, until it is asked again.
  const games = row => row.querySelector(".games")?.dataset.sort;
  const isFollowed = row.dataset.state === now.dataset.state && (now.dataset.running !== undefined || games(row) === games(now));
  for (const [i, cell] of [...now.cells].entries()) {
    const shown = row.cells[i];
    if (shown.querySelector("input[type=checkbox]")) continue;
    if (!shown.classList.contains("remarks") || !isEdited) {
      if (!(isFollowed && shown.dataset.followed) && shown.innerHTML !== cell.innerHTML) shown.replaceWith(cell);
      continue;
    }
    // The form stays, and says which notes it is a change of; the notes themselves are shown anew.
    for (const one of [...shown.childNodes]) if (one !== details) one.remove();
    for (const one of [...cell.childNodes]) if (one.nodeName !== "DETAILS") details.before(one);
  }
  for (const name of ["state", "running"]) {
    if (now.dataset[name] === undefined) delete row.dataset[name];
    else row.dataset[name] = now.dataset[name];
  }
}

async function look() {
  const answer = await fetch("/");
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const bodies = [...page.querySelectorAll("table.list tbody")];
  const title = body => body.querySelector(".group").textContent;
  for (const body of bodies) {
    const own = [...table.tBodies].find(one => title(one) === title(body));
    if (!own) table.append(body);
    else {
      for (const now of body.querySelectorAll("tr[data-name]")) {
        const row = rowsOf().find(one => one.dataset.name === now.dataset.name);
        if (!row) own.append(now);
        else if (row.cells.length !== now.cells.length) row.replaceWith(now);
        else renew(row, now);
      }
    }
  }
  const names = new Set([...page.querySelectorAll("tr[data-name]")].map(row => row.dataset.name));
  for (const row of rowsOf()) if (!names.has(row.dataset.name)) row.remove();
  listTags();
  arrange();
  filter();
  return page;
}

/** A tournament as it is now, and in words how far it is: games a second, the time that is left, the test. */
async function asked(name) {
  const answer = await fetch("/api/results/" + name);
  if (!answer.ok) throw new Error(await answer.text());
  const now = await answer.json();
  const before = counted.get(now.name);
  const at = performance.now();
  if (!before || now.games !== before.games) counted.set(now.name, { games: now.games, at });
  const speed = before ? (1000 * (now.games - before.games)) / (at - before.at) : 0;
  const says = [now.state];
  if (speed > 0) says.push(`${speed.toPrecision(2)} games/s`);
  const missing = now.planned - now.games;
  const left = speed > 0 && now.state === "playing" ? missing / speed : null;
  if (left !== null && missing > 0) says.push(left < 90 ? `${Math.ceil(left)} s left` : `${count(Math.ceil(left / 60))} min left`);
  else if (now.core_seconds_left) says.push(`${count(Math.ceil(now.core_seconds_left / 60))} min of one core left`);
  if (now.test?.llr != null) says.push(`LLR ${now.test.llr.toFixed(2)} of ${now.test.lower.toFixed(2)} to ${now.test.upper.toFixed(2)}`);
  return { now, says: says.join(", ") };
}

/** Says in the list how far a tournament is, and who leads. */
async function follow(row) {
  const { now, says } = await asked(row.dataset.name);
  const tell = (name, said) => {
    const cell = row.querySelector(name);
    cell.textContent = said;
    cell.dataset.followed = "1";
  };
  tell(".games", `${count(now.games)} of ${count(now.planned)}`);
  row.querySelector(".games").dataset.sort = now.games;
  tell(".leader", now.standings[0]?.agent ?? "");
  tell(".state", says);
}

/** A request that fails changes nothing: the next one asks again. */
async function go() {
  try {
    await look();
    for (const row of rowsOf()) if (row.dataset.running !== undefined) await follow(row).catch(() => {});
    // The list has no leader of a stopped tournament, whose games must be read for it: one at a time.
    const stopped = rowsOf().find(row => row.dataset.state === "stopped" && !row.querySelector(".leader").dataset.followed);
    if (stopped) {
      stopped.querySelector(".leader").dataset.followed = "1";
      await follow(stopped).catch(() => {});
    }
  } catch { /* The server may be there again. */ }
  setTimeout(go, PAUSE);
}

document.addEventListener("submit", async event => {
  const form = event.target;
  if (!form.matches("form[data-name]")) return;
  event.preventDefault();
  const said = form.querySelector("[role=status]");
  const { name, version } = form.dataset;
  const body = JSON.stringify({ notes: form.notes.value, tags: form.tags.value, version });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch("/api/results/" + name + "/notes", { method: "POST", headers, body }).catch(() => null);
  said.textContent = answer === null ? "The server does not answer; nothing is stored." : answer.ok ? "" : await answer.text();
  if (answer?.ok) {
    for (const field of [form.notes, form.tags]) field.defaultValue = field.value;
    form.closest("details").open = false;
  } else if (answer?.status !== 409) return;
  const page = await look().catch(() => undefined);
  // What is stored is in sight now, so that saving again is meant to replace it.
  const now = page?.querySelector(`form[data-name="${CSS.escape(name)}"]`);
  if (now) form.dataset.version = now.dataset.version;
});

if (table) {
  const tools = document.createElement("p");
  tools.className = "tools";
  tools.append(find, state, tag, document.querySelector("#compare"));
  table.parentElement.before(tools);
  table.after(none);
  find.addEventListener("input", filter);
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (column === 0 || column === head.parentElement.cells.length - 1) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.matches(".number") || column === 2 ? -1 : 1;
      sorted = [column, sorted?.[0] === column ? -sorted[1] : first];
      for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sorted[1] > 0 ? "ascending" : "descending");
      arrange();
    });
  });
  const compare = document.querySelector("#compare button");
  const ticked = () => { compare.disabled = document.querySelectorAll("[name=of]:checked").length < 2; };
  table.addEventListener("change", ticked);
  ticked();
  listTags();
  setTimeout(go, 1000);
}
