// The engine's module: one function from text to text, typed.

import type * as api from "./api";

type Messages = api.Rules & api.Searches;
export type Question = keyof Messages;
export type Asked<Q extends Question> = Messages[Q]["ask"];
export type Answer<Q extends Question> = Messages[Q]["answer"];
/** The questions that the module with the rules answers; the other one has those of searches. */
export type RulesQuestion = keyof api.Rules;
export type Ask<All extends Question = Question> = <Q extends All>(question: Q, body: Asked<Q>) => Answer<Q>;

interface Exports {
  memory: WebAssembly.Memory; start(): void; question(length: number): number; call(): number; answer(): number;
}

/** Starts the module. Its one function from text to text becomes a function from questions to answers; errors are
 * sentences. */
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
