import { describe, expect, it } from "vitest";
import { isForeign, isFunctionWord } from "./function-words.ts";
import { tokenize } from "./tokenize.ts";

describe("function words", () => {
  it.each([
    "I don't know what this is and why",
    "wie ist das bei dem",
    "qui est cette",
    "как это у меня",
    "यह क्या है",
    "كيف هذا",
  ])("are all that there is in: %s", (text) => {
    expect(tokenize(text).filter((word) => !isFunctionWord(word) && !/^.{1,2}$/.test(word))).toEqual([]);
  });

  it("have no word that skills are about", () => {
    const subjects =
      "use go ai pod rust swift test code data war die bin mit man set make build work help plan";
    expect(tokenize(subjects).filter(isFunctionWord)).toEqual([]);
  });

  it.each([
    ["Wie bekomme ich Rotwein aus dem Sofa?", true],
    ["cómo quito una mancha de vino", true],
    ["как вывести пятно", true],
    ["この契約書を確認して", true],
    ["remove a wine stain from my sofa", false],
    ["kubectl rollout undo", false],
    ["résumé", false],
  ])("tell the language of %s", (text, expected) => {
    expect(isForeign(text)).toBe(expected);
  });
});
