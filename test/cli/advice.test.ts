import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases, fixedSeed } from "../../packages/core/src/shared/testing/cases.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack, REPO, TRUST } from "./run.ts";

/** What a message tells the reader to run. */
const commandsIn = (message: string): string[][] =>
  [...message.matchAll(/"knack ([^"]+)"/g)].map(([, words = ""]) => words.split(" "));

const USER = "home/.knack/config.yaml";
const PROJECT = "repo/.knack/config.yaml";

/** Each on a line of its own, so that a person can remove one. */
const RULES = {
  named: "{ tool: skill_load, skill_name: deploy }",
  inCapitals: "{ tool: skill_load, skill_name: DEPLOY }",
  byPath: "{ tool: skill_load, skill_name: ../repo/.agents/skills/deploy }",
  general: "{ tool: skill_load }",
} as const;

function configured(rules: readonly string[], disabled: readonly string[]): string {
  const list = (entries: readonly string[]) => entries.map((entry) => `    - ${entry}\n`).join("");
  return [
    ...(rules.length > 0 ? [`permissions:\n  deny:\n${list(rules)}`] : []),
    ...(disabled.length > 0 ? [`skills:\n  disabled:\n${list(disabled)}`] : []),
  ].join("");
}

/** Does what the message says: runs the commands in it, and takes the rule out of the file that it names. */
function follow(folder: Folder, message: string): void {
  for (const words of commandsIn(message)) knack(folder, words, TRUST);
  const [, files = ""] = /remove .*? from (\/.*config\.yaml)/.exec(message) ?? [];
  for (const file of files.split(" and ").filter((path) => path !== "")) {
    const kept = readFileSync(file, "utf8").replaceAll(/^ *- \{ tool: skill_load \}\n/gm, "");
    folder.write({ [file.slice(folder.path.length + 1)]: kept.replace(/deny:\n(?! )/, "deny: []\n") });
  }
}

describe("advice works", () => {
  it("about a skill that rules and switches keep back, wherever they are", () => {
    const rules = fc.subarray(Object.keys(RULES) as (keyof typeof RULES)[]);
    const switches = fc.subarray(["deploy", "Deploy", "repo:deploy"]);
    const file = fc.record({ rules, switches });
    fc.assert(
      fc.property(file, file, (user, project) => {
        const textOf = (of: typeof user) =>
          configured(
            of.rules.map((rule) => RULES[rule]),
            of.switches,
          );
        using folder = makeFolder({
          "repo/.git/": "",
          [`${REPO}/deploy/SKILL.md`]: skillText("deploy"),
          [USER]: textOf(user),
          [PROJECT]: textOf(project),
        });
        // A switch comes first, and the rules behind it second.
        for (let step = 0; step < 2; step++) {
          const { code, stderr } = knack(folder, ["load", "deploy"], TRUST);
          if (code === 0) break;
          follow(folder, stderr);
        }
        const { code, stderr } = knack(folder, ["load", "deploy"], TRUST);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      }),
      {
        seed: fixedSeed(),
        numRuns: cases(100, 20),
        examples: [
          [
            { rules: ["general"], switches: [] },
            { rules: [], switches: [] },
          ],
          [
            { rules: ["general", "named"], switches: ["deploy"] },
            { rules: ["byPath"], switches: ["deploy"] },
          ],
        ],
      },
    );
  });

  it("about a typed skill that a rule denies", () => {
    for (const [where, rule, expected] of [
      [USER, "{ tool: skill_load, skill_name: file_fingerprint }", /Run "knack allow file_fingerprint"/],
      [PROJECT, "{ tool: skill_load, skill_name: file_fingerprint }", /Run "knack allow file_fingerprint"/],
      [USER, "{ tool: file_fingerprint }", /forbids it\. Remove the rule from the configuration/],
    ] as const) {
      using folder = makeFolder({ "repo/.git/": "", "repo/a.txt": "a\n", [where]: configured([rule], []) });
      const run = () => knack(folder, ["run", "file_fingerprint", "a.txt"], TRUST);
      const { code, stderr } = run();
      expect([code, stderr]).toEqual([1, expect.stringMatching(expected)]);
      for (const words of commandsIn(stderr)) {
        const told = knack(folder, words, TRUST).stderr;
        for (const [, next = ""] of told.matchAll(/; knack (.+)$/gm)) knack(folder, next.split(" "), TRUST);
      }
      if (commandsIn(stderr).length > 0) expect(run().code).toBe(0);
    }
  });

  it("about an entry of the registry that lacks what document 003 asks", () => {
    const entry = "    inputs: [{ role: file, kind: FILE }]\n";
    for (const start of ["", entry]) {
      using folder = makeFolder({ "repo/.git/": "", "repo/skills/impl/x.mjs": "export function run() {}\n" });
      let lines = `  - name: mine\n    implementation: skills/impl/x.mjs:run\n${start}`;
      const told = () => {
        folder.write({ "repo/skills/registry.yaml": `version: 1\nskills:\n${lines}` });
        return knack(folder, ["registry", "--json"], TRUST).json();
      };
      const { errors, warnings } = told();
      expect(errors.length + warnings.length).toBeGreaterThan(0);
      for (const { message } of [...errors, ...warnings])
        for (const [, text = ""] of message.matchAll(/(?:[Aa]dd|,) "(\w+: [^"]+)"/g))
          lines = text.startsWith("required")
            ? lines.replace("kind: FILE }", `kind: FILE, ${text} }`)
            : `${lines}    ${text}\n`;
      expect(told()).toMatchObject({ errors: [], warnings: [] });
    }
  });
});
