/**
 * One measurement in its own process: `node measure.ts <what> <root> [cache]`. Prints `{ms, count, rssMb}`; the time
 * excludes process start and loading the code.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openCatalog } from "@knack/core";

const [what = "", root = "", cache] = process.argv.slice(2);

/** The lower bound of a first scan: list every folder, read every file. */
function listAndRead(folder: string): number {
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) count += listAndRead(join(folder, entry.name));
    else if (entry.name === "SKILL.md") count += readFileSync(join(folder, entry.name)).length > 0 ? 1 : 0;
  }
  return count;
}

/** The lower bound of a second scan: stat every folder and file. */
function statAll(names: readonly string[]): number {
  let count = 0;
  for (const name of names) {
    statSync(join(root, name));
    if (statSync(join(root, name, "SKILL.md")).size > 0) count++;
  }
  return count;
}

/** A home with the folders of all clients: `root` is the home, with a project in it. */
async function openHome(): Promise<number> {
  const place = { cwd: join(root, "project"), home: root, env: {}, cache: cache ?? false } as const;
  return (await openCatalog(place)).skills.length;
}

async function open(): Promise<number> {
  const catalog = await openCatalog({
    cwd: root,
    roots: [{ path: root }],
    cache: cache ?? false,
    env: {},
    home: root,
  });
  return catalog.skills.length;
}

const work: Record<string, () => Promise<() => number | Promise<number>>> = {
  "list-and-read": async () => () => listAndRead(root),
  stat: async () => {
    const names = readdirSync(root);
    return () => statAll(names);
  },
  open: async () => open,
  "open-home": async () => openHome,
};
const peer = async (): Promise<() => Promise<number>> => {
  const { load } = await import(`../peers/${what}.mjs`);
  return () => load(root);
};

const run = await (work[what] ?? peer)();
const started = performance.now();
const count = await run();
const ms = performance.now() - started;
console.log(
  JSON.stringify({
    ms,
    count,
    rssMb: process.memoryUsage.rss() / 1e6,
    peakMb: process.resourceUsage().maxRSS / 1e3,
  }),
);
