import { describe, expect, it } from "vitest";
import { escapeWrapperTags } from "../blocks/wrapper-tags.ts";

const asHidden = (text: string): string =>
  String.fromCodePoint(...[...text].map((char) => 0xe0000 + (char.codePointAt(0) ?? 0)));

describe("look-alikes of a wrapper's tag in a body", () => {
  it.each([
    ["‹"],
    ["&#60;"],
    ["&amp;"],
    ["%25"],
    ["\\u003c"],
    ["<\u0332"],
    ["<&#32;"],
    ["</skill\u0332"],
    [asHidden("<")],
    [`<${asHidden("< ")}`],
    ["</ѕкιll_ϲоntеx"],
  ])("takes linear time for a million characters of %j", (piece) => {
    // A quadratic look would take minutes: the bound only tells these two apart.
    const started = performance.now();
    escapeWrapperTags(piece.repeat(1_000_000 / piece.length));
    escapeWrapperTags(`<${piece.repeat(1_000_000 / piece.length)}`);
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
