import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { type Answer, environment, knack, makeProject, PROGRAM, program, REPO, TRUST } from "./run.ts";

const healthy = { "repo/.git/": "", [`${REPO}/good/SKILL.md`]: skillText("good") };

/** The checks that did not pass. */
const wrong = ({ checks }: Answer) => checks.filter(({ ok }) => !ok);

const messageOf = ({ checks }: Answer, name: string) => checks.find((check) => check.name === name)?.message;

describe("knack doctor about agents", () => {
  it("says how many skills models get, and how many of the project are hidden until it is trusted", () => {
    using folder = makeProject();
    const before = knack(folder, ["doctor", "--json"]).json();
    expect(messageOf(before, "agents")).toBe(
      "1 skill for models, over MCP, HTTP, JSON-RPC; 1 of this project is hidden until you trust it",
    );
    const after = knack(folder, ["doctor", "--json"], TRUST).json();
    expect(messageOf(after, "agents")).toBe("2 skills for models, over MCP, HTTP, JSON-RPC");
  });

  it("has a line for each agent: what it has of Knack, when it came, what it sees, what to do", () => {
    using folder = makeProject({
      "bin/claude": "#!/bin/sh\necho 2.1.325",
      "bin/codex": "#!/bin/sh\necho codex 0.166.0",
    });
    for (const name of ["claude", "codex"]) chmodSync(folder.at("bin", name), 0o755);
    const env = { PATH: `${folder.at("bin")}:${process.env.PATH}` };
    const agents = () =>
      knack(folder, ["doctor", "--json"], { env })
        .json()
        .checks.filter(({ name }) => name.startsWith("agent "));
    expect(agents()).toMatchObject([
      {
        name: "agent Claude Code",
        ok: true,
        message: "not set up",
        hint: '"knack setup claude" gives it the skills.',
      },
      { name: "agent Codex", ok: true, message: "not set up" },
    ]);
    for (const client of ["claude", "codex"])
      expect(program(folder, ["setup", client, "--yes", "--json"], { env }).stdout).toContain(
        '"changed":true',
      );
    program(folder, ["hook", "prompt", "--client", "claude"], {
      env,
      input: JSON.stringify({ session_id: "s", prompt: "good", cwd: folder.at("repo") }),
    });
    const [claude, codex] = agents();
    expect(claude?.message).toMatch(
      /^2\.1\.325; set up; hooks; connected \d.*; sees 1 of 5 skills \(1 waiting for trust, 1 skipped, 1 disabled, 1 ineligible.*\)$/,
    );
    expect(codex?.message).toContain("0.166.0; set up; hooks not trusted; has not connected in this project");
    expect(codex?.hint).toContain("/hooks");
    folder.write({ "home/.knack/config.yaml": "skills: { disabled: [off, mine] }\n" });
    expect(agents()[0]).toMatchObject({ ok: false, message: expect.stringContaining("sees 0 of 5 skills") });
  });

  it("says which runners there are, and what a configured one lacks", () => {
    using folder = makeFolder({ ...healthy, "bin/codex": "" });
    chmodSync(folder.at("bin/codex"), 0o755);
    const env = { PATH: folder.at("bin") };
    const told = (): Answer => knack(folder, ["doctor", "--json"], { env }).json();
    expect(messageOf(told(), "runners")).toBe(
      "none by default, so a dispatch prints its frame; installed: codex",
    );
    folder.write({ "home/.knack/config.yaml": "runners: { default: codex }\n" });
    expect(messageOf(told(), "runners")).toBe("codex by default; installed: codex");
    folder.write({
      "home/.knack/config.yaml": "runners: { default: mine, mine: { command: [mine, -p] } }\n",
    });
    expect(wrong(told())).toMatchObject([
      { name: "runners", message: 'mine needs the program "mine", which is not installed; mine by default' },
    ]);
    folder.write({ "home/.knack/config.yaml": "runners: { default: codx }\n" });
    expect(wrong(told()).map(({ message }) => message)).toEqual([
      expect.stringContaining("Did you mean codex?"),
    ]);
  });
});

