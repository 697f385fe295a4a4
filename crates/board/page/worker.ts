// The worker's side: answers questions, and searches in slices so that it hears orders between them.

import type { Order, Told } from "./engine";
import { startModule, type Ask } from "./module";

const SLICE = 40;
const REPORT = 150;

let start: (ask: Promise<Ask>) => void;
/** Orders that come before the module wait for it. */
const ask = new Promise<Ask>((resolve) => { start = resolve; });
let current: { id: number; iterations: number; top: number } | null = null;
const tell = (told: Told) => postMessage(told);

// A message to itself is heard after those that wait, without the delay that timers have.
const channel = new MessageChannel();
let next: (() => void) | null = null;
channel.port1.onmessage = () => next?.();

async function search(id: number): Promise<void> {
  const engine = await ask;
  let reported = 0;
  next = () => {
    if (!current || current.id !== id) return;
    try {
      const analysis = engine("step", { milliseconds: SLICE, top: current.top });
      const done = analysis.ended || analysis.iterations >= current.iterations;
      const now = performance.now();
      if (done || reported === 0 || now - reported > REPORT) {
        reported = now;
        tell({ kind: "analysis", id, analysis: { ...analysis, ended: done } });
      }
      if (!done) channel.port2.postMessage(0);
    } catch (error) {
      tell({ kind: "error", id, error: (error as Error).message });
    }
  };
  channel.port2.postMessage(0);
}

self.onmessage = async ({ data }: MessageEvent<Order>) => {
  switch (data.kind) {
    case "start":
      start(startModule(data.module));
      return;
    case "halt":
      current = null;
      return;
    case "ask":
      try {
        const engine = await ask;
        tell({ kind: "answer", id: data.id, ok: engine(data.question, data.body as never) });
      } catch (error) {
        tell({ kind: "error", id: data.id, error: (error as Error).message });
      }
      return;
    case "analyse":
      current = { id: data.id, iterations: data.iterations, top: data.top };
      try {
        const engine = await ask;
        if (current?.id !== data.id) return;
        engine("search", data.start);
        void search(data.id);
      } catch (error) {
        tell({ kind: "error", id: data.id, error: (error as Error).message });
      }
  }
};
