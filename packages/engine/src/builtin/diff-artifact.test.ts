import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { type BuiltinRun, runBuiltin, sha256Of } from "./testing/run-builtin.ts";

async function diff(
  left: string | Uint8Array,
  right: string | Uint8Array,
  name = "x.md",
): Promise<BuiltinRun> {
  const run = await runBuiltin("diff_artifact", [
    ["left", name, left],
    ["right", name, right],
  ]);
  expect(run.error).toBeNull();
  return run;
}

const factsOf = (run: BuiltinRun): Record<string, unknown> => ({ ...run.evidences[0]?.data });

describe("diff_artifact", () => {
  const left = "# Report\n\n## Scope\n\nall\n\n## Risks\n\nnone\n\n## End\n\nbye\n";
  const right = "# Report\n\n## Scope\n\nall\n\n## Risks\n\nsome\nmany\n\n## End\n\nbye\nnow\n";

  it("writes a unified diff and tells it in words and numbers", async () => {
    const run = await diff(left, right);
    expect(run.artifacts).toMatchObject([{ name: "diff", format: "diff" }]);
    expect(run.files.get("diff")).toBe(
      "--- left\n+++ right\n@@ -6,8 +6,10 @@\n \n ## Risks\n \n-none\n+some\n+many\n \n ## End\n \n bye\n+now\n",
    );
    expect(factsOf(run)).toEqual({
      identical: false,
      binary: false,
      added: 3,
      removed: 1,
      places: 2,
      changed_sections: ["Risks", "End"],
      approximate: false,
      summary: "3 lines added, 1 removed in 2 places; sections ‘Risks’, ‘End’ changed",
      left_sha256: sha256Of(left),
      right_sha256: sha256Of(right),
    });
  });

  it("names sections that are gone, in Chinese too, but none in code", async () => {
    const gone = factsOf(await diff("# 报告\n文\n## 风险\n无\n", "# 报告\n文\n"));
    expect(gone).toMatchObject({ changed_sections: ["报告", "风险"], added: 0, removed: 2 });
    const code = factsOf(await diff("# import os\na\n", "# import os\nb\n", "x.py"));
    expect(code).toMatchObject({ changed_sections: [], summary: "1 line added, 1 removed in 1 place" });
  });

  it("says identical of the same bytes, with an empty diff", async () => {
    const run = await diff(left, left);
    expect(run.files.get("diff")).toBe("");
    expect(factsOf(run)).toMatchObject({ identical: true, added: 0, removed: 0, summary: "identical" });
  });

  it("says where only line ends or the encoding differ", async () => {
    expect(factsOf(await diff("a\nb\n", "a\r\nb\r\n")).summary).toContain("only line ends differ");
    expect(factsOf(await diff("a\n", "\ufeffa\n"))).toMatchObject({ identical: false, added: 0 });
  });

  it("compares binary files by equality alone", async () => {
    const run = await diff(Buffer.from([0, 1]), Buffer.from([0, 2]));
    expect(factsOf(run)).toMatchObject({ binary: true, identical: false, added: 0, removed: 0 });
    expect(factsOf(await diff(Buffer.from([0]), Buffer.from([0])))).toMatchObject({ identical: true });
  });

  it("gives a patch that turns left into right, with or without a last line end", async () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "", "# h", "\\ x", "-d", "+e", "漢字"), { maxLength: 30 })
      .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`));
    await fc.assert(
      fc.asyncProperty(text, text, async (from, to) => {
        const run = await diff(from, to);
        const patch = run.files.get("diff") ?? "";
        const { added, removed } = factsOf(run);
        expect(patch === "" ? from : applyPatch(from, patch)).toBe(to);
        expect(count(patch, /^\+(?!\+\+ right$)/gm)).toBe(added);
        expect(count(patch, /^-(?!-- left$)/gm)).toBe(removed);
      }),
      { numRuns: cases(200) },
    );
  });

  it("compares 100,000 lines that all differ, and says that they were replaced", async () => {
    const lines = (word: string): string =>
      Array.from({ length: 100_000 }, (_, n) => `${word} ${n % 7} ${n}\n`).join("");
    expect(factsOf(await diff(lines("x"), lines("y")))).toMatchObject({ added: 100_000, approximate: true });
    const shuffled = (seed: number): string =>
      Array.from({ length: 100_000 }, (_, n) => `${(n * seed) % 1000}\n`).join("");
    const run = await diff(shuffled(7), shuffled(11));
    expect(factsOf(run).summary).toContain("shown as replaced");
  });

  it("finds few changes in 100,000 lines exactly", async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => `line ${n}`);
    const changed = lines.flatMap((line, n) =>
      n % 1000 === 5 ? [] : n % 1000 === 7 ? [`${line}!`] : [line],
    );
    const facts = factsOf(await diff(lines.join("\n"), changed.join("\n")));
    expect(facts).toMatchObject({ added: 100, removed: 200, places: 200, approximate: false });
  });
});

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}
