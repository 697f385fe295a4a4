// The engine: the rules on the page's own thread, searches in workers.

import type * as api from "./api";
import { startModule, type Answer, type Ask, type Asked, type Question, type RulesQuestion } from "./module";
import { AGAIN, hasServer } from "./server";
import workerSource from "worker-source";

/** Loads the script that carries a module. A script works from a disk, too, where nothing can be fetched. */
const script = (src: string): Promise<string> => new Promise((resolve, reject) => {
  const script = Object.assign(document.createElement("script"), { src });
  script.onload = () => resolve((globalThis as unknown as { PATCHWORK_MODULE: string }).PATCHWORK_MODULE);
  script.onerror = () => reject(new Error(`${src} is missing beside this page`));
  document.head.append(script);
});

async function unpack(text: string): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Loads and unpacks a module. A server sends the module itself, which takes fewer bytes. */
const load = async (name: "rules" | "engine"): Promise<WebAssembly.Module> =>
  hasServer() ? WebAssembly.compileStreaming(fetch(`${name}.wasm`)) : unpack(await script(`${name}.js`));

export interface Engine {
  readonly ask: Ask<RulesQuestion>; readonly worker: () => Thinker;
  /** Loads what the workers need, unless it is there. */ readonly load: () => Promise<WebAssembly.Module>;
}

/** Loads the rules. The agents, which are five times as large, are loaded when they are needed. */
export async function startEngine(): Promise<Engine> {
  let agents: Promise<WebAssembly.Module> | null = null;
  const loadAgents = (): Promise<WebAssembly.Module> => agents ??= load("engine").catch(async (error: Error) => {
    agents = null;
    if (!hasServer()) throw error;
    await new Promise((done) => setTimeout(done, AGAIN));
    return loadAgents();
  });
  return { ask: await startModule(await load("rules")), load: loadAgents, worker: () => new Thinker(loadAgents) };
}

/** What a worker is told, and what it tells. */
export type Order =
  | { kind: "start"; module: WebAssembly.Module }
  | { kind: "ask"; id: number; question: Question; body: unknown }
  | { kind: "analyse"; id: number; start: api.StartSearch; iterations: number; top: number }
  | { kind: "halt" };
export type Told =
  | { kind: "answer"; id: number; ok: unknown }
  | { kind: "error"; id: number; error: string }
  | { kind: "analysis"; id: number; analysis: api.AnalysisView };

/** A worker with an engine of its own. It can be stopped at any time: by an order between two steps, or for good. */
export class Thinker {
  private worker: Worker | null = null; private count = 0;
  private readonly waiting = new Map<number, { resolve: (ok: unknown) => void; reject: (error: Error) => void }>();
  private listener: { id: number; call: (analysis: api.AnalysisView) => void } | null = null;

  constructor(private readonly load: Engine["load"]) {}

  private order(order: Order): void {
    if (!this.worker) {
      const address = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
      const worker = new Worker(address);
      this.worker = worker;
      URL.revokeObjectURL(address);
      worker.onmessage = ({ data }: MessageEvent<Told>) => this.hear(data);
      this.load().then((module) => worker.postMessage({ kind: "start", module } satisfies Order),
        ({ message }: Error) => this.worker === worker && this.end(message));
    }
    this.worker.postMessage(order);
  }

  private hear(told: Told): void {
    if (told.kind === "analysis") {
      if (this.listener?.id === told.id) this.listener.call(told.analysis);
      return;
    }
    const waiting = this.waiting.get(told.id);
    this.waiting.delete(told.id);
    if (told.kind === "answer") waiting?.resolve(told.ok);
    else waiting?.reject(new Error(told.error));
  }

  ask<Q extends keyof api.Searches>(question: Q, body: Asked<Q>): Promise<Answer<Q>> {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (ok: unknown) => void, reject });
      this.order({ kind: "ask", id, question, body });
    });
  }

  /** Searches a position up to a number of iterations and tells what is known, several times a second. */
  analyse(start: api.StartSearch, iterations: number, top: number, call: (analysis: api.AnalysisView) => void): void {
    const id = ++this.count;
    this.listener = { id, call };
    this.order({ kind: "analyse", id, start, iterations, top });
  }

  /** Ends an analysis. The tree stays and can be walked. */
  halt(): void {
    this.listener = null;
    if (this.worker) this.order({ kind: "halt" });
  }

  /** Ends the worker, whatever it is doing. The next question starts another. */
  end(why = "stopped"): void {
    this.worker?.terminate();
    this.worker = null;
    this.listener = null;
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
  }
}
