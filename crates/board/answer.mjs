// Answers the questions of a page, one a line, by a WebAssembly module: node answer.mjs dist/engine.deflate
// The tests compare the answers with those of examples/answer.rs.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { brotliDecompressSync, inflateRawSync } from "node:zlib";

/** The bytes of the module in a file: WebAssembly, or packed as in dist. */
function moduleIn(path) {
  const bytes = readFileSync(path);
  if (path.endsWith(".br")) return brotliDecompressSync(bytes);
  return path.endsWith(".deflate") ? inflateRawSync(bytes) : bytes;
}

const { instance } = await WebAssembly.instantiate(moduleIn(process.argv[2]), {
  page: {
    now: () => performance.now(),
    failed: (at, length) => console.error(Buffer.from(memory.buffer, at, length).toString()),
  },
});
const { memory, start, question, call, answer } = instance.exports;
start();
for await (const line of createInterface({ input: process.stdin })) {
  const asked = Buffer.from(line);
  const at = question(asked.length);
  new Uint8Array(memory.buffer, at, asked.length).set(asked);
  const length = call();
  process.stdout.write(Buffer.from(memory.buffer, answer(), length).toString() + "\n");
}
