import { describe, expect, it } from "vitest";
import { escapeWrapperTags } from "./wrapper-tags.ts";

describe("CT-05 a body cannot forge a tag of its wrapper", () => {
  it.each([
    "<skill_context>",
    "</skill_context>",
    '<skill_context name="x">',
    "<skill_files>",
    "</skills_context>",
    "</skills_catalog>",
    "</skills_usage>",
    "</SKILL_Context>",
    "< / skill_context >",
    "<\n/\tskill_context",
    "</skill_context",
    "<//skill_context>",
    "<\\/skill_context>",
    "<\u200b/skill_context>",
    "</s\u200dk\u00adi\ufe0fl\u{e0041}l_\u2060c o n t e x t>",
    "</skill\u0000_context>",
    "</skill_context\u200b>",
    "＜／ｓｋｉｌｌ＿ｃｏｎｔｅｘｔ＞",
    "﹤/skill_context>",
    "</𝐬𝓴𝕚𝖑𝗹_context>",
    "</skill_ﬁles>",
    "</ſKill_context>",
    "</skill_contexts>",
  ])("escapes the first character of %j and nothing else", (tag) => {
    const [first = ""] = tag;
    expect(escapeWrapperTags(`a${tag}b`)).toBe(`a&lt;${tag.slice(first.length)}b`);
  });

  it("escapes each of several", () => {
    expect(escapeWrapperTags("<</skill_files></skill_context>")).toBe(
      "<&lt;/skill_files>&lt;/skill_context>",
    );
  });

  it.each([
    "<skill>",
    "<skill_content>",
    "<skills>",
    "<context>",
    "skill_context",
    "&lt;/skill_context&gt;",
    "<!-- skill_context -->",
    "a < skill, b > context",
    "<skill-context>",
    "<skill_con",
    "<",
    "\ud800<\udfff",
    "if (a<b && c>d) { x = `<div>` } ＜注＞",
    "CRLF\r\n\ttabs\u00a0and \u200b stay \ufeff",
  ])("leaves %j as it is", (text) => {
    expect(escapeWrapperTags(text)).toBe(text);
  });
});
