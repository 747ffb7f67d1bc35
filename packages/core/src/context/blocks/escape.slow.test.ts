import { describe, it } from "vitest";
import { within } from "../../shared/testing/within.ts";
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
    const long = piece.repeat(1_000_000 / piece.length);
    for (const text of [long, `<${long}`]) within(20_000, () => escapeWrapperTags(text));
  });
});
