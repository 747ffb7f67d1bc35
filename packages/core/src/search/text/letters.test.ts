import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { foldLetters, withoutAffixes } from "./letters.ts";

describe("letters", () => {
  it.each([
    ["Übung", "ubung"],
    ["STRASSE", "straße"],
    ["Łódź", "lodz"],
    ["œuvre", "oeuvre"],
    ["İSTANBUL", "istanbul"],
    ["ışık", "ISIK"],
    ["đường", "duong"],
    ["всё", "ВСЕ"],
    ["λόγος", "ΛΟΓΟΣ"],
    ["إِلى", "الي"],
    ["كِتَـــاب", "كتاب"],
    ["مدرسة", "مدرسه"],
    ["क़लम", "कलम"],
    ["ज़रूर", "जरूर"],
    ["बहुत", "बहुत\u200d"],
    ["שָׁלוֹם", "שלום"],
    ["한글", "한글".normalize("NFD")],
  ])("are one word: %s and %s", (one, other) => {
    expect(foldLetters(one)).toBe(foldLetters(other));
  });

  it.each([
    ["мой", "мои"],
    ["कमल", "कामल"],
    ["가", "나"],
    ["が", "か"],
  ])("are two words: %s and %s", (one, other) => {
    expect(foldLetters(one)).not.toBe(foldLetters(other));
  });

  const written = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc
      .array(
        fc.oneof(
          ...[0xc0, 0x300, 0x370, 0x400, 0x590, 0x600, 0x900, 0xe00, 0x1e00, 0x1f00, 0xac00].map((from) =>
            fc.integer({ min: from, max: from + 0xff }),
          ),
        ),
        { maxLength: 20 },
      )
      .map((points) => String.fromCodePoint(...points)),
  );

  it("are the same when they are folded again, and in both forms of composition", () => {
    fc.assert(
      fc.property(written, (text) => {
        const word = text.normalize("NFKC");
        const folded = foldLetters(word);
        expect(foldLetters(folded)).toBe(folded);
        expect(foldLetters(word.normalize("NFD"))).toBe(folded);
      }),
      { numRuns: cases(5_000) },
    );
  });
});

describe("endings and articles", () => {
  it.each([
    ["отчет", "отчетами"],
    ["таблица", "таблице"],
    ["عقد", "والعقد"],
    ["موعد", "للموعد"],
    ["बैठक", "बैठकों"],
    ["सूची", "सूचियाँ"],
  ])("are not the word: %s and %s", (one, other) => {
    expect(withoutAffixes(foldLetters(other))).toBe(withoutAffixes(foldLetters(one)));
  });

  it("stay where little else would be left", () => {
    for (const word of ["иск", "дом", "الف", "काम"]) expect(withoutAffixes(word)).toBe(word);
  });
});
