import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSeq, parseDocument } from "yaml";
import { checkConfig } from "../config/check.ts";
import { cases } from "../shared/testing/cases.ts";
import { type Folder, makeFolder } from "../testing/files.ts";
import { changePolicy } from "./change-policy.ts";
import { changeText, type PolicyChange } from "./edit-config.ts";

const FILE = "home/.knack/config.yaml";

function change(folder: Folder, kind: PolicyChange["kind"], skill: string, path?: string): Promise<boolean> {
  const wanted = path === undefined ? { kind, skill } : { kind, skill, path };
  return changePolicy(folder.at(FILE), wanted, folder.at("home"));
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
    const project = { root: folder.at("repo"), userFolder: folder.at("home/.knack") };
    const file = folder.at("repo/.knack/config.yaml");
    await changePolicy(file, { kind: "deny", skill: "x" }, folder.at("home"), project);
    expect(statSync(folder.at("repo/.knack/config.yaml")).mode & 0o777).toBe(0o644);
    expect(statSync(folder.at("repo/.knack")).mode & 0o500).toBe(0o500);
  });

  const keys = ["permissions:\n", "permissions: ~\n", "permissions: {}\n", "permissions: { deny: }\n"];
  it.each(["", "\n", "{}\n", ...keys])("into the nearly empty file %j", async (text) => {
    using folder = makeFolder({ [FILE]: text });
    expect([await change(folder, "deny", "x"), await change(folder, "deny", "x")]).toEqual([true, false]);
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
    expect(await change(folder, "remember", "x")).toBe(true);
    expect(await change(folder, "remember", "x")).toBe(false);
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
    const byPath = 'skills:\n  disabled:\n    - "/srv/my skills/x"\n';
    expect(await after("", "disable", "x", "/srv/my skills/x")).toBe(byPath);
    const byName = "skills: { disabled: [x] }\n";
    expect(await after(byName, "disable", "x", "/srv/x")).toBe(byName);
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

  it("enable creates no file", async () => {
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
    const project = { root: folder.at("repo"), userFolder: folder.at("home/.knack") };
    const refused = changePolicy(path, { kind: "allow", skill: "x" }, folder.at("home"), project);
    await expect(refused).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(readFileSync(folder.at(FILE), "utf8")).toBe("{}\n");
  });
});

interface Style {
  readonly eol: string;
  readonly comment: () => string;
}

const NAMES = ["a", "b", "B", "true", "über", "x y", "12"];
const skill = fc.constantFrom(...NAMES);
const tool = fc.constantFrom("skill_load", "Skill", "skill_read_file", "skill_dispatch", "shell");
const rule = fc.record({ tool, skill: fc.option(skill) });
type Rule = { tool: string; skill: string | null };
type Look = "flow" | "lines" | "block" | "null" | "tilde" | "empty" | "none";
const look = fc.constantFrom<Look>("flow", "lines", "block", "block", "null", "tilde", "empty", "none");

/** A list of items below a key, in one of the ways that people write one; `indent` is the key's. */
function listText(key: string, items: readonly string[], how: Look, indent: string, style: Style): string {
  const { eol, comment } = style;
  const line = (text: string): string => `${text}${comment()}${eol}`;
  const own = (): string => {
    const text = comment();
    return text === "" ? "" : `${indent}  ${text.trim()}${eol}`;
  };
  if (how === "none") return "";
  if (how === "null") return line(`${indent}${key}:`) + own();
  if (how === "tilde") return line(`${indent}${key}: ~`);
  if (how === "empty" || items.length === 0) return line(`${indent}${key}: [ ]`);
  if (how === "flow") return line(`${indent}${key}: [${items.join(", ")}]`);
  if (how === "lines")
    return (
      line(`${indent}${key}: [`) +
      items.map((item) => own() + line(`${indent}  ${item},`)).join("") +
      own() +
      line(`${indent}  ]`)
    );
  return (
    line(`${indent}${key}:`) +
    items.map((item) => own() + line(`${indent}- ${blockItem(item, indent, style)}`)).join("")
  );
}

/** Half of the mappings over several lines, with comments between them. */
function blockItem(item: string, indent: string, { eol, comment }: Style): string {
  const text = comment();
  if (!item.startsWith("{") || text === "") return item;
  return item.slice(2, -2).split(", ").join(`${text}${eol}${indent}  `);
}

const quote = (text: string): string => (/^[ab]$/i.test(text) ? text : JSON.stringify(text));
const ruleText = ({ tool: name, skill: about }: Rule): string =>
  about === null ? `{ tool: ${name} }` : `{ tool: ${name}, skill_name: ${quote(about)} }`;

