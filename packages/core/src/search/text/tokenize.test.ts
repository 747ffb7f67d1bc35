import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { tokenize } from "./tokenize.ts";
import { WordReader } from "./word-reader.ts";

describe("words of a text", () => {
  it.each([
    ["Draft release notes", ["draft", "releas", "note"]],
    ["reviews reviewing reviewed", ["review", "review", "review"]],
    ["kebab-case snake_case a.b", ["kebab", "case", "snake", "case", "a", "b", "ab"]],
    ["camelCase HTTPServer", ["camel", "case", "camelcase", "http", "server", "httpserver"]],
    ["v4l2 GPT4 2024", ["v4l2", "gpt4", "2024"]],
    ["naïve Übung", ["naiv", "ubung"]],
    ["ÄnderungsLog", ["anderung", "log", "anderungslog"]],
    ["ช่วยเขียนรายงานการประชุม", ["ช่วย", "เขียน", "รายงาน", "การ", "ประชุม"]],
    ["ｆｕｌｌ　width", ["full", "width"]],
    ["審查代碼", ["審查", "查代", "代碼"]],
    ["レビュー", ["レビ", "ビュ", "ュー"]],
    ["リーダーとして public な", ["リー", "ーダ", "ダー", "ーと", "とし", "して", "public", "な"]],
    ["C# C++17 F# c", ["csharp", "cpp", "17", "fsharp", "c"]],
    [".NET ASP.NET example.net", ["dotnet", "asp", "dotnet", "exampl", "net"]],
    ["Node.js", ["node", "js", "nodej"]],
    ["a#b c#d C+++", ["a", "b", "c", "d", "c"]],
    ["用C#写，.NET应用", ["用", "csharp", "写", "dotnet", "应用"]],
    ["WIG跑了8週", ["wig", "跑了", "8", "週"]],
    ["", []],
    ["!?… —", []],
  ])("%j", (text, words) => {
    expect(tokenize(text)).toEqual(words);
  });

  it("never throws, and gives the same words for the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const words = tokenize(text);
        expect(tokenize(text)).toEqual(words);
        for (const word of words) expect(word).toMatch(/^\S+$/u);
      }),
      { numRuns: cases(5_000) },
    );
  });
});

const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
  fc.constantFrom(
    "don't",
    "A/B",
    "fooBarBaz",
    "C#",
    "C++",
    ".NET",
    "Node.js",
    "naïve(foo-a)",
    "发布说明",
    "ＡＢ",
    "é",
  ),
  fc.constantFrom(..." \n\t()[]{}<>\"`,;:!?=|*~^$%\\'-/_&.#+@"),
);

describe("the word reader", () => {
  it("gives the words of tokenize, for any text, again and again", () => {
    const reader = new WordReader();
    const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const expected = tokenize(text);
        for (let time = 0; time < 2; time++) {
          const numbers: number[] = [];
          reader.read(text, numbers);
          const names = [...reader.words.keys()];
          expect(numbers.map((number) => names[number])).toEqual(expected);
        }
      }),
      { numRuns: cases(2_000) },
    );
  });

  it("numbers words by first use, after those that it is given", () => {
    const reader = new WordReader(["plan", "roof"]);
    const numbers: number[] = [];
    reader.read("mend the roof, the plan", numbers);
    expect(numbers).toEqual([2, 3, 1, 3, 0]);
  });
});
