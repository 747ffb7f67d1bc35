import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { knack } from "./run.ts";
import { ask } from "./typed-skills.ts";

/** The configuration block with every default, as the documentation shows it. */
const DEFAULTS = `# .knack/config.yaml, every key optional, defaults shown
skills:
  enabled: true
  validation: strict            # strict | lenient; for .agents/skills and skills/. Clients' folders are lenient
  clients: all                  # all | none | [claude, codex, …]: whose folders are searched too
  locked: false                 # true: a skill that differs from skills.lock waits until its user has looked
  duplicates: ambiguous         # ambiguous | nearest (closest to the working directory wins)
  roots: []                     # more roots
  disabled: []                  # names or paths
  initial: { maxEntries: 200, maxBytes: 32768 }
  search: { defaultLimit: 8, maxLimit: 50 }
  files: { maxFiles: 200, maxBytes: 524288 }
tools: { available: [read, write, edit, shell, search] }   # what the host offers, for requires_tools
permissions: { allow: [], deny: [], default: null }   # rules { tool, skill_name? }; default: allow | confirm
routing: .agents/routing.yaml
registry: [skills/registry.yaml]
dispatch: { root: tao-of-coding, maxDepth: 3, forbidRootReload: true, allowReentry: false }
runners: { default: null }                  # name: { command: [argv…] }; the prompt goes to standard input
mcp: { tools: core }                        # core | all | [names]: what \`knack mcp\` and /mcp offer
store: { url: null }                        # null: ~/.knack/projects/; sqlite:<path> | postgres://…
artifacts: { url: null }                    # null: workspace/artifacts; postgres | s3://…
`;
const REPOSITORY = join(import.meta.dirname, "../..");

const COMMANDS = [
  ["list"],
  ["registry"],
  ["run", "file_fingerprint", "--input", "a.md"],
  ["route", "fix the build"],
  ["graph"],
  ["runs"],
];

describe("the defaults, written down as they are", () => {
  it.each(["home/.knack/config.yaml", "repo/.knack/config.yaml"])("change nothing in %s", (file) => {
    for (const env of [{}, { KNACK_TRUST: "all" }]) {
      using bare = makeFolder({ "repo/.git/": "", "repo/a.md": "# A\n" });
      using stated = makeFolder({ "repo/.git/": "", "repo/a.md": "# A\n", [file]: DEFAULTS });
      for (const args of COMMANDS) {
        const [without, withDefaults] = [knack(bare, args, { env }), knack(stated, args, { env })];
        expect({
          args,
          code: withDefaults.code,
          stderr: withDefaults.stderr.replaceAll(stated.path, ""),
        }).toEqual({
          args,
          code: without.code,
          stderr: without.stderr.replaceAll(bare.path, ""),
        });
      }
      expect(ask<{ runs: unknown[] }>(stated, ["runs"], { env }).data.runs).toHaveLength(1);
    }
  });

  it.each(["home/.knack/config.yaml", "repo/.knack/config.yaml"])("also in this repository: %s", (file) => {
    using folder = makeFolder({ "repo/.git/": "", [file]: DEFAULTS });
    for (const part of [".agents", "skills"])
      cpSync(join(REPOSITORY, part), folder.at("repo", part), { recursive: true });
    const env = { KNACK_TRUST: "all" };
    for (const args of [["list"], ["registry"], ["route", "fix the build"], ["doctor"]])
      expect({ args, ...knack(folder, args, { env }) }).toMatchObject({ args, code: 0 });
    expect(knack(folder, ["list"], { env }).stdout).not.toBe("");
  });

  it("in the user's file mean the project's own files, beside others that the user names", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/skills/registry.yaml":
        "version: 1\nskills: [{ name: here, implementation: 'builtin:text_extract' }]\n",
      "home/mine.yaml": "version: 1\nskills: [{ name: mine, implementation: 'builtin:text_extract' }]\n",
      "home/.knack/config.yaml":
        "registry: [./skills/registry.yaml, mine.yaml]\nrouting: ./.agents/routing.yaml\n",
    });
    const { data } = ask<{ skills: { name: string }[]; errors: unknown[] }>(folder, ["registry"]);
    expect(data.errors).toEqual([]);
    expect(data.skills.slice(0, 2).map(({ name }) => name)).toEqual(["here", "mine"]);
  });

  it("are those of the documentation", () => {
    const shown = readFileSync(join(REPOSITORY, "docs/configuration.md"), "utf8");
    for (const line of DEFAULTS.split("\n").filter((text) => /^ {0,2}[a-z]+:/.test(text)))
      expect(shown).toContain((line.split("#")[0] ?? "").trim());
  });
});
