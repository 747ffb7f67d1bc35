import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillNamed } from "../../../../test/edges/skill-named.ts";
import { cases } from "../shared/testing/cases.ts";
import { type FileSpec, type Folder, makeFolder, skillText } from "../testing/index.ts";
import { readTriggerCases, TRIGGER_FILES, type TriggerFault } from "./trigger-cases.ts";

const RUNS = cases(300);

const skillIn = (folder: Folder) => skillNamed("s", folder.at("s"));

/** A skill `s` with these files beside its SKILL.md; JSON is given as data. */
function makeSkill(files: Readonly<Record<string, unknown>> = {}): Folder {
  const isText = (spec: unknown): spec is FileSpec =>
    typeof spec === "string" || spec instanceof Uint8Array || JSON.stringify(spec).startsWith('{"link":');
  const specs = Object.entries(files).map(([name, spec]) => [
    `s/${name}`,
    isText(spec) ? spec : JSON.stringify(spec),
  ]);
  return makeFolder({ "s/SKILL.md": skillText("s"), ...Object.fromEntries(specs) });
}

/** `+` before a prompt that should trigger, `-` before one that should not. */
async function promptsOf(files: Readonly<Record<string, unknown>>): Promise<string[]> {
  using folder = makeSkill(files);
  const { cases, faults } = await readTriggerCases(skillIn(folder));
  expect(faults).toEqual([]);
  return cases.map(({ prompt, shouldTrigger }) => `${shouldTrigger ? "+" : "-"}${prompt}`);
}

async function faultsOf(files: Readonly<Record<string, unknown>>): Promise<TriggerFault[]> {
  using folder = makeSkill(files);
  const { faults } = await readTriggerCases(skillIn(folder));
  for (const { path, message } of faults) {
    expect(Object.keys(files)).toContain(path.slice(folder.at("s/").length));
    expect(message).toMatch(/^.+\.$/);
  }
  return faults;
}

describe("evals/evals.json: tasks for the skill", () => {
  const FILE = "evals/evals.json";

  it.each([
    ["evals", { skill_name: "s", evals: [{ id: 1, prompt: "a", expected_output: "x", files: [] }] }],
    ["cases", { cases: [{ prompt: "a", assertions: ["x"] }] }],
    ["tests", { tests: [{ prompt: "a", expectations: ["x"] }] }],
    ["the first that is a list", { evals: 3, cases: [{ prompt: "a" }], tests: [] }],
    ["a list alone", [{ prompt: "a" }]],
  ])("reads the list under %s, and every prompt should trigger", async (_name, data) => {
    expect(await promptsOf({ [FILE]: data })).toEqual(["+a"]);
  });

  it("lets a case say that it should not trigger", async () => {
    const data = [
      { prompt: "a", should_trigger: false },
      { prompt: "b", should_trigger: true },
    ];
    expect(await promptsOf({ [FILE]: [...data, { prompt: "c" }] })).toEqual(["-a", "+b", "+c"]);
  });

  it("has a case's file and its place in the list, and the prompt as it was written", async () => {
    using folder = makeSkill({ [FILE]: [{ prompt: "" }, { prompt: " a\n日本 " }] });
    const skill = skillIn(folder);
    const { cases } = await readTriggerCases(skill);
    expect(cases).toEqual([
      { skill, prompt: " a\n日本 ", shouldTrigger: true, source: folder.at("s", FILE), index: 1 },
    ]);
    expect(cases[0]!.skill).toBe(skill);
  });
});

describe("evals/trigger-eval.json: prompts with what should happen", () => {
  const FILE = "evals/trigger-eval.json";
  const LIST = [
    { query: "a", should_trigger: true },
    { prompt: "b", should_trigger: false, note: "unknown keys are ignored" },
  ];

  it.each([
    ["a list alone", LIST],
    ["cases", { cases: LIST }],
    ["queries", { queries: LIST, version: 1 }],
  ])("reads %s, with query or prompt", async (_name, data) => {
    expect(await promptsOf({ [FILE]: data })).toEqual(["+a", "-b"]);
  });

  it.each([
    [undefined, "nothing"],
    ["false", "text"],
    [0, "0"],
    [null, "null"],
  ])("does not guess what should_trigger: %j means", async (value, found) => {
    const [fault, ...more] = await faultsOf({ [FILE]: { queries: [{ query: "a", should_trigger: value }] } });
    expect(fault?.message).toBe(`queries[0].should_trigger must be true or false, found ${found}.`);
    expect(more).toEqual([]);
  });
});

