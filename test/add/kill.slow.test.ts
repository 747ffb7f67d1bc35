import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, knack, PROGRAM, REPO } from "../cli/run.ts";
import { canTrace, killedAt } from "../killed-at.ts";
import { change, makeSources } from "./add-project.ts";

const MINUTES = 60_000;
const TRUST = { KNACK_TRUST: "all" };
const FROM_FOLDER = ["add", "../src", "--yes", "--for", "claude"];
const DATA_FILES = 2;

/** A source whose skill `one` has several files, so that it can be half copied. */
function makeSource(): ReturnType<typeof makeSources> {
  const data = Array.from({ length: DATA_FILES }, (_, i) => [
    `src/skills/one/data/${i}.txt`,
    `${i}\n`.repeat(500),
  ]);
  return makeSources(Object.fromEntries(data));
}

const versionFiles = (version: number): Readonly<Record<string, string>> => ({
  "skills/one/notes.md": `version ${version}\n`,
  "skills/two/SKILL.md": skillText("two", `Version ${version}.`),
});

/** What is in a skill's folder, byte for byte. */
function contentOf(folder: Folder, name: string): string {
  const root = folder.at(REPO, name);
  if (!existsSync(root)) return "absent";
  const hash = createHash("sha256");
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    const file = join(root, path);
    hash.update(`${relative(root, file)}\0`);
    if (statSync(file).isFile()) hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}

const skillsOf = (folder: Folder): string[] => ["one", "two"].map((name) => contentOf(folder, name));
const isInstalled = (folder: Folder): boolean => existsSync(folder.at(REPO, "one"));

/** How the skills were found after kills: the old version, the new one, or missing between the two renames of a replacement. */
interface Found {
  old: number;
  new: number;
  absent: number;
  /** Kills after which the next command had something to finish. */
  finished: number;
}

/** After a kill: each skill is old or new, and the next command makes both and the lock agree. */
function settle(folder: Folder, before: readonly string[], when: string, found: Found): void {
  const after = skillsOf(folder);
  const verified = knack(folder, ["verify", "--strict"], { env: TRUST });
  const settled = skillsOf(folder);
  expect(verified, when).toMatchObject({ code: 0 });
  expect(existsSync(folder.at("repo/.knack/install")), when).toBe(false);
  expect(existsSync(folder.at("home/.knack/kept")), when).toBe(false);
  for (const [i, now] of after.entries()) {
    if (now === before[i]) found.old++;
    else if (now === settled[i]) found.new++;
    else if (now === "absent") found.absent++;
    else expect.fail(`${when}: a skill is neither old nor new`);
  }
  if (String(settled) !== String(after)) found.finished++;
  const installed = isInstalled(folder);
  expect(existsSync(folder.at(REPO, "two")), when).toBe(installed);
  expect(existsSync(folder.at("repo/.claude/skills/one")), when).toBe(installed);
  if (!installed) return;
  const notes = readFileSync(folder.at(REPO, "one/notes.md"), "utf8");
  const [, version] = /version (\d+)/.exec(notes) ?? [];
  // Both skills are of one version, which the source has had.
  if (version !== undefined)
    expect(readFileSync(folder.at(REPO, "two/SKILL.md"), "utf8"), when).toContain(`Version ${version}.`);
  expect(readdirSync(folder.at(REPO, "one/data")), when).toHaveLength(DATA_FILES);
}

/** What is killed, and what is there before. */
const COMMANDS = {
  add: { args: FROM_FOLDER, prepare: () => {} },
  update: {
    args: ["update", "--yes"],
    prepare(folder: Folder) {
      knack(folder, FROM_FOLDER, { env: TRUST });
      for (const [path, text] of Object.entries(versionFiles(1))) folder.write({ [`src/${path}`]: text });
    },
  },
  remove: {
    args: ["remove", "one", "two"],
    prepare: (folder: Folder) => void knack(folder, FROM_FOLDER, { env: TRUST }),
  },
} as const;

/**
 * Files are synced, folders and the lock are renamed, links are made, and what is left over is removed. A kill before each
 * call of each name is a kill between any two of them, except for folders that are still empty.
 */
const CALLS = ["fsync", "rename", "symlink", "unlink", "rmdir"];

describe.skipIf(!canTrace)("a command that is killed before each call that changes the disk", () => {
  it.each(["add", "update", "remove"] as const)(
    "knack %s leaves the old skills or the new ones, and the next command makes the lock agree",
    (name) => {
      using folder = makeSource();
      using saved = makeFolder();
      const { args, prepare } = COMMANDS[name];
      prepare(folder);
      const before = skillsOf(folder);
      const options = { cwd: folder.at("repo"), env: { ...environment(folder), ...TRUST } };
      cpSync(folder.path, saved.path, { recursive: true, verbatimSymlinks: true });
      /** Each kill begins with the same files. */
      const restore = (): void => {
        for (const entry of readdirSync(folder.path)) rmSync(folder.at(entry), { recursive: true });
        cpSync(saved.path, folder.path, { recursive: true, verbatimSymlinks: true });
      };
      const found = { old: 0, new: 0, absent: 0, finished: 0 };
      const kills: Record<string, number> = {};
      for (const call of CALLS)
        for (let n = 1; ; n++) {
          restore();
          if (killedAt(call, n, [PROGRAM, ...args], options) === null) break;
          kills[call] = n;
          settle(folder, before, `knack ${args.join(" ")}, killed at ${call} ${n}`, found);
        }
      console.log(`knack ${name}: ${JSON.stringify({ kills, found })}`);
      // The journal and the lock each take a rename, each skill at least one.
      expect(kills.rename).toBeGreaterThanOrEqual(4);
      expect(found.old).toBeGreaterThan(0);
      expect(found.finished).toBeGreaterThan(0);
      // A skill is missing only after a kill between its two renames.
      expect(found.absent).toBeLessThanOrEqual(2);
    },
    10 * MINUTES,
  );
});

/** A fixed sequence of numbers from 0 to 1. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

function start(folder: Folder, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder.at("repo"),
    env: { ...environment(folder), ...TRUST },
    stdio: "ignore",
  });
}

describe("a command that is killed while git works for it", () => {
  const KILLS = 12;

  it(
    `leaves the old skills or the new ones (${KILLS} kills)`,
    async () => {
      using folder = makeSource();
      const random = makeRandom(20261116);
      const found = { old: 0, new: 0, absent: 0, finished: 0 };
      for (let killed = 0, version = 1; killed < KILLS; version++) {
        change(folder, versionFiles(version));
        const before = skillsOf(folder);
        const args = isInstalled(folder)
          ? ["update", "--yes"]
          : ["add", folder.url, "--yes", "--for", "claude"];
        const child = start(folder, args);
        const closed = new Promise((resolve) => child.once("close", resolve));
        await wait(random() * 600);
        child.kill("SIGKILL");
        await closed;
        if (child.signalCode === "SIGKILL") killed++;
        settle(folder, before, `version ${version}: knack ${args.join(" ")}`, found);
      }
      console.log(`killed over git: ${JSON.stringify(found)}`);
    },
    10 * MINUTES,
  );
});
