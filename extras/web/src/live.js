"use strict";
// Shows the report anew when games have been added, at most every few seconds: it is loaded beside the one that is
// shown, gets what the reader has opened, sorted, filtered and scrolled to, and takes its place.
const status = document.getElementById("status");
let frame = document.getElementById("report");
let shown = null, wanted = null, isLoading = true, started = performance.now(), pause = 3000;

const all = (root, selector) => [...root.querySelectorAll(selector)];
/** The parts of a report by their names, which stay the same while games are added. */
function parts(root, selector, nameOf) {
  const named = new Map();
  for (const part of all(root, selector)) {
    const name = nameOf(part) ?? "";
    let free = name;
    for (let i = 2; named.has(free); i++) free = `${name} ${i}`;
    named.set(free, part);
  }
  return named;
}
const captions = root => parts(root, "table", table => table.caption?.textContent ?? table.closest("[id]")?.id);
const boxes = root => parts(root, ".box, .plot-box, .scroller", box => box.querySelector("caption")?.textContent ?? box.closest("[id]")?.id);
const folded = root => parts(root, "details", part => part.id || part.querySelector("summary")?.textContent.replace(/[\d.,]+/g, ""));
const fields = root => parts(root, "input[type=search], #viewer select", field => field.getAttribute("aria-label") ?? field.dataset.part);

/** Gives a report what the reader has done with the one before. */
function carry(before, now) {
  const each = (named, call) => {
    const old = named(before.document);
    for (const [name, part] of named(now.document)) if (old.has(name)) call(old.get(name), part);
  };
  each(folded, (old, part) => { part.open = old.open; });
  each(captions, (old, table) => {
    const heads = all(old, "thead th");
    const at = heads.findIndex(head => head.hasAttribute("aria-sort"));
    const head = at < 0 ? null : all(table, "thead th")[at];
    for (let i = 0; i < 2 && head && head.getAttribute("aria-sort") !== heads[at].getAttribute("aria-sort"); i++) {
      head.querySelector("button")?.click();
    }
  });
  each(fields, (old, field) => {
    if (old.value === field.value || (field.options && ![...field.options].some(one => one.value === old.value))) return;
    field.value = old.value;
    for (const kind of ["input", "change"]) field.dispatchEvent(new now.Event(kind, { bubbles: true }));
  });
  each(boxes, (old, box) => box.scrollTo(old.scrollLeft, old.scrollTop));
  now.scrollTo({ left: before.scrollX, top: before.scrollY, behavior: "instant" });
}

function load() {
  if (isLoading || wanted === shown) return;
  shown = wanted;
  isLoading = true;
  started = performance.now();
  const next = frame.cloneNode();
  next.removeAttribute("id");
  next.className = "waits";
  const rest = () => {
    // A report of many games takes time to make: leave more time between two.
    pause = Math.max(3000, 3 * (performance.now() - started));
    setTimeout(() => { isLoading = false; load(); }, pause);
  };
  next.addEventListener("load", () => {
    rest();
    // What is not a report, such as a sentence of a server that is busy, does not take its place.
    if (!next.contentDocument?.querySelector("main, section")) { next.remove(); shown = null; return; }
    carry(frame.contentWindow, next.contentWindow);
    next.className = "";
    next.id = frame.id;
    frame.remove();
    frame = next;
  }, { once: true });
  frame.after(next);
}

if (location.hash) frame.src += location.hash;
frame.addEventListener("load", () => { setTimeout(() => { isLoading = false; load(); }, pause); }, { once: true });
const path = location.pathname.replace(/\/$/, "");
let known = null, isAsked = false;

/** Says how far the tournament is; when it begins or ends, other commands go on with it. Returns whether it runs. */
async function tell() {
  const { now, says } = await asked(path.split("/").pop());
  const leader = now.running && now.standings[0] ? `; ${now.standings[0].agent} leads` : "";
  status.textContent = says + leader;
  if (known !== null && known !== now.state) {
    const page = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
    document.getElementById("commands").replaceWith(page.getElementById("commands"));
  }
  known = now.state;
  return now.running;
}

/** Asks again and again while the tournament runs. A request that fails changes nothing. */
async function goOn() {
  isAsked = true;
  if (await tell().catch(() => true)) setTimeout(goOn, PAUSE);
  else isAsked = false;
}

const events = new EventSource(path + "/events");
events.onmessage = event => {
  wanted = event.data;
  if (!isAsked) void goOn();
  if (shown === null) { shown = wanted; return; }
  document.body.dataset.updates = 1 + Number(document.body.dataset.updates || 0);
  load();
};
events.onerror = () => { status.textContent = "the server does not answer; the report stays as it is"; };
