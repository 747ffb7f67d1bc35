import { describe, expect, it } from "vitest";
import { checkConfig } from "../packages/core/src/config/check.ts";
import { readRouting } from "../packages/core/src/routing/routing-file.ts";
import { makeFolder } from "../packages/core/src/testing/index.ts";
import { readPlan } from "../packages/engine/src/plan/read-plan.ts";
import { loadRegistry } from "../packages/engine/src/registry/load-registry.ts";

/** Each file that people write in YAML, with all its faults as `line: message`. */
const READERS = {
  configuration: (text: string) => linesOf(checkConfig(text, "f")),
  routing: (text: string) => linesOf(readRouting(text, "f")),
  plan: (text: string) =>
    linesOf(readPlan(text, "f", { registered: new Map(), whyLeftOut: () => undefined, within: null })),
  registry: async (text: string) => {
    using folder = makeFolder({ "skills/registry.yaml": text });
    const options = { projectRoot: folder.path, builtins: new Map(), trusted: true };
    const { errors, warnings } = await loadRegistry(["skills/registry.yaml"], options);
    return linesOf([...errors, ...warnings]);
  },
};

function linesOf(result: unknown): string[] {
  return (Array.isArray(result) ? result : []).map(({ line, message }) => `${line}: ${message}`);
}

type Kind = keyof typeof READERS;
const HEADS: Readonly<Record<Kind, string>> = {
  configuration: "",
  routing: "version: 1\ndefault: { role: explorer, skill: a, reason: b }\n",
  plan: "version: 1\nplan: p\n",
  registry: "version: 1\n",
};

/** The diagnostics of a text that follows the head, with lines counted from it. */
async function told(kind: Kind, text: string): Promise<string[]> {
  const before = HEADS[kind].split("\n").length - 1;
  const lines = await READERS[kind](HEADS[kind] + text);
  return lines.map((line) => line.replace(/^\d+/, (number) => String(Number(number) - before)));
}

describe("one mistake has one message, whichever file it is in", () => {
  it.each<[kind: Kind, text: string, message: string]>([
    ["configuration", "skils: []\n", '1: unknown key "skils"; did you mean "skills"?'],
    ["routing", "rotes: []\n", '1: unknown key "rotes"; did you mean "routes"?'],
    ["plan", "taks: []\ntasks: []\n", '1: unknown key "taks"; did you mean "tasks"?'],
    // Here it is a warning, so the message also says that the key is ignored.
    ["registry", "skils: []\nskills: []\n", '1: unknown key "skils" is ignored; did you mean "skills"?'],
  ])("an unknown key of the %s", async (kind, text, message) => {
    expect(await told(kind, text)).toEqual([message]);
  });

  it.each<[kind: Kind, text: string, name: string]>([
    ["configuration", "registry: x\n", "registry"],
    ["routing", "routes: x\n", "routes"],
    ["plan", "tasks: x\n", "tasks"],
    ["registry", "skills: x\n", "skills"],
  ])("text in place of a list in the %s", async (kind, text, name) => {
    expect(await told(kind, text)).toEqual([`1: "${name}" must be a list, found "x".`]);
  });

  it.each<[kind: Kind, text: string, name: string]>([
    ["configuration", "skills:\n  roots:\n    - 7\n", "skills.roots[0]"],
    ["routing", "\nroutes:\n    - 7\n", "routes[0]"],
    ["plan", "\ntasks:\n    - 7\n", "tasks[0]"],
    ["registry", "\nskills:\n    - 7\n", "skills[0]"],
  ])("a number in place of a mapping in the %s", async (kind, text, name) => {
    const lines = (await told(kind, text)).map((line) => line.replace("Entry 1: ", ""));
    expect(lines).toEqual([`3: "${name}" must be a mapping, found 7.`]);
  });

  it.each<[kind: Kind, text: string, name: string]>([
    ["configuration", "skills:\n  disabled: [1.5]\n", '2: "skills.disabled[0]'],
    [
      "routing",
      "routes:\n  - { id: a, role: explorer, skill: 1.5, reason: b, patterns: [x] }\n",
      '2: "routes[0].skill',
    ],
    ["plan", "tasks:\n  - { id: a, title: 1.5 }\n", '2: "tasks[0].title'],
    [
      "registry",
      "skills:\n  - { name: x, idempotency: { cache: true }, implementation: 1.5 }\n",
      '2: x: "implementation',
    ],
  ])("a number in place of text in the %s", async (kind, text, start) => {
    expect(await told(kind, text)).toContain(`${start}" must be text, found 1.5; put it in quotes.`);
  });

  it.each<[kind: Kind, text: string]>([
    ["configuration", `skills:\n  validation: "\\e[31m\\u202e${"x".repeat(500)}"\n`],
    ["routing", `"\\e[31m\\u202e${"x".repeat(100)}": 1\n`],
    ["plan", `title: ["\\e[31m"]\n"\\e[31m\\u202e": 1\ntasks: []\n`],
    ["registry", `"\\e[31m\\u202e": 1\nskills: []\n`],
  ])("what it quotes of the %s cannot steer a terminal, and is short", async (kind, text) => {
    const lines = await told(kind, text);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).not.toMatch(/[\u001b\u202e]/);
      expect(line.length).toBeLessThan(500);
    }
  });

  it.each(Object.keys(READERS) as Kind[])("the %s may have a byte order mark and CRLF", async (kind) => {
    const text = `\ufeff${HEADS[kind]}zzzzzzzz: 1\n`.replaceAll("\n", "\r\n");
    const lines = await READERS[kind](text);
    expect(lines.some((line) => line.includes('unknown key "zzzzzzzz"'))).toBe(true);
  });
});
