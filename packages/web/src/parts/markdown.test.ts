import { describe, expect, it } from "vitest";
import { renderedPart } from "./markdown.tsx";

describe("the part of a text that is rendered", () => {
  it("is all of a usual text", () => {
    const text = "# Title\n\nA [link](a.md), `code` and **bold**.\n\n".repeat(100);
    expect(renderedPart(text)).toBe(text);
  });

  it("is the beginning of a long text, or of one with very many elements", () => {
    expect(renderedPart("word ".repeat(100_000)).length).toBe(100_000);
    for (const text of ["[a](b) ".repeat(30_000), "- a\n".repeat(50_000), "*a* ".repeat(50_000)]) {
      const part = renderedPart(text);
      expect(text.startsWith(part)).toBe(true);
      expect(part.length).toBeGreaterThan(1_000);
      expect(part.length).toBeLessThan(text.length);
    }
  });
});
