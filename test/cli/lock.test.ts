import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, knack, REPO } from "./run.ts";

const FILES = {
  "repo/.git/": "",
  [`${REPO}/pdf/SKILL.md`]: skillText("pdf"),
  [`${REPO}/pdf/scripts/run.sh`]: "echo one\necho two\n",
  "repo/skills/notes/SKILL.md": skillText("notes"),
  [`${HOME}/mine/SKILL.md`]: skillText("mine"),
};

interface VerifyAnswer {
  readonly ok: boolean;
  readonly checked: number;
  readonly problems: readonly { readonly skill: string; readonly file: string; readonly change: string }[];
  readonly not_locked: readonly { readonly name: string; readonly path: string }[];
}

function verify(folder: Folder, ...args: string[]): VerifyAnswer & { code: number | null } {
  const { code, stdout } = knack(folder, ["verify", ...args, "--json"]);
  return { code, ...(JSON.parse(stdout) as VerifyAnswer) };
}

const changes = ({ problems }: VerifyAnswer): string[] =>
  problems.map(({ skill, file, change }) => `${skill}: ${change} ${file}`);

const lockText = (folder: Folder): string => readFileSync(folder.at("repo/skills.lock"), "utf8");

describe("knack lock", () => {
  it("locks the skills of the project, and says nothing new the second time", () => {
    using folder = makeFolder(FILES);
    const first = knack(folder, ["lock"]);
    expect(first).toMatchObject({
      code: 0,
      stdout: "locked        pdf (2 files)\nlocked        notes (1 file)\n",
      stderr: `2 skills in ${folder.at("repo/skills.lock")}\n`,
    });
    const text = lockText(folder);
    expect(text).toContain('    "notes": {\n      "files": {\n        "SKILL.md": "');
    expect(text).toContain('      "folder": "skills/notes",\n');
    expect(text).not.toContain("mine");
    expect(knack(folder, ["lock"])).toMatchObject({ code: 0, stdout: "" });
    expect(lockText(folder)).toBe(text);
    expect(existsSync(folder.at("home/.knack/skills.lock"))).toBe(false);
  });

  it("--user locks the user's skills in the user's folder; a name goes to the lock of its skill", () => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock", "mine", "pdf"]);
    expect(Object.keys(JSON.parse(lockText(folder)).skills)).toEqual(["pdf"]);
    const user = readFileSync(folder.at("home/.knack/skills.lock"), "utf8");
    expect(JSON.parse(user).skills).toEqual({
      mine: { files: { "SKILL.md": expect.any(String) }, sha256: expect.any(String) },
    });
    knack(folder, ["lock", "--user"]);
    expect(readFileSync(folder.at("home/.knack/skills.lock"), "utf8")).toBe(user);
  });

  it("keeps where a skill came from, and removes what is gone", () => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock"]);
    const lock = JSON.parse(lockText(folder));
    lock.skills.pdf.source = "owner/repo";
    folder.write({ "repo/skills.lock": JSON.stringify(lock) });
    folder.write({ [`${REPO}/pdf/SKILL.md`]: `${skillText("pdf")}more\n` });
    rmSync(folder.at("repo/skills/notes"), { recursive: true });
    expect(knack(folder, ["lock"]).stdout).toBe(
      "locked again  pdf (2 files)\nremoved       notes: skills/notes is gone\n",
    );
    expect(lockText(folder)).toContain('      "source": "owner/repo"\n');
    expect(lockText(folder)).not.toContain("notes");
  });

  it("removes a named entry whose folder is gone", () => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock"]);
    rmSync(folder.at("repo/skills/notes"), { recursive: true });
    expect(knack(folder, ["lock", "notes"]).stdout).toContain("notes: skills/notes is gone");
    expect(verify(folder).checked).toBe(1);
  });

  it("refuses a skill with a link in it, and locks the others", () => {
    using folder = makeFolder({ ...FILES, [`${REPO}/pdf/key`]: { link: "/etc/hostname" } });
    const { code, stderr } = knack(folder, ["lock"]);
    expect(code).toBe(1);
    expect(stderr).toContain("pdf cannot be locked: key is a symbolic link");
    expect(lockText(folder)).toContain("notes");
    expect(lockText(folder)).not.toContain("pdf");
  });

  it("names a file whose name no lock can hold, and what to do", () => {
    using folder = makeFolder({ ...FILES, [`${REPO}/pdf/__proto__`]: "x" });
    expect(knack(folder, ["lock"]).stderr).toContain(
      "pdf cannot be locked: __proto__: its path is a reserved word. Rename it.",
    );
  });

  it("does not write over a lock that is a link or wrong, and says where it is wrong", () => {
    using folder = makeFolder({ ...FILES, "repo/skills.lock": { link: "../elsewhere" }, elsewhere: "kept" });
    const linked = knack(folder, ["lock"]);
    expect([linked.code, linked.stderr]).toEqual([1, expect.stringContaining("symbolic link")]);
    expect(readFileSync(folder.at("elsewhere"), "utf8")).toBe("kept");
    rmSync(folder.at("repo/skills.lock"));
    folder.write({ "repo/skills.lock": '{\n  "skils": {}, "version": 1\n}\n' });
    for (const command of [["lock"], ["verify"], ["diff", "pdf"]])
      expect(knack(folder, command)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('skills.lock:2: unknown key "skils"; did you mean "skills"?'),
      });
  });

  it("writes no lock where there is nothing to lock", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    expect(knack(folder, ["lock"]).code).toBe(0);
    expect(existsSync(folder.at("repo/skills.lock"))).toBe(false);
  });

  it("leaves nothing untracked in a repository but the lock", () => {
    using folder = makeFolder(FILES);
    rmSync(folder.at("repo/.git"), { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: folder.at("repo") });
    execFileSync("git", ["add", "-A"], { cwd: folder.at("repo") });
    for (const command of [["lock"], ["verify"], ["diff", "pdf"]]) knack(folder, command);
    const status = execFileSync("git", ["status", "--porcelain"], {
      cwd: folder.at("repo"),
      encoding: "utf8",
    });
    expect(status.split("\n").filter((line) => line.startsWith("??"))).toEqual(["?? skills.lock"]);
  });
});

