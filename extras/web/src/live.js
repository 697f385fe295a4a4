"use strict";
// Loads the report anew when games have been added, at most every few seconds.
const frame = document.getElementById("report");
const status = document.getElementById("status");
let shown = null, wanted = null, isLoading = true, started = performance.now(), pause = 3000;
const load = () => {
  if (isLoading || wanted === shown) return;
  shown = wanted;
  isLoading = true;
  started = performance.now();
  frame.contentWindow.location.reload();
};
frame.addEventListener("load", () => {
  // A report of many games takes time to make: leave more time between two.
  pause = Math.max(3000, 3 * (performance.now() - started));
  setTimeout(() => { isLoading = false; load(); }, pause);
});
const events = new EventSource(location.pathname.replace(/\/$/, "") + "/events");
events.onmessage = event => {
  wanted = event.data;
  if (shown === null) { shown = wanted; status.textContent = "live"; return; }
  status.textContent = "live, games added at " + new Date().toLocaleTimeString();
  document.body.dataset.updates = 1 + Number(document.body.dataset.updates || 0);
  load();
};
events.onerror = () => { status.textContent = "the server has gone; the report stays as it is"; };
