import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, knack, PROGRAM, REPO } from "../cli/run.ts";
import { change, makeSources } from "./add-project.ts";

const TRUST = { KNACK_TRUST: "all" };

/** A fixed sequence of numbers from 0 to 1. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

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

function start(folder: Folder, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder.at("repo"),
    env: { ...environment(folder), ...TRUST },
    stdio: "ignore",
  });
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.once("close", () => resolve()) : resolve(),
  );

/** Kills after a time, or so long after the first file of the installation is there: that is where it can hurt. */
async function kill(
  child: ChildProcess,
  folder: Folder,
  after: number,
  isInstalling: boolean,
): Promise<void> {
  const stage = folder.at("repo/.knack/install");
  const deadline = performance.now() + 20_000;
  while (isInstalling && !existsSync(stage) && child.exitCode === null && performance.now() < deadline)
    await new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + after;
  while (performance.now() < until)
    await (after > 5 ? wait(1) : new Promise((resolve) => setImmediate(resolve)));
  child.kill("SIGKILL");
  await ended(child);
}

function edit(folder: Folder, files: Parameters<typeof change>[1]): void {
  folder.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`src/${path}`, text])));
}

describe("a command that is killed", () => {
  it.each([
    ["git", 40],
    ["folder", 90],
  ])(
    "leaves the old skills or the new ones, and the next command makes the lock agree (%s, %i kills)",
    async (kind, kills) => {
      using folder = makeSources(
        Object.fromEntries(
          Array.from({ length: 30 }, (_, i) => [`src/skills/one/data/${i}.txt`, `${i}\n`.repeat(500)]),
        ),
      );
      const random = makeRandom(20261116);
      const counts = { killed: 0, old: 0, new: 0, absent: 0, finished: 0 };
      let version = 0;
      let hasSkills = false;
      for (let round = 0; counts.killed < kills; round++) {
        const before = skillsOf(folder);
        if (random() < 0.5)
          (kind === "git" ? change : edit)(folder, {
            "skills/one/notes.md": `version ${++version}\n`,
            "skills/two/SKILL.md": skillText("two", `Version ${version}.`),
          });
        const args = hasSkills
          ? random() < 0.7
            ? ["update", "--yes"]
            : ["remove", "one", "two"]
          : ["add", kind === "git" ? folder.url : "../src", "--yes", "--for", "claude"];
        const child = start(folder, args);
        const isInstalling = random() < 0.7;
        await kill(child, folder, random() * (isInstalling ? 12 : kind === "git" ? 600 : 300), isInstalling);
        if (child.signalCode === "SIGKILL") counts.killed++;
        const after = skillsOf(folder);
        const verified = knack(folder, ["verify", "--strict"], { env: TRUST });
        const settled = skillsOf(folder);
        expect(verified, `round ${round}: knack ${args.join(" ")}`).toMatchObject({ code: 0 });
        expect(existsSync(folder.at("repo/.knack/install"))).toBe(false);
        for (const [i, now] of after.entries()) {
          if (now === before[i]) counts.old++;
          else if (now === settled[i]) counts.new++;
          // Killed between the two renames of a replacement.
          else if (now === "absent") counts.absent++;
          else expect.fail(`round ${round}: a skill is neither old nor new after knack ${args.join(" ")}`);
        }
        if (String(settled) !== String(after)) counts.finished++;
        hasSkills = existsSync(folder.at(REPO, "one"));
        expect(existsSync(folder.at(REPO, "two"))).toBe(hasSkills);
        expect(existsSync(folder.at("repo/.claude/skills/one"))).toBe(hasSkills);
        if (hasSkills) {
          const notes = readFileSync(folder.at(REPO, "one/notes.md"), "utf8");
          // Both skills are of one version, which the source has had.
          const two = readFileSync(folder.at(REPO, "two/SKILL.md"), "utf8");
          const [, number] = /version (\d+)/.exec(notes) ?? [];
          if (number !== undefined) expect(two).toContain(`Version ${number}.`);
          expect(readdirSync(folder.at(REPO, "one/data"))).toHaveLength(30);
        }
      }
      expect(counts.absent).toBeLessThanOrEqual(kills / 50);
      process.stderr.write(`killed over ${kind}: ${JSON.stringify(counts)}\n`);
      expect(existsSync(folder.at("home/.knack/kept"))).toBe(false);
    },
    900_000,
  );
});