describe.each(["triggers.yaml", "evals/triggers.yaml"])("%s: two lists of prompts", (FILE) => {
  it("reads both, those that should trigger first, and ignores other keys", async () => {
    const text = 'version: 2\nshould_not_trigger:\n  - c\nshould_trigger:\n  - a\n  - "b: with a colon"\n';
    expect(await promptsOf({ [FILE]: text })).toEqual(["+a", "+b: with a colon", "-c"]);
  });

  it("counts the places of both lists on", async () => {
    using folder = makeSkill({ [FILE]: "should_trigger: [a, '', b]\nshould_not_trigger: [c]\n" });
    const { cases } = await readTriggerCases(skillIn(folder));
    expect(cases.map(({ prompt, index }) => [prompt, index])).toEqual([
      ["a", 0],
      ["b", 2],
      ["c", 3],
    ]);
  });

  it("keeps a prompt that looks like a number or a boolean the text that was written", async () => {
    const prompts = await promptsOf({ [FILE]: "should_trigger: [yes, 1.10, null]\n" });
    expect(prompts).toEqual(["+yes", "+1.10", "+null"]);
  });

  it("takes a key with nothing after it for absent, and one list for enough", async () => {
    expect(await promptsOf({ [FILE]: "should_trigger:\nshould_not_trigger: [a]\n" })).toEqual(["-a"]);
    expect(await promptsOf({ [FILE]: "should_trigger: []\n" })).toEqual([]);
  });

  it("names the line of what is wrong, and reads the rest", async () => {
    using folder = makeSkill({
      [FILE]: "# prompts\nshould_trigger:\n  - good\n  - Fix: this\n  - ' '\n  - [a]\n",
    });
    const { cases, faults } = await readTriggerCases(skillIn(folder));
    expect(cases.map(({ prompt }) => prompt)).toEqual(["good"]);
    const text = "must be text that a user would write, found";
    expect(faults.map(({ line, message }) => `${line} ${message}`)).toEqual([
      `4 should_trigger[1] ${text} an object. Put quotes around a prompt with ": " in it.`,
      "5 should_trigger[2] is empty; write what a user would ask, or remove the case.",
      `6 should_trigger[3] ${text} a list.`,
    ]);
  });

  it.each([
    ["neither list", "prompts: [a]\n", 1, "are both missing"],
    ["nothing", "", 1, "are both missing"],
    ["text where a list should be", "a: b\nshould_trigger: a b\n", 2, "must be a list"],
    ["a mapping where a list should be", "should_not_trigger: {a: b}\n", 1, "must be a list"],
    ["a list without a key", "- a\n", 1, "found a list"],
    ["broken YAML", "should_trigger:\n  - 'a\n", 3, "Not valid YAML"],
    ["a prompt that looks like an alias", "should_trigger:\n  - a\n  - *urgent* fix\n", 3, "needs quotes"],
    ["a key twice", "should_trigger: [a]\nshould_trigger: [b]\n", 2, "twice"],
  ])("finds fault with %s", async (_name, text, line, message) => {
    expect(await faultsOf({ [FILE]: text })).toMatchObject([
      { line, message: expect.stringContaining(message) },
    ]);
  });
});

