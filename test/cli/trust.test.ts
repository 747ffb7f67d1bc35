import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { type Answer, HOME, knack, REPO } from "./run.ts";

const files = {
  "repo/.git/": "",
  "outside/far/SKILL.md": skillText("far"),
  [`${REPO}/far`]: { link: "../../../outside/far" },
  [`${REPO}/near/SKILL.md`]: skillText("near"),
};
const names = ({ skills }: Answer): string[] => skills.map(({ name }) => name);

describe("knack trust", () => {
  it("--yes lets the project's links reach out of it, --revoke takes that back", () => {
    using folder = makeFolder(files);
    const list = () => names(knack(folder, ["list", "--json"]).json());
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
    expect(names(knack(folder, ["list", "--json"], { cwd: "way" }).json())).toContain("far");
    execFileSync("cp", ["-r", folder.at("repo"), folder.at("copy")]);
    expect(names(knack(folder, ["list", "--json"], { cwd: "copy" }).json())).toEqual(["near"]);
  });

  it("KNACK_TRUST=all is the same word for one process", () => {
    using folder = makeFolder(files);
    const env = { KNACK_TRUST: "all" };
    expect(names(knack(folder, ["list", "--json"], { env }).json())).toContain("far");
    expect(names(knack(folder, ["list", "--json"]).json())).not.toContain("far");
  });

  it("cannot be said by a file of the project, also where HOME is empty", () => {
    using folder = makeFolder(files);
    folder.write({ "repo/.knack/trust.json": JSON.stringify({ version: 1, projects: [folder.at("repo")] }) });
    for (const env of [{}, { HOME: "" }]) {
      expect(names(knack(folder, ["list", "--json"], { env }).json())).toEqual(["near"]);
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
    expect(names(json())).toEqual(["near"]);
    expect(stderr).toMatch(/^note: .*config\.yaml:2: /);
    expect(knack(folder, ["list"], { env: { KNACK_TRUST: "all" } }).code).toBe(1);
  });

  it("of an untrusted project that widens is told in a note", () => {
    using folder = makeFolder({
      ...files,
      "repo/.knack/config.yaml": "skills: { roots: [{ path: ../outside }] }\n",
    });
    const { stderr, json } = knack(folder, ["list", "--json"]);
    expect(names(json())).toEqual(["near"]);
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
    expect(knack(folder, ["list"], { timeout: 3_000 }).code).toBe(0);
  });

  it("KNACK_ROOT that is not above the working directory is an error", () => {
    using folder = makeFolder(files);
    const { code, stderr } = knack(folder, ["list"], { env: { KNACK_ROOT: folder.at("outside") } });
    expect(code).toBe(1);
    expect(stderr).toContain("KNACK_ROOT");
  });

  it("KNACK_HOME moves the user's", () => {
    using folder = makeFolder({
      ...files,
      "moved/config.yaml": "skills: { disabled: [near] }\n",
      [`${HOME}/mine/SKILL.md`]: skillText("mine"),
    });
    expect(
      names(knack(folder, ["list", "--json"], { env: { KNACK_HOME: folder.at("moved") } }).json()),
    ).toEqual(["mine"]);
  });
});

describe("usage", () => {
  it.each([["--help"], ["list", "--help"], ["--version"]])(
    "knack %s is asked for and exits with 0",
    (...args) => {
      using folder = makeFolder(files);
      const { code, stdout, stderr } = knack(folder, args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).not.toBe("");
    },
  );

  it.each([["no-such-command"], ["list", "--no-such-option"], ["list", "extra"], []])(
    "knack %s is wrong usage and exits with 2",
    (...args) => {
      using folder = makeFolder(files);
      const { code, stdout, stderr } = knack(folder, args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).not.toBe("");
      expect(stderr).not.toMatch(/\n\s+at /);
    },
  );

  it.each(["list", "show", "validate", "new", "doctor", "trust", "allow", "disable"])(
    "knack %s --help names --json, --cwd and --no-color",
    (command) => {
      using folder = makeFolder(files);
      const { stdout } = knack(folder, [command, "--help"]);
      for (const option of ["--json", "--cwd", "--no-color"]) expect(stdout).toContain(option);
    },
  );
});
