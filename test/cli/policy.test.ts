import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, HOME, knack, listed, makeProject, PROGRAM, REPO, TRUST } from "./run.ts";

const USER = "home/.knack/config.yaml";
const PROJECT = "repo/.knack/config.yaml";
const read = (folder: Folder, file: string): string => readFileSync(folder.at(file), "utf8");

describe("knack deny and knack allow", () => {
  it("write the user's file, say so in a line, and take each other back; comments are kept", () => {
    using folder = makeProject({ [USER]: "# mine\nskills: { disabled: [off] } # not needed\n" });
    const denied = knack(folder, ["deny", "good"]);
    expect(denied).toMatchObject({
      code: 0,
      stdout: `good is now denied (${folder.at(USER)}).\n`,
      stderr: "",
    });
    const rule = "{ tool: skill_load, skill_name: good }";
    expect(read(folder, USER)).toBe(
      `# mine\nskills: { disabled: [off] } # not needed\npermissions:\n  deny:\n    - ${rule}\n`,
    );
    expect(knack(folder, ["deny", "good"]).stdout).toBe(`good is already denied (${folder.at(USER)}).\n`);
    const allowed = knack(folder, ["allow", "good", "--json"]);
    expect(allowed.code).toBe(0);
    expect(allowed.json()).toEqual({
      skill: "good",
      file: folder.at(USER),
      changed: true,
      decision: "allow",
    });
    expect(read(folder, USER)).toBe(
      `# mine\nskills: { disabled: [off] } # not needed\npermissions:\n  deny: []\n  allow:\n    - ${rule}\n`,
    );
  });

  it("KNACK_HOME moves the file, --project takes the project's", () => {
    using folder = makeProject();
    knack(folder, ["deny", "good"], { env: { KNACK_HOME: folder.at("moved") } });
    expect(read(folder, "moved/config.yaml")).toContain("skill_name: good");
    const { json, code } = knack(folder, ["deny", "good", "--project", "--json"]);
    expect(code).toBe(0);
    expect(json()).toEqual({ skill: "good", file: folder.at(PROJECT), changed: true, decision: "deny" });
    expect(read(folder, USER)).toBe("skills: { disabled: [off] }\n");
  });

  it.each([
    ["a folder", ".agents/skills/good", "good"],
    ["a SKILL.md", "./.agents/skills/good/SKILL.md", "good"],
    ["a name", "good", "good"],
    ["what is disabled", "off", "off"],
    ["what is not eligible", "never", "never"],
  ])("take %s", (_, reference, skill) => {
    using folder = makeProject();
    const { code, json } = knack(folder, ["deny", reference, "--json"]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ skill, decision: "deny" });
  });

  it("a name of several skills is the name of all; by path that is said", () => {
    using folder = makeProject({ [`${HOME}/good/SKILL.md`]: skillText("good") });
    expect(knack(folder, ["deny", "good"])).toMatchObject({ code: 0, stderr: "" });
    const { code, stderr } = knack(folder, ["allow", ".agents/skills/good"]);
    expect(code).toBe(0);
    expect(stderr).toContain("2 skills are called good");
  });

  it("an unknown skill is NOT_FOUND, exit 1, and nothing is written", () => {
    using folder = makeProject();
    for (const command of ["allow", "deny", "enable", "disable"])
      for (const reference of ["ghost", "./ghost", "bad"]) {
        const { code, json } = knack(folder, [command, reference, "--json"]);
        expect(code).toBe(1);
        expect(json().error.code).toBe("NOT_FOUND");
      }
    expect(read(folder, USER)).toBe("skills: { disabled: [off] }\n");
  });

  it("but a rule or switch for a skill that is gone can be removed", () => {
    using folder = makeProject({
      [USER]:
        "skills: { disabled: [ghost, ~/gone] }\npermissions: { deny: [{ tool: skill_load, skill_name: ghost }] }\n",
    });
    expect(knack(folder, ["allow", "ghost"])).toMatchObject({ code: 0, stderr: "" });
    expect(knack(folder, ["enable", "ghost"]).code).toBe(0);
    expect(knack(folder, ["enable", "../home/gone"]).code).toBe(0);
    expect(read(folder, USER)).toBe("skills: { disabled: [] }\npermissions: { deny: [] }\n");
    expect(knack(folder, ["allow", "ghost"]).code).toBe(1);
    folder.write({ [USER]: "permissions: { allow: [{ tool: skill_load, skill_name: ghost }] }\n" });
    expect(knack(folder, ["deny", "ghost", "--json"]).json()).toMatchObject({
      changed: true,
      decision: "deny",
    });
  });

  it("allow against another file's rule or a general one says which, and exits with 1", () => {
    using folder = makeProject({
      [USER]: "permissions: { deny: [{ tool: skill_load }] }\n",
      [PROJECT]: "permissions: { deny: [{ tool: skill_load, skill_name: GOOD }] }\n",
    });
    const { code, stdout, stderr } = knack(folder, ["allow", "good"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${folder.at(USER)}: permissions.deny { tool: skill_load }; remove it there`);
    expect(stderr).toContain(`${folder.at(PROJECT)}: `);
    expect(stderr).toContain("knack allow good --project");
    const again = knack(folder, ["allow", "good", "--json"]);
    expect(again.code).toBe(1);
    expect(again.json()).toEqual({ skill: "good", file: folder.at(USER), changed: false, decision: "deny" });
  });

  it("allow --project has no effect in a project that is not trusted, and says so", () => {
    using folder = makeProject({ [USER]: "permissions: { default: confirm }\n" });
    const { code, stderr } = knack(folder, ["allow", "good", "--project"]);
    expect(code).toBe(1);
    expect(stderr).toContain("knack trust");
    const trusted = knack(folder, ["allow", "good", "--project", "--json"], TRUST);
    expect(trusted).toMatchObject({ code: 0, stderr: "" });
    expect(trusted.json()).toMatchObject({ changed: false, decision: "allow" });
  });
});

describe("knack disable and knack enable", () => {
  it("switch a skill off and on", () => {
    using folder = makeProject();
    const list = () => listed(folder);
    expect(list()).toEqual(["good", "mine"]);
    expect(knack(folder, ["disable", "good"]).stdout).toBe(`good is now disabled (${folder.at(USER)}).\n`);
    expect(list()).toEqual(["mine"]);
    expect(knack(folder, ["enable", "good", "--json"]).json()).toEqual({
      skill: "good",
      file: folder.at(USER),
      changed: true,
      enabled: true,
    });
    expect(list()).toEqual(["good", "mine"]);
    expect(knack(folder, ["enable", "good"]).stdout).toContain("already enabled");
  });

  it("by path switch off that skill and no other of its name", () => {
    using folder = makeProject({ [`${HOME}/good/SKILL.md`]: skillText("good") });
    expect(knack(folder, ["disable", ".agents/skills/good", "--json"]).json()).toMatchObject({
      enabled: false,
    });
    expect(read(folder, USER)).toContain(folder.at(`${REPO}/good`));
    expect(listed(folder).filter((name) => name === "good")).toHaveLength(1);
    expect(knack(folder, ["enable", "good"]).code).toBe(0);
    expect(listed(folder).filter((name) => name === "good")).toHaveLength(2);
  });

  it("enable against the other file's switch says which, and exits with 1", () => {
    using folder = makeProject({ [PROJECT]: "skills: { disabled: [./.agents/skills/good] }\n" });
    const { code, stderr } = knack(folder, ["enable", "good"]);
    expect(code).toBe(1);
    expect(stderr).toContain(folder.at(PROJECT));
    expect(stderr).toContain("knack enable good --project");
    expect(knack(folder, ["enable", "good", "--project"]).code).toBe(0);
    expect(read(folder, PROJECT)).toBe("skills: { disabled: [] }\n");
  });

  it("enable where all skills are switched off says so", () => {
    using folder = makeProject({ [USER]: "skills: { enabled: false, disabled: [good] }\n" });
    const { code, stderr } = knack(folder, ["enable", "good"]);
    expect(code).toBe(1);
    expect(stderr).toContain("skills.enabled");
  });
});

describe("the file that is changed", () => {
  it("keeps the changes of many processes at once", async () => {
    const skills = ["s1", "s2", "s3", "s4", "s5", "s6"];
    using folder = makeProject(
      Object.fromEntries(skills.map((name) => [`${REPO}/${name}/SKILL.md`, skillText(name)])),
    );
    const env = environment(folder);
    const codes = await Promise.all(
      skills.map(
        (name) =>
          new Promise((done) => {
            spawn(process.execPath, [PROGRAM, "deny", name], { cwd: folder.at("repo"), env }).on(
              "exit",
              done,
            );
          }),
      ),
    );
    expect(codes).toEqual(skills.map(() => 0));
    for (const name of skills) expect(read(folder, USER)).toContain(`skill_name: ${name}`);
    expect(existsSync(folder.at(`${USER}.lock`))).toBe(false);
  });
});

const files = {
  "repo/.git/": "",
  "outside/far/SKILL.md": skillText("far"),
  [`${REPO}/far`]: { link: "../../../outside/far" },
  [`${REPO}/near/SKILL.md`]: skillText("near"),
};

describe("knack trust", () => {
  it("--yes lets the project's links reach out of it, --revoke takes that back", () => {
    using folder = makeFolder(files);
    const list = () => listed(folder);
    expect(list()).toEqual(["near"]);
    const trusted = knack(folder, ["trust", "--yes", "--json"]);
    expect(trusted.json()).toEqual({ project: folder.at("repo"), trusted: true, changed: true });
    expect(list().toSorted()).toEqual(["far", "near"]);
    const again = knack(folder, ["trust", "--yes"]);
    expect(again).toMatchObject({ code: 0, stdout: `${folder.at("repo")} is already trusted.\n` });
    expect(knack(folder, ["trust", "--revoke"]).code).toBe(0);
    expect(list()).toEqual(["near"]);
  });

  it("without a terminal needs --yes: exit 2, and nothing changes", () => {
    using folder = makeFolder(files);
    const { code, stdout, stderr } = knack(folder, ["trust"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--yes");
    expect(existsSync(folder.at("home/.knack"))).toBe(false);
  });

  it("is given from a subfolder to the whole project, and moves with no copy of it", () => {
    using folder = makeFolder({ ...files, "repo/sub/": "", way: { link: "repo" } });
    knack(folder, ["trust", "--yes"], { cwd: "repo/sub" });
    expect(listed(folder, { cwd: "way" })).toContain("far");
    execFileSync("cp", ["-r", folder.at("repo"), folder.at("copy")]);
    expect(listed(folder, { cwd: "copy" })).toEqual(["near"]);
  });

  it("cannot be said by a file of the project, also where HOME is empty", () => {
    using folder = makeFolder(files);
    folder.write({ "repo/.knack/trust.json": JSON.stringify({ version: 1, projects: [folder.at("repo")] }) });
    for (const env of [{}, { HOME: "" }]) {
      expect(listed(folder, { env })).toEqual(["near"]);
    }
  });
});

describe("configuration", () => {
  it("of the user that is wrong stops the command with file and line", () => {
    using folder = makeFolder({ ...files, "home/.knack/config.yaml": "skills:\n  validaton: strict\n" });
    for (const command of ["list", "validate"]) {
      const { code, stdout, stderr } = knack(folder, [command]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(`${folder.at("home/.knack/config.yaml")}:2: `);
      expect(stderr).toContain('did you mean "validation"?');
    }
    const { error } = knack(folder, ["list", "--json"]).json();
    expect(error).toEqual({ code: "CONFIG_INVALID", message: expect.stringContaining("config.yaml:2: ") });
  });

  it("of an untrusted project that is wrong is ignored with a note; of a trusted one it stops the command", () => {
    using folder = makeFolder({ ...files, "repo/.knack/config.yaml": "skills:\n  validaton: strict\n" });
    const { code, stderr, json } = knack(folder, ["list", "--json"]);
    expect(code).toBe(0);
    expect(json().skills.map(({ name }) => name)).toEqual(["near"]);
    expect(stderr).toMatch(/^note: .*config\.yaml:2: /);
    expect(knack(folder, ["list"], TRUST).code).toBe(1);
  });

  it("of an untrusted project that widens is told in a note", () => {
    using folder = makeFolder({
      ...files,
      "repo/.knack/config.yaml": "skills: { roots: [{ path: ../outside }] }\n",
    });
    const { stderr, json } = knack(folder, ["list", "--json"]);
    expect(json().skills.map(({ name }) => name)).toEqual(["near"]);
    expect(stderr).toContain(folder.at("outside"));
    expect(stderr).toContain("knack trust");
  });

  it.each([
    ['"\\e[31mred": 1\n', "an unknown key"],
    ['skills: { roots: [{ path: "/\\e[31mred" }] }\n', "a root"],
    ['skills: { validation: "\\e[31m\\x9bred" }\n', "a value"],
  ])("of an untrusted project puts no control character on the terminal: %j", (text) => {
    using folder = makeFolder({ ...files, "repo/.knack/config.yaml": text });
    for (const args of [["list"], ["doctor"], ["doctor", "--json"]]) {
      const { stdout, stderr } = knack(folder, args);
      expect(stdout + stderr).toContain("red");
      expect(stdout + stderr).not.toMatch(/[\u001b\u009b]/);
    }
  });

  it("of an untrusted project that is a named pipe does not make a command wait", () => {
    using folder = makeFolder({ ...files, "repo/.knack/": "" });
    execFileSync("mkfifo", [folder.at("repo/.knack/config.yaml")]);
    expect(knack(folder, ["list"]).code).toBe(0);
  });

  it("KNACK_ROOT that is not above the working directory is an error", () => {
    using folder = makeFolder(files);
    const { code, stderr } = knack(folder, ["list"], { env: { KNACK_ROOT: folder.at("outside") } });
    expect(code).toBe(1);
    expect(stderr).toContain("KNACK_ROOT");
  });
});