describe("knack verify", () => {
  it("is 0 where every byte is as it was, and without a lock", () => {
    using folder = makeFolder(FILES);
    expect(knack(folder, ["verify"])).toMatchObject({
      code: 0,
      stderr: 'ok: no skill is locked, 2 not locked; "knack lock" locks what is there\n',
    });
    knack(folder, ["lock"]);
    expect(knack(folder, ["verify", "--strict"])).toMatchObject({
      code: 0,
      stderr: "ok: 2 locked skills checked, 0 differ\n",
    });
  });

  it.each<[string, (folder: Folder) => void, string[]]>([
    [
      "a changed file",
      (f) => f.write({ [`${REPO}/pdf/scripts/run.sh`]: "x" }),
      ["pdf: changed scripts/run.sh"],
    ],
    ["a missing skill", (f) => rmSync(f.at("repo/skills/notes"), { recursive: true }), ["notes: missing "]],
    [
      "a user's skill",
      (f) => f.write({ [`${HOME}/mine/SKILL.md`]: skillText("mine", "Other.") }),
      ["mine: changed SKILL.md"],
    ],
  ])("is 1 with %s", (_, change, told) => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock"]);
    knack(folder, ["lock", "--user"]);
    change(folder);
    const answer = verify(folder);
    expect([answer.code, answer.ok, changes(answer)]).toEqual([1, false, told]);
  });

  it("says what, where and what to do next", () => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock"]);
    folder.write({ [`${REPO}/pdf/SKILL.md`]: skillText("pdf", "Other.") });
    expect(knack(folder, ["verify"])).toMatchObject({
      code: 1,
      stdout: `pdf  .agents/skills/pdf
  changed     SKILL.md
  "knack diff pdf" shows what changed, "knack lock pdf" accepts it.
`,
      stderr: "failed: 2 locked skills checked, 1 differs\n",
    });
    expect(verify(folder, "notes").code).toBe(0);
    expect(verify(folder, ".agents/skills/pdf").code).toBe(1);
    expect(knack(folder, ["verify", "nothing"])).toMatchObject({ code: 1 });
  });

  it("--strict is 1 for a skill in no lock; the user's count once the user has a lock", () => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock", "pdf"]);
    expect(verify(folder)).toMatchObject({ code: 0, not_locked: [{ name: "notes" }] });
    expect(verify(folder, "--strict").code).toBe(1);
    expect(knack(folder, ["verify", "--strict"]).stdout).toBe("notes  skills/notes/SKILL.md\n  not locked\n");
    knack(folder, ["lock"]);
    expect(verify(folder, "--strict").code).toBe(0);
    knack(folder, ["lock", "--user"]);
    folder.write({ [`${HOME}/more/SKILL.md`]: skillText("more") });
    expect(verify(folder, "--strict")).toMatchObject({ code: 1, not_locked: [{ name: "more" }] });
    expect(verify(folder, "--strict", "--user")).toMatchObject({ code: 1, checked: 1 });
  });

  it("checks the skills of skills-lock.json that skills.lock does not have", () => {
    const hash = createHash("sha256")
      .update(`scripts/run.shecho one\necho two\nSKILL.md${skillText("pdf")}`)
      .digest("hex");
    const entry = { source: "owner/repo", sourceType: "github", computedHash: hash };
    using folder = makeFolder({
      ...FILES,
      "repo/skills-lock.json": JSON.stringify({ version: 1, skills: { pdf: entry } }),
    });
    expect(verify(folder)).toMatchObject({ code: 0, checked: 1 });
    folder.write({ [`${REPO}/pdf/scripts/run.sh`]: "x" });
    expect(changes(verify(folder))).toEqual(["pdf: changed "]);
    expect(knack(folder, ["verify"]).stdout).toContain(
      '"npx skills" restores it, "knack lock pdf" accepts it.',
    );
    expect(knack(folder, ["diff", "pdf"]).stderr).toContain("one hash for all files");
    knack(folder, ["lock", "pdf"]);
    expect(verify(folder)).toMatchObject({ code: 0, checked: 1 });
  });
});

