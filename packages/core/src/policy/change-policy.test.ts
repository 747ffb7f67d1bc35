import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../testing/files.ts";
import { changePolicy, rememberAllow } from "./change-policy.ts";
import type { PolicyChange } from "./edit-config.ts";

const FILE = "home/.knack/config.yaml";

function change(folder: Folder, kind: PolicyChange["kind"], skill: string, path?: string): Promise<boolean> {
  const wanted = path === undefined ? { kind, skill } : { kind, skill, path };
  return changePolicy(folder.at(FILE), wanted, { home: folder.at("home") });
}

/** The file's text after a change. */
async function after(
  text: string,
  kind: PolicyChange["kind"],
  skill: string,
  path?: string,
): Promise<string> {
  using folder = makeFolder({ [FILE]: text });
  await change(folder, kind, skill, path);
  return readFileSync(folder.at(FILE), "utf8");
}

const DENY_X = "permissions:\n  deny:\n    - { tool: skill_load, skill_name: x }\n";

describe("what is written", () => {
  it("a file that was not there, for the user alone", async () => {
    using folder = makeFolder();
    expect(await change(folder, "deny", "x")).toBe(true);
    expect(readFileSync(folder.at(FILE), "utf8")).toBe(DENY_X);
    expect(statSync(folder.at(FILE)).mode & 0o777).toBe(0o600);
    expect(statSync(folder.at("home/.knack")).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder.at("home/.knack"))).toEqual(["config.yaml", "locks"]);
  });

  it("a project's file, for everybody", async () => {
    using folder = makeFolder({ "repo/": "" });
    await changePolicy(
      folder.at("repo/.knack/config.yaml"),
      { kind: "deny", skill: "x" },
      { isShared: true, userFolder: folder.at("home/.knack") },
    );
    expect(statSync(folder.at("repo/.knack/config.yaml")).mode & 0o777).toBe(0o644);
    expect(statSync(folder.at("repo/.knack")).mode & 0o500).toBe(0o500);
  });

  it.each([
    "",
    "\n",
    "{}\n",
    "permissions:\n",
    "permissions: ~\n",
    "permissions: {}\n",
    "permissions: { deny: }\n",
  ])("into the nearly empty file %j", async (text) => {
    using folder = makeFolder({ [FILE]: text });
    expect(await change(folder, "deny", "x")).toBe(true);
    expect(await change(folder, "deny", "x")).toBe(false);
    expect(readFileSync(folder.at(FILE), "utf8")).toContain("{ tool: skill_load, skill_name: x }");
  });

  it.each([
    ["# mine", `# mine\n\n${DENY_X}`],
    ["~", DENY_X],
    ["permissions:", DENY_X],
    ["permissions:\n  deny:\n  default: null\n", `${DENY_X}  default: null\n`],
    [
      "permissions: { default: allow }",
      "permissions: { default: allow, deny: [ { tool: skill_load, skill_name: x } ] }\n",
    ],
    [
      "permissions: { deny: [{ tool: a }] } # c\n",
      "permissions: { deny: [ { tool: a }, { tool: skill_load, skill_name: x } ] } # c\n",
    ],
    [
      "permissions:\r\n  deny:\r\n  -   tool: a   # why\r\nrouting:   r.yaml\r\n",
      "permissions:\r\n  deny:\r\n  -   tool: a   # why\r\n  - { tool: skill_load, skill_name: x }\r\nrouting:   r.yaml\r\n",
    ],
    ['\ufeffstore: {url:   "sqlite:x"}\n\n\n# end\n', `\ufeffstore: {url:   "sqlite:x"}\n${DENY_X}\n# end\n`],
    [
      "permissions:\n    deny:\n    -   tool: a   # why\n",
      "permissions:\n    deny:\n      - tool: a # why\n      - { tool: skill_load, skill_name: x }\n",
    ],
  ])("a rule into %j, and nothing else is touched", async (text, expected) => {
    expect(await after(text, "deny", "x")).toBe(expected);
  });

  it.each([
    ["true", '"true"'],
    ["12", '"12"'],
    ["x, y }", '"x, y }"'],
    ["レビュー", '"レビュー"'],
    ["#1", '"#1"'],
  ])("the name %j so that it is read as a text", async (name, written) => {
    expect(await after("", "deny", name)).toBe(
      `permissions:\n  deny:\n    - { tool: skill_load, skill_name: ${written} }\n`,
    );
  });
});

