"use strict";
// Follows the tournaments that are running, and stores notes and tags.
for (const row of document.querySelectorAll("tr[data-running]")) {
  const look = async () => {
    const answer = await fetch("/api/results/" + row.dataset.name);
    if (!answer.ok) return;
    const now = await answer.json();
    row.querySelector(".games").textContent = `${now.games.toLocaleString("en")} of ${now.planned.toLocaleString("en")}`;
    row.querySelector(".leader").textContent = now.standings[0]?.agent ?? "";
    const left = now.core_seconds_left;
    const minutes = left === null ? "" : `, ${Math.ceil(left / 60).toLocaleString("en")} min of one core left`;
    row.querySelector(".running").textContent = now.state + minutes;
    if (now.running) setTimeout(look, 5000);
    else location.reload();
  };
  setTimeout(look, 1000);
}
for (const form of document.querySelectorAll("form[data-name]")) {
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const body = JSON.stringify({ notes: form.notes.value, tags: form.tags.value });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/api/results/" + form.dataset.name + "/notes", { method: "POST", headers, body });
    if (answer.ok) location.reload();
    else form.querySelector("[role=status]").textContent = await answer.text();
  });
}
