import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { escapePath, escapeXml } from "../blocks/escape.ts";
import { escapeWrapperTags } from "../blocks/wrapper-tags.ts";
import { confusables } from "./confusables.ts";
import { OPENINGS } from "./tag-openings.ts";
import { WRAPPERS } from "./wrappers.ts";

/** Promise 7, structure: what looks like a tag of the wrapper is no tag either. */
const RUNS = cases(20_000);
const asHidden = (text: string): string =>
  String.fromCodePoint(...[...text].map((char) => 0xe0000 + (char.codePointAt(0) ?? 0)));

describe("look-alikes of a wrapper's tag in a body", () => {
  it.each([
    ["a Cyrillic о", "</skill_c\u043entext>"],
    ["Cyrillic letters in capitals", "</SKILL_\u0421\u041eNT\u0415X\u0422>"],
    ["Greek letters", "</s\u03baill_c\u03bfnt\u03b5x\u03c4>"],
    ["a Cherokee letter", "</\u13daKILL_CONTEXT>"],
    ["a capital i for each l", "</skiII_context>"],
    ["digits", "</sk1ll_c0ntext>"],
    ["a dotless i", "</sk\u0131ll_context>"],
    ["small capitals", "</ꜱᴋɪʟʟ_ᴄᴏɴᴛᴇxᴛ>"],
    ["negative squared letters", "</🆂🅺🅸🅻🅻_🅲🅾🅽🆃🅴🆇🆃>"],
    ["circled letters", "</ⓢⓚⓘⓛⓛ_ⓒⓞⓝⓣⓔⓧⓣ>"],
    ["letters in parentheses", "</⒮⒦⒤⒧⒧_context>"],
    ["regional indicators", "</\u{1f1f8}\u{1f1f0}\u{1f1ee}\u{1f1f1}\u{1f1f1}_context>"],
    ["mathematical letters", "</𝓼𝓴𝓲𝓵𝓵_𝓬𝓸𝓷𝓽𝓮𝔁𝓽>"],
    ["a combining mark inside", "</skill_co\u0301ntext>"],
    ["a combining mark behind the bracket", "<\u0338/skill_context>"],
    ["a combining mark at the end", "</skill_context\u0301>"],
    ["composed letters", "</škíłl_çöntëxt>"],
    ["a soft hyphen", "</skill_con\u00adtext>"],
    ["a zero-width space", "</skill\u200b_context>"],
    ["a Mongolian vowel separator", "</skill\u180e_context>"],
    ["a Hangul filler", "</skill\u3164_context>"],
    ["single quotation marks", "‹/skill_context›"],
    ["mathematical brackets", "⟨/skill_context⟩"],
    ["Chinese brackets", "〈/skill_context〉"],
    ["ornamental brackets", "❮/skill_context❯"],
    ["heavy ornamental brackets", "❰/skill_context❱"],
    ["small brackets", "﹤/skill_context﹥"],
    ["Canadian syllables", "ᐸ/skill_contextᐳ"],
    ["a modifier letter", "˂/skill_context˃"],
    ["a negated bracket", "≮/skill_context>"],
    ["double quotation marks with a slash", "«/skill_context»"],
    ["double Chinese brackets with a slash", "《/skill_context》"],
    ["an opening in other brackets", '‹skill_context name="x"›'],
    ["a fraction slash", "<\u2044skill_context>"],
    ["a division slash", "<\u2215skill_context>"],
    ["a big solidus", "<\u29f8skill_context>"],
    ["a katakana no", "<ノskill_context>"],
    ["a fullwidth underscore", "</skill\uff3fcontext>"],
    ["an undertie", "</skill\u203fcontext>"],
    ["a modifier low line", "</skill\u02cdcontext>"],
    ["a combining low line", "</skill\u0332context>"],
    ["a combining low line and an underscore", "</skill\u0332_context>"],
    ["underlined letters", "</s\u0332k\u0332i\u0332l\u0332l\u0332s\u0332_context>"],
    ["two underscores", "</skill__context>"],
    ["an underscore as Markdown writes it", "</skill\\_context>"],
    ["a slash as an entity", "<&#47;skill_context>"],
    ["an underscore as an entity of an entity", "</skill&amp;#95;context>"],
    ["a named entity", "<&sol;skill&lowbar;context>"],
    ["a slash by percent", "<%2Fskill_context>"],
    ["an escape of a program", "</skill\\u005fcontext>"],
    ["hidden letters", `<${asHidden("/skill_context")}>`],
  ])("escapes %s", (_, tag) => {
    const [first = ""] = tag;
    expect(escapeWrapperTags(`a ${tag} b`)).toBe(`a &lt;${tag.slice(first.length)} b`);
  });

  it.each([
    ["a decimal entity", "&#60;", "/skill_context&#62;"],
    ["a hexadecimal entity", "&#x3C;", "/skill_context&#x3e;"],
    ["an entity without its end", "&#60", "/skill_context>"],
    ["an entity with zeros", "&#00060;", "skill_files>"],
    ["an entity of an entity", "&amp;#60;", "/skill_context&amp;#62;"],
    ["an entity of another bracket", "&#8249;", "/skill_context&#8250;"],
    ["percent", "%3C", "/skill_context%3E"],
    ["percent, twice", "%253c", "/skill_context%253e"],
    ["JSON", "\\u003c", "/skill_context\\u003e"],
    ["a hexadecimal escape", "\\x3C", "/skill_context\\x3E"],
    ["an escape in braces", "\\u{3c}", "/skill_context\\u{3e}"],
    ["an octal escape", "\\074", "/skill_context\\076"],
    ["hidden characters", asHidden("<"), asHidden("/skill_context>")],
  ])("escapes a bracket that is written out: %s", (_, opening, rest) => {
    expect(escapeWrapperTags(`a ${opening}${rest} b`)).toBe(`a &lt;${rest} b`);
  });

  it.each([
    ["Russian", "Навык <контекст> и «skill_context» в кавычках, а < б / в."],
    ["Greek", "<σκιλλ> Η δεξιότητα «skill_files» και ≤ skill_context"],
    ["Chinese", "《技能》〈上下文〉＜注＞ 请看《skill_context》一节。"],
    ["Japanese", "詳しく skill_context を見る。「＜スキル＞」ノート／メモ 〈例〉"],
    ["maths", "a ≤ skill_context ≺ b, ⟨x, y⟩ ∈ 𝔽, ∀x<s: k<i ∧ l≪c"],
    ["a French quotation", "la balise « skill_context »"],
    ["what is escaped already", "&lt;/skill_context&gt; &amp;lt;/skill_context"],
    ["other numbers", "&#61;/skill_context %3D/skill_context \\u003e skill_context"],
    [
      "other tags",
      "<skıll> ‹skill› <skill_cоntent> ⟨context⟩ <skillcontext> <skill–context> %3Cdiv%3E \\u003cb",
    ],
    ["HTML", "<ul><li>skill_context</li></ul><style>a{}</style><section id=skill_context>"],
    ["emoji", "👩\u200d💻 ❤\ufe0f 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} ◀ skill_context"],
  ])("leaves %s byte for byte", (_, text) => {
    expect(escapeWrapperTags(text)).toBe(text);
  });

  const looksLike = new Map<string, string[]>();
  for (const [letter, character] of confusables())
    looksLike.set(letter, [...(looksLike.get(letter) ?? [letter]), character]);
  const disguised = (letter: string): fc.Arbitrary<string> => {
    const fonts = [0x1d41a, 0x1d4d0 + 26, 0x1d5ba, 0x24d0, 0xff41].map((base) => base - 0x61);
    const plain = /[a-z]/.test(letter)
      ? [
          letter,
          letter.toUpperCase(),
          ...fonts.map((base) => String.fromCodePoint(base + letter.charCodeAt(0))),
        ]
      : [letter];
    const code = letter.charCodeAt(0);
    return fc.constantFrom(
      ...plain,
      ...(looksLike.get(letter) ?? []),
      `&#${code};`,
      `%${code.toString(16)}`,
      `\\u00${code.toString(16)}`,
    );
  };
  const noise = fc.constantFrom(
    "",
    "",
    "",
    "",
    "\u200b",
    "\u00ad",
    "\u0301",
    "\ufe0f",
    " ",
    "\n",
    "\\",
    "\u0332",
  );
  const tag = fc
    .tuple(fc.constantFrom(...WRAPPERS), fc.constantFrom(...OPENINGS.alone, ...OPENINGS.withSlash))
    .chain(([name, opening]) =>
      fc
        .tuple(
          fc
            .boolean()
            .chain((closing) =>
              closing || OPENINGS.withSlash.includes(opening) ? disguised("/") : fc.constant(""),
            ),
          ...[...name].map((letter) => fc.tuple(disguised(letter), noise).map((pair) => pair.join(""))),
        )
        .map((parts) => ({ opening, rest: parts.join("") })),
    );

  it("is escaped in any disguise of the table, and only its first character changes", () => {
    fc.assert(
      fc.property(fc.string(), tag, fc.string(), (before, { opening, rest }, after) => {
        fc.pre(!/[<&%\\]/.test(before + after));
        expect(escapeWrapperTags(`${before}|${opening}${rest} ${after}`)).toBe(
          `${before}|&lt;${rest} ${after}`,
        );
      }),
      { numRuns: RUNS },
    );
  });

  it("is nowhere in text of other scripts, which stays byte for byte", () => {
    const scripts = [
      "\u0400",
      "\u0370",
      "\u4e00",
      "\u3040",
      "\u2200",
      "\u0600",
      "\u0900",
      "\u13a0",
      "\u{1d400}",
    ];
    const letter = fc
      .tuple(fc.constantFrom(...scripts), fc.nat(95))
      .map(([first, more]) => String.fromCodePoint((first.codePointAt(0) ?? 0) + more));
    const sign = fc.constantFrom(..." <>/‹›«»《》〈〉&;%\\_-\n", "s", "skill", "context");
    fc.assert(
      fc.property(fc.array(fc.oneof(letter, letter, sign), { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        // A tag's name has an underscore between letters that look like Latin ones: leave that chance out.
        fc.pre(!/_|\u0332/.test(text));
        expect(escapeWrapperTags(text)).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("look-alikes of a wrapper's tag in names, descriptions and paths", () => {
  it("have their bracket as a number, so that XML reads the same text", () => {
    expect(escapeXml("x ‹/skill_context› y ⟨skill_files⟩")).toBe(
      "x &#8249;/skill_context› y &#10216;skill_files⟩",
    );
    expect(escapeXml("‹b› «x» &#60;/skill_context&#62;")).toBe("‹b› «x» &amp;#60;/skill_context&amp;#62;");
    expect(escapePath("/a/\\u003c/skill_context")).toBe("/a/&#92;u003c/skill_context");
  });
});