describe("knack doctor", () => {
  it("names the projects whose state is kept there, so that the history of a renamed folder is found", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "home/.knack/projects/0123/project.json": '{"path": "/old/place"}',
    });
    expect(knack(folder, ["doctor"]).stdout).toMatch(/has the state of 1 other project: \/old\/place/);
  });

  it("--json is {ok, checks}, exit 0 where all is well", () => {
    using folder = makeFolder(healthy);
    const { code, stderr, json } = knack(folder, ["doctor", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { ok, checks } = json();
    expect(ok).toBe(true);
    for (const check of checks) {
      expect(check).toEqual({
        name: expect.any(String),
        ok: true,
        message: expect.any(String),
        ...("hint" in check ? { hint: expect.any(String) } : {}),
      });
    }
    expect(checks.map(({ name }) => name)).toContain(`root ${folder.at(REPO)}`);
  });

  it("names every folder with skills, per client, and what Knack does with it", () => {
    using folder = makeFolder({
      ...healthy,
      "home/.claude/skills/mine/SKILL.md": skillText("mine"),
      "home/.claude/skills/good": { link: "../../../repo/.agents/skills/good" },
      "home/.codex/skills/mine/SKILL.md": skillText("mine"),
      "home/.codex/skills/broken/SKILL.md": "no frontmatter",
      "repo/.cursor/skills/good/SKILL.md": skillText("good", "Another one."),
    });
    const told = knack(folder, ["doctor", "--json"]).json();
    expect(messageOf(told, `claude ${folder.at("home/.claude/skills")}`)).toBe(
      "1 skill, 1 more that is also in another folder (user, Claude Code)",
    );
    expect(messageOf(told, `codex ${folder.at("home/.codex/skills")}`)).toBe(
      "0 skills, 1 more that is also in another folder, 1 skipped (user, Codex)",
    );
    expect(messageOf(told, `cursor ${folder.at("repo/.cursor/skills")}`)).toBe(
      "1 skill, 1 inactive (repo, Cursor)",
    );
    folder.write({ "home/.knack/config.yaml": "skills: { clients: [codex] }\n" });
    const { checks } = knack(folder, ["doctor", "--json"]).json();
    expect(checks.find(({ name }) => name === `claude ${folder.at("home/.claude/skills")}`)).toEqual({
      name: expect.any(String),
      ok: true,
      message: "not searched (Claude Code)",
      hint: "Add claude to skills.clients in the configuration to use these skills.",
    });
  });

  it("tells roots, counts, configuration and trust to a person, without colour", () => {
    using folder = makeFolder(healthy);
    const { code, stdout } = knack(folder, ["doctor"]);
    expect(code).toBe(0);
    for (const words of [
      "not trusted",
      "1 skill (repo, agentskills)",
      "configuration: none, defaults apply",
      "1 usable",
    ]) {
      expect(stdout).toContain(words);
    }
    expect(stdout).not.toContain("\u001b");
  });

  it("exits with 1 if a skill was skipped, and says what to do", () => {
    using folder = makeProject();
    const { code, json } = knack(folder, ["doctor", "--json"]);
    expect(code).toBe(1);
    expect(json().ok).toBe(false);
    expect(wrong(json())).toMatchObject([
      { name: "skills", hint: expect.stringContaining("knack validate") },
    ]);
    expect(knack(folder, ["doctor"]).stdout).toContain("wrong skills: ");
  });

  it("takes no ineligible, disabled or ambiguous skill for a problem", () => {
    using folder = makeProject({
      [`${REPO}/bad/SKILL.md`]: skillText("bad"),
      [`${REPO}/g/good/SKILL.md`]: skillText("good"),
    });
    const { code, json } = knack(folder, ["doctor", "--json"]);
    expect(code).toBe(0);
    expect(json().checks).toContainEqual(
      expect.objectContaining({ name: "names", message: expect.stringContaining("good (2)") }),
    );
  });

  it("counts one thing as one", () => {
    using folder = makeFolder(healthy);
    knack(folder, ["list"]);
    expect(knack(folder, ["doctor"]).stdout).toMatch(/catalog, 1 file, /);
    expect(knack(folder, ["doctor"]).stdout).not.toMatch(/\b1 (?:warnings|files|names)\b/);
  });

  it.each([
    ["home/.knack/config.yaml", "skills: { roots: [{ path: nowhere }] }\n", /^root .*home\/nowhere: /],
    ["home/.knack/config.yaml", "skils: {}\n", /^configuration: .*config\.yaml:1: /],
    ["home/.knack/trust.json", "broken", /trust\.json/],
    ["cache", "a file", /^index: /],
    ["cache/knack", "a file", /^index: /],
    ["cache/knack/catalog", "a file", /^index: /],
  ])("exits with 1 where %s is %j, and names what is wrong", (path, text, told) => {
    using folder = makeFolder({ ...healthy, [path]: text });
    const { code, json } = knack(folder, ["doctor", "--json"]);
    expect(code).toBe(1);
    expect(wrong(json()).map(({ name, message }) => `${name}: ${message}`)).toContainEqual(
      expect.stringMatching(told),
    );
  });

  it("lists skills that claim the same triggers and copies, and takes neither for a problem", () => {
    const merge = "Resolve git merge conflicts. Use when a rebase stops with conflicts.";
    using folder = makeFolder({
      "repo/.git/": "",
      [`${REPO}/merge/SKILL.md`]: skillText("merge", merge),
      [`${REPO}/g/merge/SKILL.md`]: skillText("merge", merge),
      [`${REPO}/fix/SKILL.md`]: skillText("fix", "Resolve conflicts of a git merge or a stopped rebase."),
      [`${REPO}/bread/SKILL.md`]: skillText("bread", "Bake a loaf from flour, water and salt."),
    });
    const { code, json } = knack(folder, ["doctor", "--json"]);
    expect(code).toBe(0);
    const place = (name: string, path = name) => ({ name, path: folder.at(REPO, path, "SKILL.md") });
    expect(json().overlaps).toEqual({
      pairs: [
        {
          a: place("fix"),
          b: place("merge", "g/merge"),
          overlap: expect.any(Number),
          words: expect.arrayContaining(["conflicts", "rebase"]),
        },
      ],
      pairCount: 1,
      copies: [
        {
          name: "merge",
          paths: [folder.at(REPO, "g/merge/SKILL.md"), folder.at(REPO, "merge/SKILL.md")],
        },
      ],
      copyCount: 1,
    });
    const { stdout } = knack(folder, ["doctor"]);
    expect(stdout).toContain("1 pair of skills claims the same triggers, 1 skill in several places");
    expect(stdout).toMatch(/^0\.\d\d +fix +merge +/m);
    expect(stdout).toMatch(/^copy +merge +2 places +…\/g\/merge, …\/merge$/m);
  });
});

