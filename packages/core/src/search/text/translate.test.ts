import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { translate } from "./translate.ts";

describe("a request in another language", () => {
  it.each([
    ["Unsere Rechnung ist zu hoch", "Rechnung", "invoice"],
    ["Entwirf einen Arbeitsvertrag für uns", "Arbeitsvertrag", "contract"],
    ["Écris les fichiers pour notre serveur", "fichiers", "file"],
    ["Busca vulnerabilidades en este código", "vulnerabilidades", "vulnerability"],
    ["Quero calcular o risco da minha carteira", "risco", "risk"],
    ["Aggiorna le librerie senza rompere tutto", "librerie", "library"],
    ["Müşterilerin verilerini sakla", "Müşterilerin", "customer"],
    ["Собери отчеты о продажах", "отчеты", "report"],
    ["계약서를 검토해 주세요", "계약서를", "contract"],
    ["راجع هذا العقد", "العقد", "contract"],
    ["इस अनुबंध की समीक्षा करो", "अनुबंध", "contract"],
  ])("has English words for its words: %s", (text, word, meaning) => {
    const translation = translate(text);
    expect(translation?.text.split(/\s+/)).toContain(meaning);
    expect(translation?.typed.get(meaning)).toBe(word);
  });

  it("keeps the words that the glossary lacks, and loses those that say nothing", () => {
    expect(translate("Wie bekomme ich die Rechnung aus dem Sofa?")?.text.trim().split(/\s+/)).toEqual([
      "bekomme",
      "die",
      "invoice",
      "bill",
      "Sofa?",
    ]);
  });

  it.each(["", "42", "この契約書を確認して", "qwrtz xkcd"])("has none here: %j", (text) => {
    expect(translate(text)).toBeUndefined();
  });

  it("names only words of the text, whatever the text", () => {
    const word = fc.constantFrom(
      "Rechnung",
      "für",
      "fichiers",
      "отчеты",
      "계약서를",
      "العقود",
      "अनुबंध",
      "sofa",
    );
    const text = fc
      .array(fc.oneof(word, fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 12 })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(text, (written) => {
        const translation = translate(written);
        for (const [meaning, typed] of translation?.typed ?? []) {
          expect(written).toContain(typed);
          expect(translation?.text).toContain(meaning);
        }
      }),
      { numRuns: cases(1_000) },
    );
  });
});

describe("the glossaries", () => {
  const folder = join(import.meta.dirname, "..", "glossary");
  const files = readdirSync(folder).sort();

  it("are ten small files", () => {
    expect(files).toHaveLength(10);
    const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    expect(bytes).toBeLessThan(100_000);
  });

  it.each(files)("have English words, then beginnings of words: %s", (file) => {
    for (const line of readFileSync(join(folder, file), "utf8").trimEnd().split("\n"))
      expect(line).toMatch(/^[a-z]+(?:,[a-z]+)*(?: [\p{L}\p{M}]+)+$/u);
  });
});
