import { describe, expect, it } from "vitest";
import { escapeWrapperTags } from "./escape.ts";

describe("a body cannot forge a tag of its wrapper", () => {
  it.each([
    ["<"],
    ["< "],
    ["<\u200b"],
    ["\u200b"],
    [" "],
    ["</skill_contex"],
    ["<s k i l l _ c o n t e x "],
    ["</"],
    ["＜／ｓ"],
    ["</skill_context>"],
  ])("takes linear time for a million characters of %j", (piece) => {
    // A quadratic look would take minutes: the bound only tells these two apart.
    const started = performance.now();
    escapeWrapperTags(piece.repeat(1_000_000 / piece.length));
    escapeWrapperTags(`<${piece.repeat(1_000_000 / piece.length)}`);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
