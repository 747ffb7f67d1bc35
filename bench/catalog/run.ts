/**
 * The speed of the catalog, as ratios measured in one run: `npm run bench [-- --skills 10000 --rounds 7]`.
 *
 * Each measurement is a new process. The kinds alternate, so that a slow moment of the machine affects all of them, and the
 * median counts. Peers are measured if `npm ci --prefix bench/peers` has installed them.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { generateHome, generateSkills } from "./generate.ts";

const { values } = parseArgs({
  options: {
    skills: { type: "string", default: "10000" },
    rounds: { type: "string", default: "7" },
    large: { type: "string", default: "100000" },
  },
});
const SKILLS = Number(values.skills);
const LARGE = Number(values.large);
const ROUNDS = Number(values.rounds);
const PEERS = ["pi", "gemini", "deepagents", "codex"];

interface Measured {
  readonly ms: number;
  readonly count: number;
  readonly rssMb: number;
}

const repository = join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "knack-bench-"));
const skills = join(folder, "skills");
const cache = join(folder, "cache");

function measure(what: string, root: string, ...more: string[]): Measured {
  // Without the source condition: the built library, as users have it.
  const output = execFileSync(
    process.execPath,
    [join(import.meta.dirname, "measure.ts"), what, root, ...more],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 1 << 26,
    },
  );
  return JSON.parse(output.trim().split("\n").at(-1) ?? "") as Measured;
}

function median(values_: readonly number[]): number {
  return values_.toSorted((a, b) => a - b)[values_.length >> 1] ?? Number.NaN;
}

function rounds(kinds: Readonly<Record<string, () => Measured>>, count = ROUNDS): Record<string, Measured> {
  const all: Record<string, Measured[]> = {};
  for (const kind of Object.keys(kinds)) all[kind] = [];
  for (let round = 0; round < count; round++) {
    for (const [kind, run] of Object.entries(kinds)) all[kind]?.push(run());
  }
  return Object.fromEntries(
    Object.entries(all).map(([kind, list]) => {
      const rssMb = Math.max(...list.map((one) => one.rssMb));
      return [kind, { ms: median(list.map((one) => one.ms)), count: list[0]?.count ?? 0, rssMb }];
    }),
  );
}

function seconds(command: readonly string[], cwd: string): number {
  const started = performance.now();
  const { status } = spawnSync(command[0] ?? "", command.slice(1), {
    cwd,
    stdio: "ignore",
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}`);
  return performance.now() - started;
}

const rows: string[][] = [];
const row = (work: string, against: string, figure: string, goal: string, holds: boolean): void => {
  rows.push([work, against, figure, goal, holds ? "yes" : "NO"]);
};
const ms = (value: number): string => `${value.toFixed(0)} ms`;

try {
  console.log(
    `Node ${process.version}, ${cpus().length} cores, ${SKILLS} skills, median of ${ROUNDS} rounds`,
  );
  generateSkills(skills, SKILLS);
  measure("list-and-read", skills);
  const peers = existsSync(join(repository, "bench", "peers", "node_modules")) ? PEERS : [];

  const first = rounds({
    loop: () => measure("list-and-read", skills),
    knack: () => measure("open", skills),
    "knack, writing its index": () => {
      rmSync(cache, { recursive: true, force: true });
      return measure("open", skills, cache);
    },
    ...Object.fromEntries(peers.map((name) => [name, () => measure(name, skills)])),
  });
  for (const [kind, { ms: time, count, rssMb }] of Object.entries(first)) {
    console.log(
      `  first look: ${kind.padEnd(26)} ${ms(time).padStart(8)}  ${count} skills, ${rssMb.toFixed(0)} MB`,
    );
  }
  const cold = first.knack!;
  const saved = first["knack, writing its index"]!;
  const loop = first.loop!;
  const ratio = (a: Measured, b: Measured): string => `${(a.ms / b.ms).toFixed(2)} x`;
  row(
    "first look, no index",
    `list and read, ${ms(loop.ms)}`,
    `${ms(cold.ms)}, ${ratio(cold, loop)}`,
    "<= 1.5 x",
    cold.ms <= 1.5 * loop.ms,
  );
  row(
    "first look, index written",
    `list and read, ${ms(loop.ms)}`,
    `${ms(saved.ms)}, ${ratio(saved, loop)}`,
    "<= 1.5 x",
    saved.ms <= 1.5 * loop.ms,
  );
  const complete = peers.filter((name) => first[name]?.count === SKILLS);
  const fastest = complete.toSorted((a, b) => first[a]!.ms - first[b]!.ms)[0];
  if (fastest) {
    const best = first[fastest]!;
    row(
      "first look, no index",
      `${fastest}, ${ms(best.ms)}`,
      `${(best.ms / cold.ms).toFixed(2)} x faster`,
      ">= 5 x",
      best.ms >= 5 * cold.ms,
    );
  }

  measure("open", skills, cache);
  const second = rounds({ stat: () => measure("stat", skills), knack: () => measure("open", skills, cache) });
  const { stat, knack: warm } = second as { stat: Measured; knack: Measured };
  row(
    "second look, another process",
    `stat, ${ms(stat.ms)}`,
    `${ms(warm.ms)}, ${ratio(warm, stat)}`,
    "<= 1.5 x",
    warm.ms <= 1.5 * stat.ms,
  );

  const many = join(folder, "many");
  generateSkills(many, LARGE);
  measure("list-and-read", many);
  const large = rounds({ small: () => measure("open", skills), large: () => measure("open", many) }, 3);
  const { small, large: big } = large as { small: Measured; large: Measured };
  row(
    `${LARGE} skills`,
    `${SKILLS}, ${ms(small.ms)}`,
    `${ms(big.ms)}, ${ratio(big, small)}`,
    "<= 12 x",
    big.ms <= 12 * small.ms,
  );
  row(`${LARGE} skills`, "memory", `${big.rssMb.toFixed(0)} MB`, "< 400 MB", big.rssMb < 400);
  if (big.count !== LARGE) throw new Error(`${big.count} of ${LARGE} skills were found`);

  for (const count of [62, SKILLS]) {
    const home = join(folder, `home-${count}`);
    generateHome(home, count);
    const looks = rounds({
      loop: () => measure("list-and-read", home),
      knack: () => measure("open-home", home),
    });
    const { loop: read, knack: opened } = looks as { loop: Measured; knack: Measured };
    row(
      `home with all agents' folders, ${count} skills`,
      `list and read, ${read.ms.toFixed(1)} ms`,
      `${opened.ms.toFixed(1)} ms, ${ratio(opened, read)}`,
      "<= 1.5 x",
      opened.ms <= 1.5 * read.ms,
    );
    if (opened.count !== count) throw new Error(`${opened.count} of ${count} skills were found`);
  }

  const project = join(folder, "project");
  generateSkills(join(project, ".agents", "skills"), 1000);
  const list = [process.execPath, join(repository, "packages", "knack", "bin", "knack.js"), "list"];
  for (let i = 0; i < 3; i++) seconds(list, project);
  const turns = Array.from({ length: ROUNDS * 2 }, () => [
    seconds([process.execPath, "-e", "0"], project),
    seconds(list, project),
  ]);
  const bare = median(turns.map(([a = 0]) => a));
  const listed = median(turns.map(([, b = 0]) => b));
  row(
    "knack list, 1000 skills",
    `node -e 0, ${ms(bare)}`,
    `${ms(listed)}, ${(listed / bare).toFixed(2)} x`,
    "<= 3 x",
    listed <= 3 * bare,
  );

  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((cells) => cells[i]?.length ?? 0)));
  console.log();
  for (const cells of rows) console.log(cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
