/**
 * The cost of a run compared with the minimum work for it, each row a ratio measured in one run:
 *
 *   npm run bench:run -- [--pdf <file>] [--rounds 5] [--mebibytes 1024]
 *
 * Everything goes through the engine, as a program or `knack run` uses it. `sha256sum` and `pdftotext` (poppler-utils) are
 * measured as processes. The two ways alternate; the figures are medians, with the ratio of the fastest times beside them.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Engine, openEngine } from "@knack/engine";
import { cpuSeconds, descendants } from "../../test/attack/bombs/meter.ts";
import { nestedForms } from "../../test/attack/bombs/pdf-bombs.ts";
import { PROGRAM } from "../../test/cli/run.ts";
import { compare, report } from "./compare.ts";
import { makePages, writeLarge } from "./files.ts";
import { openRecorder } from "./record-run.ts";

const { values } = parseArgs({
  options: {
    mebibytes: { type: "string", default: "1024" },
    pages: { type: "string", default: "300" },
    pdf: { type: "string" },
    rounds: { type: "string", default: "5" },
    many: { type: "string", default: "1000" },
  },
});
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));

/** An engine with a new project and database: nothing is cached. */
async function newEngine(): Promise<{
  readonly engine: Engine;
  readonly root: string;
  readonly database: string;
}> {
  const root = mkdtempSync(join(folder, "project-"));
  mkdirSync(join(root, ".knack"));
  const database = join(root, ".knack", "state.db");
  return {
    engine: await openEngine({ projectRoot: root, registry: [], store: `sqlite:${database}` }),
    root,
    database,
  };
}

async function run(engine: Engine, skill: string, path: string, cached = false) {
  const request = { inputs: [{ path }], params: skill === "text_extract" ? { max_chars: 100_000_000 } : {} };
  const finished = await engine.run(skill, request);
  if (finished.run.error) throw new Error(finished.run.error.message);
  if (finished.cached !== cached) throw new Error(`${skill} was ${cached ? "not " : ""}served from before`);
  return finished.run;
}

/** With a text as large as what is extracted from it, or a small template that makes a large one. */
async function cachedRun(bytes: number, skill: "text_extract" | "template_render"): Promise<void> {
  const { engine, root, database } = await newEngine();
  const path = join(root, "text.md");
  const lines = bytes / 40;
  const line = "All work and no play makes a dull text.\n";
  const template = `{% for i in (1..${lines}) %}${line}{% endfor %}`;
  writeFileSync(path, skill === "text_extract" ? line.repeat(lines) : template);
  const { key, artifacts } = await run(engine, skill, path);
  const [artifact] = artifacts;
  if (artifact?.size_bytes !== bytes) throw new Error("no artifact");
  const db = new DatabaseSync(database);
  const row = db.prepare(
    "SELECT * FROM skill_runs WHERE idempotency_key = ? AND status = 'SUCCEEDED' LIMIT 1",
  );
  const least = (): void => {
    const found = row.get(key);
    const [made] = JSON.parse(String(found?.output_artifacts_json));
    if (hash("sha256", readFileSync(join(root, made.path))) !== artifact.sha256) throw new Error("changed");
  };
  const times = await compare(Number(values.many), () => run(engine, skill, path, true), least);
  const name = `a cached run of ${skill}, artifact of ${bytes} bytes`;
  report(name, times, "reading its row and hashing its artifact", { atMost: 2 });
  db.close();
  await engine.close();
}

/** A skill that only makes evidence, so that only the record is written. */
async function recordedRun(): Promise<void> {
  const { engine, root } = await newEngine();
  const paths = Array.from({ length: Number(values.many) }, (_, n) => join(root, `${n}.txt`));
  for (const [n, path] of paths.entries()) writeFileSync(path, `file ${n}\n`);
  const db = new DatabaseSync(join(root, "bare.db"));
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bare (id INTEGER PRIMARY KEY, text TEXT)",
  );
  const insert = db.prepare("INSERT INTO bare (text) VALUES (?)");
  const bare = (round: number): unknown => insert.run(`row ${round}`);
  const recorder = await openRecorder(join(root, "record.db"));
  const recorded = await compare(paths.length, () => recorder.record(), bare);
  report("recording a run", recorded, "a bare durable commit", { atLeast: 0.5 });
  await recorder.close();
  await run(engine, "file_fingerprint", paths[0] ?? "");
  const times = await compare(
    paths.length - 1,
    (round) => run(engine, "file_fingerprint", paths[round + 1] ?? ""),
    bare,
  );
  report("all of such a run", times, "a bare durable commit", { atLeast: 0.5 });
  db.close();
  await engine.close();
}

async function fingerprint(): Promise<void> {
  const path = join(folder, "large");
  const sha256 = writeLarge(path, Number(values.mebibytes));
  const before = process.memoryUsage().rss;
  const times = await compare(
    rounds,
    async () => {
      const { engine } = await newEngine();
      const { evidences } = await run(engine, "file_fingerprint", path);
      if (evidences[0]?.data.sha256 !== sha256) throw new Error("wrong digest");
      await engine.close();
    },
    () => execFileSync("sha256sum", [path]),
  );
  report(`file_fingerprint of ${values.mebibytes} MiB`, times, "sha256sum", { atLeast: 0.9 });
  console.log(`  memory grew by ${((process.memoryUsage().rss - before) / (1 << 20)).toFixed(0)} MiB`);
  rmSync(path);
}

async function extract(name: string, path: string): Promise<void> {
  const once = async (): Promise<void> => {
    const { engine } = await newEngine();
    await run(engine, "text_extract", path);
    await engine.close();
  };
  // The first call loads the PDF reader.
  await once();
  const times = await compare(rounds, once, () =>
    execFileSync("pdftotext", [path, join(folder, "pages.txt")]),
  );
  report(`text_extract of ${name}`, times, "pdftotext", { atMost: 3 });
}

/** From Ctrl-C to the end of `knack run`, in the middle of a file that never ends. */
async function interrupted(): Promise<void> {
  const { root } = await newEngine();
  writeFileSync(join(root, "forms.pdf"), nestedForms(30));
  const child = spawn(process.execPath, [PROGRAM, "run", "text_extract", "--input", "forms.pdf"], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root },
    stdio: "ignore",
  });
  while (!descendants(child.pid ?? 0).some((pid) => cpuSeconds(pid) >= 1)) await wait(20);
  const begun = performance.now();
  child.kill("SIGINT");
  await once(child, "exit");
  console.log(`Ctrl-C to the end: ${(performance.now() - begun).toFixed(0)} ms, goal: at most 2000`);
}

try {
  for (const bytes of [4_000, 100_000, 1_000_000]) await cachedRun(bytes, "text_extract");
  for (const bytes of [100_000, 1_000_000]) await cachedRun(bytes, "template_render");
  await recordedRun();
  await interrupted();
  await fingerprint();
  if (spawnSync("pdftotext", ["-v"]).error) console.log("text_extract: no pdftotext here to compare with");
  else {
    const generated = join(folder, "pages.pdf");
    writeFileSync(generated, makePages(Number(values.pages)));
    await extract(`${values.pages} generated pages`, generated);
    if (values.pdf) await extract(values.pdf, values.pdf);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
