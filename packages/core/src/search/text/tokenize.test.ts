import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { tokenize } from "./tokenize.ts";

describe("words of a text", () => {
  it.each([
    ["Draft release notes", ["draft", "releas", "note"]],
    ["reviews reviewing reviewed", ["review", "review", "review"]],
    ["kebab-case snake_case a.b", ["kebab", "case", "snake", "case", "a", "b", "ab"]],
    ["camelCase HTTPServer", ["camel", "case", "camelcase", "http", "server", "httpserver"]],
    ["v4l2 GPT4 2024", ["v4l2", "gpt4", "2024"]],
    ["naïve Übung", ["naïve", "übung"]],
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
