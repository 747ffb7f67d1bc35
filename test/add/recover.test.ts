import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestSkill } from "../../packages/core/src/lock/digest-skill.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack, REPO } from "../cli/run.ts";

const ID = "11111111-2222-3333-4444-555555555555";
const NEW = skillText("one", "The new one. Use when asked for one.");
const OLD = skillText("one", "The old one. Use when asked for one.");

/** What a process that was killed after its decision leaves. */
async function begin(folder: Folder, step: object, staged = true): Promise<void> {
  const stage = folder.at("repo/.knack/install");
  mkdirSync(join(stage, ID, "new"), { recursive: true });
  folder.write({ "ready/one/SKILL.md": NEW });
  if (staged) folder.write({ [`repo/.knack/install/${ID}/new/one/SKILL.md`]: NEW });
  const { sha256, files } = await digestSkill(folder.at("ready/one"));
  const locked = {
    folder: ".agents/skills/one",
    source: "./x",
    path: ".",
    sha256,
    files: Object.fromEntries(files),
  };
  const steps = [{ name: "one", action: "put", before: null, locked, clients: [], ...step }];
  writeJournal(folder, "home/.knack/journals", JSON.stringify({ id: ID, steps }));
}

function writeJournal(folder: Folder, into: string, text: string): void {
  mkdirSync(folder.at(into), { recursive: true });
  writeFileSync(folder.at(into, `${ID}.json`), text, { mode: 0o600 });
}

const text = (folder: Folder): string => readFileSync(folder.at(REPO, "one/SKILL.md"), "utf8");

describe("after a process was killed", () => {
  it.each(["verify", "lock", "outdated", "update"])(
    "knack %s finishes what it had decided",
    async (command) => {
      using folder = makeFolder({ "repo/.git/": "" });
      await begin(folder, { clients: ["claude"] });
      knack(folder, [command], { env: { KNACK_TRUST: "all" } });
      expect(text(folder)).toBe(NEW);
      expect(existsSync(folder.at("repo/.claude/skills/one/SKILL.md"))).toBe(true);
      expect(existsSync(folder.at("repo/.knack/install"))).toBe(false);
      expect(knack(folder, ["verify", "--strict"]).code).toBe(0);
    },
  );

  it("a folder that was moved already is not moved again, and the lock follows", async () => {
    using folder = makeFolder({ "repo/.git/": "", [`${REPO}/one/SKILL.md`]: NEW });
    await begin(folder, {}, false);
    expect(knack(folder, ["verify", "--strict"]).code).toBe(0);
    expect(text(folder)).toBe(NEW);
  });

  it("files that came to the place meanwhile are kept", async () => {
    using folder = makeFolder({
      "repo/.git/": "",
      [`${REPO}/one/SKILL.md`]: OLD,
      [`${REPO}/one/mine.md`]: "mine",
    });
    await begin(folder, { before: "0".repeat(64) });
    expect(knack(folder, ["verify", "--strict"]).code).toBe(0);
    expect(text(folder)).toBe(NEW);
    const [kept = ""] = readdirSync(folder.at("home/.knack/kept"));
    expect(readdirSync(folder.at("home/.knack/kept", kept)).sort()).toEqual(["SKILL.md", "mine.md"]);
  });

  it("a client's own skill is neither replaced nor removed", async () => {
    using folder = makeFolder({ "repo/.git/": "", "repo/.claude/skills/one/SKILL.md": "own" });
    await begin(folder, { clients: ["claude"] });
    knack(folder, ["verify"]);
    await begin(folder, { action: "remove", locked: null, clients: ["claude"] }, false);
    knack(folder, ["verify"]);
    expect(existsSync(folder.at(REPO, "one"))).toBe(false);
    expect(readFileSync(folder.at("repo/.claude/skills/one/SKILL.md"), "utf8")).toBe("own");
  });

  it("what was only prepared is taken away", () => {
    using folder = makeFolder({ "repo/.git/": "", [`repo/.knack/install/${ID}/new/one/SKILL.md`]: NEW });
    knack(folder, ["verify"]);
    expect(existsSync(folder.at("repo/.knack/install"))).toBe(false);
    expect(existsSync(folder.at(REPO))).toBe(false);
  });

  it.each([
    "{",
    JSON.stringify({ id: "../..", steps: [] }),
    JSON.stringify({
      id: ID,
      steps: [{ name: "../../home", action: "remove", before: null, locked: null, clients: [] }],
    }),
    JSON.stringify({ id: ID, steps: [null] }),
    JSON.stringify({
      id: ID,
      steps: [{ name: "one", action: "put", before: null, locked: {}, clients: [] }],
    }),
  ])("a journal that Knack did not write does nothing: %s", (journal) => {
    using folder = makeFolder({ "repo/.git/": "", [`${REPO}/one/SKILL.md`]: OLD });
    mkdirSync(folder.at("repo/.knack/install", ID), { recursive: true });
    writeJournal(folder, "home/.knack/journals", journal);
    expect(knack(folder, ["verify"]).code).toBe(0);
    expect(text(folder)).toBe(OLD);
  });

  it("a journal in a project, and links beside it, move and remove nothing outside", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "home/one/precious.txt": "mine",
      [`${REPO}/one/SKILL.md`]: OLD,
      [`repo/.knack/install/${ID}/new/one/SKILL.md`]: NEW,
    });
    symlinkSync(folder.at("home"), folder.at("repo/.knack/install", ID, "old"));
    const steps = [{ name: "one", action: "put", before: null, locked: null, clients: [] }];
    const journal = JSON.stringify({ id: ID, steps });
    writeFileSync(folder.at("repo/.knack/install/journal.json"), journal, { mode: 0o600 });
    writeJournal(folder, "repo/.knack/journals", journal);
    knack(folder, ["verify"]);
    expect(readFileSync(folder.at("home/one/precious.txt"), "utf8")).toBe("mine");
    expect(text(folder)).toBe(OLD);
  });
});