describe("knack doctor about what has no effect", () => {
  it("warns of each setting that matches nothing, with file and line, and is not wrong", () => {
    using folder = makeFolder({
      ...healthy,
      [`${REPO}/broken/SKILL.md`]: skillText("broken"),
      "repo/.knack/config.yaml": [
        "permissions:",
        "  allow:",
        "    - { tool: skill_load, skill_name: Good }",
        "    - { tool: skill_load, skill_name: good }",
        "  deny:",
        "    - { tool: Bash }",
        "skills:",
        "  disabled:",
        "    - brokn",
        "    - ./.agents/skills/gone",
        "    - ./.agents/skills/broken",
        "",
      ].join("\n"),
      "home/.knack/config.yaml":
        "skills: { disabled: [user:good], roots: [{ project: .my/skills }] }\nisolation: { allowNone: [text_extrakt] }\n",
    });
    const { json } = knack(folder, ["doctor", "--json"], TRUST);
    expect(wrong(json())).toEqual([]);
    const file = folder.at("repo/.knack/config.yaml");
    const told = json().checks.filter(({ name }) => name.includes("config.yaml"));
    expect(told.map(({ name, message }) => `${name.split("/").slice(-3).join("/")} ${message}`)).toEqual([
      'home/.knack/config.yaml:2 isolation.allowNone[0] has no effect: no typed skill here is called "text_extrakt". Did you mean "text_extract"?',
      'repo/.knack/config.yaml:3 permissions.allow[0].skill_name has no effect: no skill here is called "Good". Did you mean "good"?',
      'repo/.knack/config.yaml:9 skills.disabled[0] has no effect: no skill here is called "brokn". Did you mean "broken"?',
      'home/.knack/config.yaml:1 skills.disabled[0] has no effect: no skill here is called "user:good".',
      'repo/.knack/config.yaml:6 permissions.deny[0].tool has no effect: no tool here is called "Bash".',
      `repo/.knack/config.yaml:10 skills.disabled[1] has no effect: there is no skill at ${folder.at("repo/.agents/skills/gone")}.`,
    ]);
    expect(knack(folder, ["doctor"], TRUST).stdout).toContain(`warn  ${file}:6: permissions.deny[0].tool`);
  });

  it("002 §6: names the folders without SKILL.md directly in a root, and none that leads to a skill", () => {
    using folder = makeFolder({
      ...healthy,
      [`${REPO}/group/deep/inner/SKILL.md`]: skillText("inner"),
      [`${REPO}/linked/x`]: { link: "../../../../elsewhere" },
      [`${REPO}/.hidden/notes.txt`]: "",
      [`${REPO}/drafts/notes.md`]: "",
      [`${REPO}/empty/`]: "",
      "elsewhere/x/SKILL.md": skillText("x"),
      "repo/skills/plan/readme.md": "",
      "repo/skills/impl/run.ts": "",
      "repo/skills/registry.yaml": "version: 1\nskills: []\n",
      "ws/bare/notes.md": "",
    });
    const env = { ...TRUST.env, SKILLS_WORKSPACE_DIR: folder.at("ws") };
    const told = knack(folder, ["doctor", "--json"], { env }).json();
    const named = (root: string) =>
      /without SKILL.md: (.*) \(/.exec(messageOf(told, `root ${folder.at(root)}`) ?? "")?.[1];
    expect([named(REPO), named("repo/skills"), named("ws")]).toEqual(["drafts, empty", "plan", "bare"]);
    const again = knack(folder, ["doctor", "--json"], { env }).json();
    expect(messageOf(again, `root ${folder.at(REPO)}`)).toBe(messageOf(told, `root ${folder.at(REPO)}`));
  });
});

const watchingIn = ({ checks }: Answer) => checks.find(({ name }) => name === "watching");

/** In a separate user namespace the number of watches can be limited for one program. */
const inNamespace = (command: string): string[] => ["-Ur", "sh", "-c", command];
const canLimit =
  spawnSync("unshare", inNamespace("echo 9 > /proc/sys/user/max_inotify_watches")).status === 0;

describe("knack doctor says whether changes are reported", () => {
  it.each([
    [{}, "the system reports every change in 2 folders"],
    [{ KNACK_WATCH: "off" }, "off (KNACK_WATCH=off): a server checks all files before each call"],
  ])("with the environment %j", (env, message) => {
    using folder = makeFolder({ ...healthy, "home/": "" });
    const told = knack(folder, ["doctor", "--json"], { env }).json();
    expect(watchingIn(told)).toEqual({ name: "watching", ok: true, message });
  });

  it.skipIf(!canLimit)("or that no inotify watches are left, and what to do", () => {
    const more = Object.fromEntries(["a", "b"].map((name) => [`${REPO}/${name}/SKILL.md`, skillText(name)]));
    using folder = makeFolder({ ...healthy, "home/": "", ...more });
    const command = `echo 2 > /proc/sys/user/max_inotify_watches && exec "${process.execPath}" "${PROGRAM}" doctor --json`;
    const { stdout } = spawnSync("unshare", inNamespace(command), {
      cwd: folder.at("repo"),
      env: environment(folder),
      encoding: "utf8",
    });
    expect(watchingIn(JSON.parse(stdout))).toEqual({
      name: "watching",
      ok: true,
      message: "a server checks all files before each call, because the system has no inotify watches left",
      hint: "Raise the limit: sysctl fs.inotify.max_user_watches=1048576",
    });
  });
});
