// The engine's module: one function from text to text, typed.

import type * as api from "./api";

/** What can be asked: the question's body and the answer. */
export interface Calls {
  new: [api.NewGame, api.GameText];
  position: [api.AboutGame, api.PositionView];
  effect: [api.AboutAction, api.EffectView];
  patches: [api.Nothing, api.PatchView[]];
  edit: [api.EditPosition, api.GameText];
  check: [api.ReadText, api.ReadGame];
  pgn: [api.WritePgn, api.TextView];
  link: [api.AboutGame, api.TextView];
  decide: [api.AskDecision, api.DecisionView];
  search: [api.StartSearch, api.AnalysisView];
  step: [api.StepSearch, api.AnalysisView];
  tree: [api.AskTree, api.TreeView];
  judge: [api.JudgeGame, api.JudgementView];
  why: [api.AskWhy, api.WhyView];
  regret: [api.AskRegret, api.RegretView];
  agents: [api.Nothing, api.AgentsView];
}

export type Question = keyof Calls;
export type Ask = <Q extends Question>(question: Q, body: Calls[Q][0]) => Calls[Q][1];

interface Exports {
  memory: WebAssembly.Memory;
  start(): void;
  question(length: number): number;
  call(): number;
  answer(): number;
}

/** Starts the module. Its one function from text to text becomes a function from questions to answers; errors are sentences. */
export async function startModule(module: WebAssembly.Module): Promise<Ask> {
  let fault = "";
  const { exports } = await WebAssembly.instantiate(module, {
    page: {
      now: () => performance.now(),
      failed: (at: number, length: number) => {
        fault = new TextDecoder().decode(new Uint8Array(engine.memory.buffer, at, length));
      },
    },
  });
  const engine = exports as unknown as Exports;
  engine.start();
  return (question, body) => {
    const request = new TextEncoder().encode(JSON.stringify({ ask: question, ...body }));
    let answer: { ok?: never; error?: string };
    try {
      const at = engine.question(request.length);
      new Uint8Array(engine.memory.buffer, at, request.length).set(request);
      const length = engine.call();
      answer = JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.answer(), length)));
    } catch (error) {
      throw new Error(fault || (error as Error).message);
    }
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.ok!;
  };
}
