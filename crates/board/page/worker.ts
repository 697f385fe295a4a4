// The worker's side: answers questions, and searches in slices so that it hears orders between them.

import type { Order, Told } from "./engine";
import { startModule, type Ask } from "./module";

const SLICE = 40;
const REPORT = 150;

let start: (ask: Promise<Ask>) => void;
/** Orders that come before the module wait for it. */
const ask = new Promise<Ask>((resolve) => { start = resolve; });
/** The analysis that goes on, and when it was reported last. */
let current: (Extract<Order, { kind: "analyse" }> & { reported: number }) | null = null;
const tell = (told: Told) => postMessage(told);

/** Does something with the engine; a question that fails is answered by why. */
async function attempt(id: number, call: (engine: Ask) => void): Promise<void> {
  try {
    call(await ask);
  } catch (error) {
    tell({ kind: "error", id, error: (error as Error).message });
  }
}

// A message to itself is heard after those that wait, without the delay that timers have.
const channel = new MessageChannel();
channel.port1.onmessage = ({ data: id }: MessageEvent<number>) => attempt(id, (engine) => {
  if (current?.id !== id) return;
  const analysis = engine("step", { milliseconds: SLICE, top: current.top });
  const done = analysis.ended || analysis.iterations >= current.iterations;
  if (done || performance.now() - current.reported > REPORT) {
    current.reported = performance.now();
    tell({ kind: "analysis", id, analysis: { ...analysis, ended: done } });
  }
  if (!done) channel.port2.postMessage(id);
});

self.onmessage = ({ data }: MessageEvent<Order>) => {
  if (data.kind === "start") return start(startModule(data.module));
  current = data.kind === "analyse" ? { ...data, reported: -REPORT } : data.kind === "halt" ? null : current;
  if (data.kind === "halt") return undefined;
  return attempt(data.id, (engine) => {
    if (data.kind === "ask") return tell({ kind: "answer", id: data.id, ok: engine(data.question, data.body as never) });
    if (current?.id !== data.id) return;
    engine("search", data.start);
    channel.port2.postMessage(data.id);
  });
};
