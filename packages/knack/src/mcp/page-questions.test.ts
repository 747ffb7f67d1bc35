import { describe, expect, it } from "vitest";
import { questionText } from "./page-questions.ts";

const ask = (params: unknown): string =>
  questionText({ tool: "rename_files", executes: true, reason: "It runs code." } as never, params);

describe("the text of a question", () => {
  it("hides neither the beginning nor the end of long parameters, and says how much it leaves out", () => {
    const text = ask({ note: "x".repeat(2_000), cmd: "rm -rf ~" });
    expect(text).toContain('with {"note":"xxx');
    expect(text).toContain('"cmd":"rm -rf ~"}');
    expect(text).toMatch(/… 1,?\d{3} more characters …/);
    expect(text.length).toBeLessThan(700);
  });

  it("has short parameters as they are", () => {
    expect(ask({ a: 1 })).toBe('A model wants to call rename_files with {"a":1}. It runs code. Allow it?');
  });
});