describe("where the cases of a skill stand", () => {
  it("is nowhere for most skills", async () => {
    expect(await promptsOf({ "references/evals.json": "[" })).toEqual([]);
    expect(await promptsOf({ evals: "a file, not a folder" })).toEqual([]);
    expect(await promptsOf({ "evals/": "" })).toEqual([]);
  });

  it("is all four files, in their order", async () => {
    const files = {
      "evals/triggers.yaml": "should_trigger: [d]",
      "triggers.yaml": "should_trigger: [c]",
      "evals/trigger-eval.json": [{ query: "b", should_trigger: true }],
      "evals/evals.json": [{ prompt: "a" }],
    };
    expect(await promptsOf(files)).toEqual(["+a", "+b", "+c", "+d"]);
    expect(Object.keys(files).sort()).toEqual([...TRIGGER_FILES].sort());
  });

  it("is a file with a byte order mark and CRLF too", async () => {
    const files = {
      "evals/evals.json": '\ufeff[\r\n{"prompt": "a"}\r\n]\r\n',
      "triggers.yaml": "\ufeffshould_trigger:\r\n  - b\r\n  - c\r\n",
    };
    expect(await promptsOf(files)).toEqual(["+a", "+b", "+c"]);
  });

  it("is no folder that is gone by now", async () => {
    using folder = makeSkill({ "triggers.yaml": "should_trigger: [a]" });
    rmSync(folder.at("s"), { recursive: true });
    expect(await readTriggerCases(skillIn(folder))).toEqual({ cases: [], faults: [] });
  });

  it("may be a link that stays in the skill's folder", async () => {
    const files = { "tests/t.yaml": "should_trigger: [a]", "triggers.yaml": { link: "tests/t.yaml" } };
    expect(await promptsOf(files)).toEqual(["+a"]);
    expect(
      await promptsOf({ "tests/triggers.yaml": "should_trigger: [a]", evals: { link: "tests" } }),
    ).toEqual(["+a"]);
  });

  it("is never outside of the skill's folder, and nothing from there is quoted", async () => {
    using folder = makeSkill({ evals: { link: "../secret" }, "triggers.yaml": { link: "../secret/key" } });
    folder.write({ "secret/key": "TOP SECRET", "secret/evals.json": "TOP SECRET" });
    const { cases, faults } = await readTriggerCases(skillIn(folder));
    expect(cases).toEqual([]);
    expect(faults.map(({ path }) => path)).toEqual([
      folder.at("s/evals/evals.json"),
      folder.at("s/triggers.yaml"),
    ]);
    for (const { message } of faults) expect(message).toMatch(/^The link leads outside the skill's folder/);
  });
});

describe("a bad file is a fault with what is wrong and what to do", () => {
  const FILE = "evals/evals.json";

  it.each([
    ["an empty file", "", undefined, "Not valid JSON: Unexpected end"],
    ["broken JSON", '[\n  {"prompt": "a",}\n]', 2, "Not valid JSON: Expected double-quoted property name"],
    ["broken JSON on many lines", "[1,\n\n,]", undefined, "',', \"[1, ,]\" is not valid JSON"],
    ["half of a character", "[\ud83d\ude00]", undefined, "Not valid JSON"],
    ["text", '"a"', undefined, "found text"],
    ["null", "null", undefined, "found null"],
    ["an object without a list", '{"prompts": []}', undefined, '"evals", "cases", "tests", "queries"'],
    ["a case that is text", '["a"]', undefined, "[0] must be an object"],
    ["a case that is null", '{"evals": [null]}', undefined, "evals[0] must be an object"],
    ["a case without a prompt", '[{"id": 1}]', undefined, "[0].prompt must be text"],
    ["a prompt that is a number", '[{"prompt": 1}]', undefined, "found 1"],
    ["an empty prompt", '{"tests": [{"prompt": " \\n"}]}', undefined, "tests[0].prompt is empty"],
    ["an empty query", '[{"query": ""}]', undefined, "[0].query is empty"],
    ["should_trigger that is text", '[{"prompt": "a", "should_trigger": "no"}]', undefined, "true or false"],
  ])("%s", async (_name, text, line, message) => {
    const faults = await faultsOf({ [FILE]: text });
    expect(faults).toMatchObject([{ message: expect.stringContaining(message) }]);
    expect(faults[0]?.line).toBe(line);
    expect(faults[0]?.message.isWellFormed()).toBe(true);
  });

  it("tells both faults of one case", async () => {
    expect(await faultsOf({ [FILE]: [{ prompt: "", should_trigger: 1 }] })).toHaveLength(2);
  });

  it("tells the first twenty of very many, and how many more there are", async () => {
    const faults = await faultsOf({ [FILE]: Array.from({ length: 1000 }, () => 0) });
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)?.message).toContain("980 more");
  });

  it.each([
    ["UTF-16", Buffer.from("\ufeff[]", "utf16le")],
    ["Latin-1", Buffer.from('[{"prompt": "é"}]', "latin1")],
  ])("%s", async (_name, bytes) => {
    expect(await faultsOf({ [FILE]: bytes })).toMatchObject([{ message: expect.stringContaining("UTF-8") }]);
  });

  it("a file that is too large", async () => {
    const large = { [FILE]: " ".repeat(4 * 1024 * 1024 + 1), "triggers.yaml": " ".repeat(256 * 1024 + 1) };
    expect(await faultsOf(large)).toMatchObject([
      { message: expect.stringContaining("4194305 bytes; at most 4194304") },
      { message: expect.stringContaining("262145 bytes; at most 262144") },
    ]);
  });

  it("a folder, a pipe or a link to nothing in its place", async () => {
    using folder = makeSkill({
      [`${FILE}/`]: "",
      "evals/trigger-eval.json": { link: "nothing.json" },
      "evals/triggers.yaml": { link: "triggers.yaml" },
    });
    execFileSync("mkfifo", [folder.at("s/triggers.yaml")]);
    const { faults } = await readTriggerCases(skillIn(folder));
    expect(faults.map(({ message }) => message)).toEqual([
      "This is a folder, not a regular file; replace it with a file of prompts, or remove it.",
      "The link is broken; fix or remove it.",
      "This is a named pipe, not a regular file; replace it with a file of prompts, or remove it.",
      "The file cannot be read (ELOOP).",
    ]);
  });

  it("never throws, whatever is in the files", async () => {
    using folder = makeSkill();
    const fragment = fc.constantFrom(
      ...'[|]|{|}|,|:|"prompt"|"query"|"evals"|"a"|""|true|null|"should_trigger"|1|\n|- |should_trigger: |"\\ud800"|__proto__: '.split(
        "|",
      ),
    );
    const text = fc.oneof(
      fc.array(fragment, { maxLength: 20 }).map((parts) => parts.join("")),
      fc.json(),
      fc.uint8Array({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TRIGGER_FILES), text, async (file, content) => {
        folder.write({ [`s/${file}`]: content });
        const { cases, faults } = await readTriggerCases(skillIn(folder));
        for (const { prompt } of cases) expect(prompt.trim()).not.toBe("");
        for (const { message } of faults) expect(message).not.toContain("\n");
      }),
      { numRuns: RUNS },
    );
  });
});
