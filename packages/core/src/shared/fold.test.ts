import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, isSameName, normalize } from "./fold.ts";
import { cases } from "./testing/cases.ts";
import { within } from "./testing/within.ts";

describe("one Unicode form", () => {
  it("gives the form that Unicode says", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.constantFrom("NFC" as const, "NFKC" as const),
        (text, form) => {
          expect(normalize(text, form)).toBe(text.normalize(form));
        },
      ),
      { numRuns: cases(5_000) },
    );
  });

  it.each([(text: string) => normalize(text, "NFC"), fold])(
    "leaves marks away where nobody would see them, and takes no time that grows with their square",
    (form) => {
      const marks = "\u0315\u0300\u05ae\u0b3c\u0334".repeat(20_000);
      // Many seconds if all of them were put into order.
      expect(within(500, () => form(`a${marks} b\u0308`))).toMatch(/^à\p{M}{1,128} b\u0308$/u);
    },
  );
});

/** U+0345 becomes a letter of its own as a capital, and then marks around it stand elsewhere. */
const name = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(..."aZéſßẞΣςσİıㇰｶ\u0308\u0301ǆﬁ-_ :"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
    maxLength: 24,
  })
  .filter((text) => !text.normalize("NFD").includes("\u0345"));

describe("names are folded in one way", () => {
  it("folding again changes nothing, for every character and for any text", () => {
    for (let code = 0; code < 0x110000; code++) {
      const folded = fold(`a${String.fromCodePoint(code)}b`);
      if (fold(folded) !== folded) expect.fail(`U+${code.toString(16)}`);
    }
    fc.assert(
      fc.property(name, (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: cases(5_000) },
    );
  });

  it("case, composed and decomposed letters, full-width letters and outer space do not count", () => {
    const forms = fc.constantFrom<(text: string) => string>(
      ...(["NFC", "NFD", "NFKC", "NFKD"] as const).map((form) => (text: string) => text.normalize(form)),
      (text) => text.normalize("NFC").toUpperCase(),
      (text) => text.normalize("NFC").toLowerCase(),
      (text) => ` \u3000${text}\u00a0`,
      (text) => text.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)),
      (text) => `\ufeff${text}\u200b`,
    );
    fc.assert(
      fc.property(name, fc.array(forms, { maxLength: 3 }), (text, changes) => {
        const written = changes.reduce((now, change) => change(now), text);
        expect(fold(written)).toBe(fold(text));
      }),
      { numRuns: cases(5_000) },
    );
  });

  it.each([
    ["Straße", "STRASSE"],
    ["STRAẞE", "strasse"],
    ["οδος", "ΟΔΟΣ"],
    ["ſkill", "Skill"],
    ["ﬁx", "FIX"],
    ["ｶﾞ", "ガ"],
    ["re\u00adview", "review"],
    ["code \t review", "code review"],
  ])("%j is %j", (a, b) => {
    expect(fold(a)).toBe(fold(b));
    expect(isSameName(a, b)).toBe(false);
  });

  it.each([
    ["release-notes", "release_notes"],
    ["résumé", "resume"],
    ["review", "reviеw"],
    ["a b", "ab"],
    ["code-review", "codereview"],
  ])("%j is not %j", (a, b) => {
    expect(fold(a)).not.toBe(fold(b));
  });

  it("two texts are the same name where only their composition differs", () => {
    expect(isSameName("café", "cafe\u0301")).toBe(true);
    expect(isSameName("café", "Café")).toBe(false);
  });
});
