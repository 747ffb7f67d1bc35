/**
 * The built-in skills against the tools that do the same, in one run, as ratios:
 *
 *   npm run bench:builtin -- [--pdf <file>]
 *
 * `sha256sum` and `pdftotext` (poppler-utils) are measured as processes, the skills in this one, as the engine runs them.
 * Rounds alternate, so that a busy moment of the machine meets both; the figures are medians.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BUILTIN_SKILLS } from "../../packages/engine/src/builtin/index.ts";
import { makePdf } from "../../packages/engine/src/builtin/testing/make-pdf.ts";

const { values } = parseArgs({
  options: {
    mebibytes: { type: "string", default: "1024" },
    pages: { type: "string", default: "300" },
    pdf: { type: "string" },
    rounds: { type: "string", default: "5" },
  },
});
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));

async function run(name: string, path: string): Promise<unknown> {
  const artifactsDir = mkdtempSync(join(folder, "artifacts-"));
  const builtin = BUILTIN_SKILLS.get(name);
  const output = await builtin?.run({
    inputs: [{ role: "input", kind: "FILE", path, sha256: "", size_bytes: statSync(path).size }],
    params: { max_chars: 100_000_000 },
    artifactsDir,
    taskId: "bench",
    signal: new AbortController().signal,
    log: () => {},
  });
  if (output?.status !== "SUCCEEDED") throw new Error(output?.error?.message ?? `no skill ${name}`);
  return output.evidences[0]?.data.sha256;
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function compare(
  ours: () => unknown,
  theirs: () => unknown,
): Promise<{ ours: number; theirs: number }> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.theirs.push(await timed(theirs));
    times.ours.push(await timed(ours));
  }
  return { ours: median(times.ours), theirs: median(times.theirs) };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

async function fingerprint(): Promise<void> {
  const path = join(folder, "large");
  const block = randomBytes(1 << 20);
  const hash = createHash("sha256");
  const file = openSync(path, "w");
  for (let written = 0; written < Number(values.mebibytes); written++) {
    writeSync(file, block);
    hash.update(block);
  }
  closeSync(file);
  const expected = hash.digest("hex");
  const before = process.memoryUsage().rss;
  const { ours, theirs } = await compare(
    async () => {
      if ((await run("file_fingerprint", path)) !== expected) throw new Error("wrong digest");
    },
    () => execFileSync("sha256sum", [path]),
  );
  const grown = (process.memoryUsage().rss - before) / (1 << 20);
  const size = Number(values.mebibytes);
  console.log(`file_fingerprint of ${size} MiB: ${rate(size, ours)}, sha256sum ${rate(size, theirs)}`);
  console.log(
    `  ${(theirs / ours).toFixed(2)} of its speed (goal: at least 0.9), memory grew by ${grown.toFixed(0)} MiB`,
  );
  rmSync(path);
}

function rate(mebibytes: number, ms: number): string {
  return `${((mebibytes / ms) * 1000).toFixed(0)} MiB/s`;
}

async function extract(): Promise<void> {
  if (spawnSync("pdftotext", ["-v"]).error) {
    console.log(
      "text_extract: pdftotext is not installed (poppler-utils), so there is nothing to compare with",
    );
    return;
  }
  await compareExtraction(generatedPdf(), `${values.pages} generated pages, no font in the file`);
  if (values.pdf) await compareExtraction(values.pdf, values.pdf);
}

function generatedPdf(): string {
  const path = join(folder, "pages.pdf");
  const words =
    "the quarterly report says that revenue grew while costs stayed flat 第三季度收入增长 売上".split(" ");
  const line = (n: number): string =>
    Array.from({ length: 11 }, (_, at) => words[(n * 7 + at * 3) % words.length]).join(" ");
  const pages = Array.from({ length: Number(values.pages) }, (_, page) =>
    Array.from({ length: 50 }, (_, row) => line(page * 50 + row)),
  );
  writeFileSync(path, makePdf(pages, { compress: true }));
  return path;
}

async function compareExtraction(path: string, name: string): Promise<void> {
  const first = await timed(() => run("text_extract", path));
  const { ours, theirs } = await compare(
    () => run("text_extract", path),
    () => execFileSync("pdftotext", [path, join(folder, "pages.txt")]),
  );
  console.log(`text_extract of ${name}: ${ours.toFixed(0)} ms, pdftotext ${theirs.toFixed(0)} ms`);
  console.log(
    `  ${(ours / theirs).toFixed(2)} x its time (goal: at most 3), the first call ${first.toFixed(0)} ms`,
  );
}

try {
  await fingerprint();
  await extract();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
