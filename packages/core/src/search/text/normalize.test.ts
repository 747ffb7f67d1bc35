import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { within } from "../../shared/testing/within.ts";
import { normalize } from "./normalize.ts";

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

it("leaves marks away where nobody would see them, and takes no time that grows with their square", () => {
  const marks = "\u0315\u0300\u05ae\u0b3c\u0334".repeat(20_000);
  // Many seconds if all of them were put into order.
  const result = within(500, () => normalize(`a${marks} b\u0308`, "NFC"));
  expect(result).toMatch(/^à\p{M}{1,128} b\u0308$/u);
});
