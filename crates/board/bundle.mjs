// Packs what `build` has compiled into dist/: `node bundle.mjs engine`, `node bundle.mjs pages`.
// dist/manifest.json says by which compiler and from which sources the files were made; tests compare it.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, crc32, deflateRawSync, gzipSync } from "node:zlib";

const board = import.meta.dirname;
const [page, dist] = [join(board, "page"), join(board, "dist")];
const compiled = join(board, "../../target/board-wasm");
const MODULES = ["rules", "engine"];

mkdirSync(dist, { recursive: true });
const manifestPath = join(dist, "manifest.json");
const manifest = existsSync(manifestPath) ? JSON.parse(readFileSync(manifestPath, "utf8")) : {};

const hex = (number) => number.toString(16).padStart(8, "0");

/** What a module answers to the questions of the tests, without times. */
function answers(module) {
  const input = readFileSync(join(board, "tests/questions.jsonl"));
  const out = execFileSync(process.execPath, [join(board, "answer.mjs"), module], { input, maxBuffer: 1 << 28 });
  return hex(crc32(out.toString().replace(/"milliseconds":[^,}]*/g, "")));
}

/** The sources of the pages: the CRC of the names and contents of all files, in order. */
function pageSources() {
  let sum = 0;
  for (const name of readdirSync(page).filter((name) => !name.includes(".test.")).sort()) {
    sum = crc32(readFileSync(join(page, name)), crc32(name, sum));
  }
  return hex(sum);
}

/** Bytes as servers send them: a module is a fifth smaller than deflated, a page an eighth. */
function packedByBrotli(bytes) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}

function engine() {
  for (const name of MODULES) {
    const module = readFileSync(join(compiled, `${name}.wasm`));
    writeFileSync(join(dist, `${name}.deflate`), deflateRawSync(module, { level: 9, memLevel: 9 }));
    writeFileSync(join(dist, `${name}.br`), packedByBrotli(module));
  }
  manifest.compiler = process.env.COMPILER;
  manifest.answers = Object.fromEntries(MODULES.map((name) => [name, answers(join(compiled, `${name}.wasm`))]));
}

async function pages() {
  const { build } = await import("esbuild");
  const common = { bundle: true, minify: true, target: "es2022", charset: "utf8", legalComments: "none" };
  const text = async (entry) => {
    const { outputFiles } = await build({ ...common, entryPoints: [join(page, entry)], format: "iife", write: false });
    return outputFiles[0].text;
  };
  const worker = {
    name: "worker-source",
    setup(build) {
      build.onResolve({ filter: /^worker-source$/ }, () => ({ path: "worker", namespace: "worker" }));
      build.onLoad({ filter: /.*/, namespace: "worker" }, async () => ({ contents: await text("worker.ts"), loader: "text" }));
    },
  };
  for (const [entry, name] of [["main.ts", "board.js"], ["viewer.ts", "viewer.js"]]) {
    await build({ ...common, entryPoints: [join(page, entry)], format: "iife", outfile: join(dist, name), plugins: [worker] });
  }
  for (const name of ["board.css", "viewer.css"]) {
    const [{ text }] = (await build({ ...common, entryPoints: [join(page, name)], write: false })).outputFiles;
    // A report's page has names of its own, which the viewer's rules must not reach.
    writeFileSync(join(dist, name), name === "viewer.css" ? `@scope (#viewer){${text.trim()}}\n` : text);
  }
  for (const name of ["board.js", "board.css"]) {
    writeFileSync(join(dist, `${name}.br`), packedByBrotli(readFileSync(join(dist, name))));
  }
  copyFileSync(join(page, "index.html"), join(dist, "index.html"));
  manifest.page = pageSources();
}

await { engine, pages }[process.argv[2]]();
manifest.files = Object.fromEntries(
  readdirSync(dist)
    .filter((name) => name !== basename(manifestPath))
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(dist, name));
      return [name, { bytes: statSync(join(dist, name)).size, gzip: gzipSync(bytes, { level: 9 }).length }];
    }),
);
writeFileSync(manifestPath, JSON.stringify(manifest, null, 2) + "\n");
for (const [name, { bytes, gzip }] of Object.entries(manifest.files)) {
  console.log(`${name.padEnd(16)} ${bytes} bytes, ${gzip} with gzip`);
}