describe("knack allow x removes a deny for x and the reverse; comments of what stays are kept", () => {
  const text = `# my rules
permissions:
  allow:
    - { tool: skill_search }   # harmless
    # I trust it
    - { tool: skill_load, skill_name: x } # since May
    - tool: Skill     # one
      # two
      skill_name: x   # three
    - { tool: skill_dispatch, skill_name: x }
  deny: [ { tool: skill_load, skill_name: y }, { tool: shell } ]
`;

  it("deny", async () => {
    expect(await after(text, "deny", "x")).toBe(`# my rules
permissions:
  allow:
    - { tool: skill_search }   # harmless
    - { tool: skill_dispatch, skill_name: x }
  deny: [ { tool: skill_load, skill_name: y }, { tool: shell }, { tool: skill_load, skill_name: x } ]
`);
  });

  it("allow", async () => {
    const result = await after(text, "allow", "Y");
    expect(result).toContain("  deny: [ { tool: shell } ]\n");
    expect(result).toContain('    - { tool: skill_load, skill_name: "Y" }\n');
  });

  it("there and back again leaves what was there", async () => {
    using folder = makeFolder({ [FILE]: text });
    for (const kind of ["deny", "allow", "deny"] as const) expect(await change(folder, kind, "z")).toBe(true);
    const result = readFileSync(folder.at(FILE), "utf8");
    expect(result.replace(", { tool: skill_load, skill_name: z }", "")).toBe(text);
  });

  it("what a general rule covers is not written again, and a general rule is never removed", async () => {
    using folder = makeFolder({ [FILE]: "permissions: { deny: [{ tool: skill_load }] }\n" });
    expect(await change(folder, "deny", "x")).toBe(false);
    await change(folder, "allow", "x");
    expect(readFileSync(folder.at(FILE), "utf8")).toContain("deny: [ { tool: skill_load } ]");
  });

  it("remembering an answer writes the rule of 004 §8.1", async () => {
    using folder = makeFolder({ [FILE]: "permissions: { default: confirm }\n" });
    expect(await rememberAllow(folder.at(FILE), "x")).toBe(true);
    expect(await rememberAllow(folder.at(FILE), "x")).toBe(false);
    expect(readFileSync(folder.at(FILE), "utf8")).toBe(
      "permissions: { default: confirm, allow: [ { tool: skill_load, skill_name: x } ] }\n",
    );
  });

  it("a name that no rule can have is refused", async () => {
    using folder = makeFolder();
    for (const name of ["a*", "a/b", " a"])
      await expect(change(folder, "deny", name)).rejects.toMatchObject({ code: "INVALID_PARAM" });
    expect(existsSync(folder.at(FILE))).toBe(false);
  });
});

describe("switches", () => {
  it("disable writes the name, or the path where one was given", async () => {
    expect(await after("", "disable", "x")).toBe("skills:\n  disabled:\n    - x\n");
    expect(await after("", "disable", "x", "/srv/my skills/x")).toBe(
      'skills:\n  disabled:\n    - "/srv/my skills/x"\n',
    );
    expect(await after("skills: { disabled: [x] }\n", "disable", "x", "/srv/x")).toBe(
      "skills: { disabled: [x] }\n",
    );
  });

  it("enable removes the name and the path in any spelling that means the skill", async () => {
    using folder = makeFolder({ "home/s/x/SKILL.md": "", "home/way": { link: "s" } });
    folder.write({
      [FILE]: `skills:
  disabled:
    - x
    - s/x # relative
    - ./s/../s/x/
    - ~/s/x/SKILL.md
    - way/x
    - ${folder.at("home/s/x")}
    - s/xy
    - X
`,
    });
    expect(await change(folder, "enable", "x", folder.at("home/s/x"))).toBe(true);
    expect(readFileSync(folder.at(FILE), "utf8")).toBe("skills:\n  disabled:\n    - s/xy\n");
    expect(await change(folder, "enable", "x", folder.at("home/s/x"))).toBe(false);
  });

  it("enable makes no file where there is none", async () => {
    using folder = makeFolder();
    expect(await change(folder, "enable", "x")).toBe(false);
    expect(existsSync(folder.at("home"))).toBe(false);
  });

  it("a name that would be read as a path needs the path", async () => {
    using folder = makeFolder();
    await expect(change(folder, "disable", ".x")).rejects.toMatchObject({ code: "INVALID_PARAM" });
  });
});

describe("the file", () => {
  it.each(["permissions:\n  deny: [{ tool: skil_load }]\n", "permissions:\n  deny: [\n"])(
    "that is wrong now is refused with its line and left alone: %j",
    async (text) => {
      using folder = makeFolder({ [FILE]: text });
      await expect(change(folder, "deny", "x")).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(/config\.yaml:\d: /),
      });
      expect(readFileSync(folder.at(FILE), "utf8")).toBe(text);
      expect(readdirSync(folder.at("home/.knack"))).toEqual(["config.yaml", "locks"]);
    },
  );

  it("that is not UTF-8, or too large afterwards, is left alone", async () => {
    using folder = makeFolder({ [FILE]: Buffer.from([0x23, 0xe9, 0x0a]) });
    await expect(change(folder, "deny", "x")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect([...readFileSync(folder.at(FILE))]).toEqual([0x23, 0xe9, 0x0a]);
    folder.write({ [FILE]: `#${"x".repeat(64 * 1024 - 10)}\n` });
    await expect(change(folder, "deny", "x")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("keeps its mode", async () => {
    using folder = makeFolder({ [FILE]: "" });
    chmodSync(folder.at(FILE), 0o640);
    await change(folder, "deny", "x");
    expect(statSync(folder.at(FILE)).mode & 0o777).toBe(0o640);
  });

  it.each([["dotfiles/knack.yaml"], ["dotfiles/new.yaml"]])(
    "that is a link to %s stays one",
    async (target) => {
      using folder = makeFolder({ [FILE]: { link: `../../${target}` }, "dotfiles/knack.yaml": "# mine\n" });
      await change(folder, "deny", "x");
      expect(lstatSync(folder.at(FILE)).isSymbolicLink()).toBe(true);
      expect(readlinkSync(folder.at(FILE))).toBe(`../../${target}`);
      expect(readFileSync(folder.at(target), "utf8")).toContain("skill_name: x");
      expect(readdirSync(folder.at("home/.knack"))).toEqual(["config.yaml", "locks"]);
    },
  );

  it("of a project is reached through no link", async () => {
    using folder = makeFolder({
      "repo/.knack/config.yaml": { link: "../home/.knack/config.yaml" },
      [FILE]: "{}\n",
    });
    const path = folder.at("repo/.knack/config.yaml");
    const refused = changePolicy(path, { kind: "allow", skill: "x" }, { within: folder.at("repo") });
    await expect(refused).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(readFileSync(folder.at(FILE), "utf8")).toBe("{}\n");
  });
});
