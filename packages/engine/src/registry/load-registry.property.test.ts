import { makeFolder } from "@knack/core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { loadRegistry } from "./load-registry.ts";
import { builtins, entry } from "./testing/registry-scene.ts";

const RUNS = cases(500);
const GOOD = "\n  - {name: good, implementation: builtin:text_extract}\n";
const WORDS = [
  "name",
  "kind",
  "schema",
  "params",
  "properties",
  "$ref",
  "#",
  "default",
  "type",
  "pattern",
  "$schema",
  "allOf",
  "required",
];

/** JSON values of every kind, as values of an entry's keys. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      "",
      0,
      -1,
      1e21,
      true,
      "FILE",
      "object",
      "#",
      "{",
      "workspace/artifacts/{x}",
      "(?=a)",
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...WORDS), tie("value"), { maxKeys: 4 }),
  ),
})).value;

describe("a registry of any content", () => {
  it("is read without a throw, says every fault with a line, and never hides a good entry", {
    timeout: 7_200_000,
  }, async () => {
    using project = makeFolder({ "impl/x.ts": "" });
    const keys = fc.constantFrom(
      "description",
      "version",
      "env",
      "timeout_seconds",
      "inputs",
      "outputs",
      "params",
      "idempotency",
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(keys, json, { maxKeys: 4 }), async (fields) => {
        // JSON is YAML; remove the entry's own lines for these keys.
        const lines = entry("")
          .split("\n")
          .filter((line) => !Object.keys(fields).some((key) => line.startsWith(`    ${key}:`)));
        const more = Object.entries(fields).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
        project.write({ "r.yaml": [...lines, ...more].join("\n") + GOOD });
        const { skills, errors } = await loadRegistry(["r.yaml"], {
          projectRoot: project.path,
          builtins,
          trusted: true,
        });
        expect(skills.some(({ name }) => name === "good")).toBe(true);
        for (const error of errors) expect(error.line).toBeGreaterThan(0);
        expect(skills.some(({ name }) => name === "x")).toBe(errors.length === 0);
      }),
      { numRuns: RUNS },
    );
  });
});
