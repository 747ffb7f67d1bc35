import { describe, expect, it } from "vitest";
import { makeEngineScene } from "../testing/engine-scene.ts";

const REGISTRY = `version: 1
skills:
  - name: x
    implementation: impl/x.mjs:run
    inputs: []
    outputs:
      artifacts: [{ name: out, format: txt, path_template: "workspace/artifacts/{task_id}/out.txt" }]
      evidences: [{ kind: COUNTED, schema: { fields: [lines, words] } }, { kind: NOTED }]
    params: { schema: {} }
    idempotency: { cache: true }
`;

const WHOLE = {
  status: '"SUCCEEDED"',
  artifacts: "[made]",
  evidences: '[{ kind: "COUNTED", data: { lines: 1, words: 2 } }, { kind: "NOTED", data: {} }]',
  error: "null",
};

/** Runs a function that returns this, where `made` is an artifact that is there. */
async function outcomeOf(returned: Partial<Record<keyof typeof WHOLE, string | undefined>>) {
  const keys = Object.entries({ ...WHOLE, ...returned }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${value}`],
  );
  await using scene = makeEngineScene({
    "skills/registry.yaml": REGISTRY,
    "impl/x.mjs": `import { createHash } from "node:crypto"; import fs from "node:fs"; import { join } from "node:path";
      export const run = ({ artifactsDir }) => {
        fs.writeFileSync(join(artifactsDir, "o"), "text");
        const sha256 = createHash("sha256").update("text").digest("hex");
        const made = { name: "out", path: "o", sha256, format: "txt" };
        return { ${keys.join(", ")} };
      };`,
  });
  const { run } = await (await scene.open()).run("x");
  return { status: run.status, error: run.error };
}

describe("003 §3.3 run() returns four keys with everything that its entry declares", () => {
  it("is recorded as SUCCEEDED where nothing is missing", async () => {
    expect(await outcomeOf({})).toEqual({ status: "SUCCEEDED", error: null });
  });

  it.each([
    [{ status: undefined }, "lacks status"],
    [{ artifacts: undefined }, "lacks artifacts"],
    [{ evidences: undefined }, "lacks evidences"],
    [{ error: undefined }, "lacks error"],
    [{ artifacts: undefined, evidences: undefined }, "lacks artifacts, evidences"],
    [{ artifacts: "[]" }, 'the artifact "out" is declared but was not returned'],
    [
      { evidences: '[{ kind: "NOTED", data: {} }]' },
      'the evidence "COUNTED" is declared but was not returned',
    ],
    [{ evidences: '[{ kind: "COUNTED", data: { lines: 1 } }]' }, 'the evidence "COUNTED" lacks words'],
    [{ evidences: '[{ kind: "OTHER", data: {} }]' }, 'the evidence "OTHER" is not declared'],
    [
      { status: '"FAILED"', artifacts: undefined, error: '{ code: "NO_TEXT", message: "It is empty." }' },
      "(its own error was NO_TEXT: It is empty.)",
    ],
  ])("is FAILED with SKILL_BAD_OUTPUT that says which: %j", async (returned, says) => {
    expect(await outcomeOf(returned)).toMatchObject({
      status: "FAILED",
      error: { code: "SKILL_BAD_OUTPUT", message: expect.stringContaining(says) },
    });
  });
});