const parent = fc.constantFrom("block", "flow", "none", "null");
const file = fc
  .record({
    eol: fc.constantFrom("\n", "\n", "\r\n"),
    mark: fc.constantFrom("", "", "\ufeff", "---\n"),
    comments: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
    rules: fc.tuple(fc.array(rule, { maxLength: 4 }), fc.array(rule, { maxLength: 4 })),
    disabled: fc.array(skill, { maxLength: 4 }),
    looks: fc.tuple(look, look, look),
    parents: fc.tuple(parent, parent),
    order: fc.boolean(),
    tail: fc.constantFrom("", "# the end", "dispatch: {maxDepth:   2} # as it was\n\n\n"),
    cut: fc.boolean(),
  })
  .map(({ eol, mark, comments, rules: [allow, deny], disabled, looks, parents, order, tail, cut }) => {
    let next = 0;
    const comment = (): string => {
      const number = next++;
      return comments[number % comments.length] ? `  # c${number}` : "";
    };
    const style: Style = { eol, comment };
    const section = (key: string, how: string, lists: [string, readonly string[], Look][]): string => {
      if (how === "none") return "";
      if (how === "null") return `${key}:${comment()}${eol}`;
      if (how === "block")
        return `${key}:${comment()}${eol}${lists.map((list) => listText(...list, "  ", style)).join("")}`;
      const entries = lists
        .filter(([, , look]) => look !== "none")
        .map(([name, items, look]) => `${name}: ${look === "null" ? "" : `[ ${items.join(" , ")} ]`}`);
      return `${key}: { ${entries.join(", ")} }${comment()}${eol}`;
    };
    const permissions = section("permissions", parents[0], [
      ["allow", allow.map(ruleText), looks[0]],
      ["deny", deny.map(ruleText), looks[1]],
    ]);
    const skills = section("skills", parents[1], [["disabled", disabled.map(quote), looks[2]]]);
    const parts = order ? [permissions, skills] : [skills, permissions];
    const text = mark + parts.join(comments[39] ? eol : "") + tail;
    return cut ? text.trimEnd() : text;
  });

const anyChange: fc.Arbitrary<PolicyChange> = fc.record({
  kind: fc.constantFrom("allow", "deny", "enable", "disable", "remember"),
  skill,
});

/** Every rule and switch as a text; of those about this skill none. */
function entriesIn(text: string, except?: string): string[] {
  const config = checkConfig(text, "f");
  if (Array.isArray(config)) throw new Error(JSON.stringify([config, text]));
  const { allow = [], deny = [] } = config.permissions ?? {};
  const off = (config.skills?.disabled ?? []).map((name) => ({ skill_name: name }));
  return Object.entries({ allow, deny, off }).flatMap(([list, entries]) =>
    entries
      .filter(({ skill_name: name }) => !except || name?.toLowerCase() !== except.toLowerCase())
      .map((entry) => `${list} ${JSON.stringify(entry)}`),
  );
}

const commentsOf = (text: string): string[] => (text.match(/# (c\d+|the end|as it was)/g) ?? []).sort();
/** Comments in and before the lists: one of a removed entry goes with it. */
function commentsInLists(text: string): string[] {
  const document = parseDocument(text);
  return ["permissions.allow", "permissions.deny", "skills.disabled"].flatMap((path) => {
    const list = document.getIn(path.split("."), true);
    if (!isSeq(list) || !list.range) return [];
    return commentsOf(text.slice(text.lastIndexOf(":", list.range[0]), list.range[2]));
  });
}
/** A line that speaks neither of a list nor of an item must stay as it is. Without the byte order mark: an empty first line may go, and the mark then stands before the next one. */
const linesOf = (text: string): string[] =>
  text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.startsWith("dispatch"));

describe("a change of a configuration file", () => {
  it("loses no comment of what stays, no other rule and no other line, says what was asked, and can be made only once", () => {
    fc.assert(
      fc.property(file, fc.array(anyChange, { minLength: 1, maxLength: 3 }), (text, changes) => {
        let before = text;
        for (const wanted of changes) {
          const after = changeText(before, "f", wanted, (entry) => entry);
          const goneWithEntries = commentsInLists(before);
          const lost = commentsOf(before).filter((comment) => !commentsOf(after).includes(comment));
          expect(lost.filter((comment) => !goneWithEntries.includes(comment))).toEqual([]);
          expect(commentsOf(after).filter((comment) => !commentsOf(before).includes(comment))).toEqual([]);
          if (entriesIn(after).length > entriesIn(before).length) expect(lost).toEqual([]);
          expect(entriesIn(after, wanted.skill)).toEqual(entriesIn(before, wanted.skill));
          expect(linesOf(after)).toEqual(linesOf(before));
          expect(after.startsWith("\ufeff")).toBe(before.startsWith("\ufeff"));
          if (before.includes("\r\n") && !/[^\r]\n/.test(before)) expect(after).not.toMatch(/[^\r]\n/);
          expect(changeText(after, "f", wanted, (entry) => entry)).toBe(after);
          before = after;
        }
      }),
      { numRuns: cases(2_000) },
    );
  });
});
