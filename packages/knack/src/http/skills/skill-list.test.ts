import { describe, expect, it } from "vitest";
import { languageOf } from "./skill-list.ts";

describe("the language of a description", () => {
  it.each([
    ["Draft release notes from commits.", "latin"],
    ["审查代码改动，找出真正的缺陷与风险。", "chinese"],
    ["技術文書を日本語で書く、または直す。", "japanese"],
    ["릴리스 노트를 작성합니다.", "korean"],
    ["Пишет заметки о выпуске.", "cyrillic"],
    ["用 GitHub Actions 部署 Kubernetes 服务到生产环境", "chinese"],
    ["Translate the word 漢字 for an English reader.", "latin"],
    ["123 — 456", "other"],
    ["", "other"],
  ] as const)("%s is %s", (text, language) => {
    expect(languageOf(text)).toBe(language);
  });
});