describe("knack diff", () => {
  it("shows the lines that changed, what was added and what was removed", () => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock"]);
    folder.write({
      [`${REPO}/pdf/scripts/run.sh`]: "echo one\necho three\n",
      [`${REPO}/pdf/new.md`]: "new\n",
    });
    rmSync(folder.at(REPO, "pdf/SKILL.md"));
    folder.write({ [`${REPO}/pdf/sub/SKILL.md`]: skillText("sub") });
    const { code, stdout, stderr } = knack(folder, ["diff", "pdf"]);
    expect(code).toBe(0);
    expect(stdout).toContain("  missing     SKILL.md\n  extra       new.md\n  changed     scripts/run.sh\n");
    expect(stdout).toContain(
      "--- locked/scripts/run.sh\n+++ scripts/run.sh\n@@ -1,2 +1,2 @@\n echo one\n-echo two\n+echo three\n",
    );
    expect(stdout).toContain("--- /dev/null\n+++ new.md\n@@ -0,0 +1,1 @@\n+new\n");
    expect(stdout).toContain("--- locked/SKILL.md\n+++ /dev/null\n");
    expect(stderr).toContain('"knack lock pdf" accepts the skill as it is now.');
    const { changes: told } = JSON.parse(knack(folder, ["diff", "pdf", "--json"]).stdout);
    expect(told).toContainEqual(
      expect.objectContaining({
        path: "scripts/run.sh",
        kind: "changed",
        diff: expect.stringContaining("+echo three"),
      }),
    );
  });

  it("says so where it has no copy of the locked text, and where nothing changed", () => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock"]);
    expect(knack(folder, ["diff", "pdf"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "pdf is as it was locked.\n",
    });
    rmSync(folder.at("home/.knack/locked"), { recursive: true });
    folder.write({ [`${REPO}/pdf/scripts/run.sh`]: "x" });
    const { stdout, stderr } = knack(folder, ["diff", "pdf"]);
    expect(stdout).toBe("pdf  .agents/skills/pdf\n  changed     scripts/run.sh\n");
    expect(stderr).toMatch(
      /No text to compare for this file: .*\n {2}scripts\/run\.sh {2}locked as [0-9a-f]{64}\n/,
    );
  });

  it("prints no escape sequence of a skill", () => {
    using folder = makeFolder(FILES);
    knack(folder, ["lock"]);
    folder.write({
      [`${REPO}/pdf/scripts/run.sh`]: "\u001b]0;owned\u0007\u202e\n",
      [`${REPO}/pdf/\u001b[2J.md`]: "x",
    });
    for (const command of [["diff", "pdf"], ["verify"], ["diff", "pdf", "--json"], ["verify", "--json"]]) {
      const { stdout, stderr } = knack(folder, command);
      expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/);
    }
    expect(knack(folder, ["diff", "pdf"]).stdout).toContain("+\\x1b]0;owned\\x07\\u{202e}");
  });

  it("is 1 for a skill that is not locked", () => {
    using folder = makeFolder(FILES);
    expect(knack(folder, ["diff", "pdf"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"pdf" is not locked; "knack lock pdf" locks it.'),
    });
  });
});
