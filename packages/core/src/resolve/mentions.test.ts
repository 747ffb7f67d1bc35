import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../shared/testing/cases.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { findMentions, type Mention } from "./mentions.ts";

const RUNS = cases(2_000);

function skill(name: string, dir = `/skills/${name}`, more: Partial<SkillMetadata> = {}): SkillMetadata {
  const path = `${dir}/SKILL.md`;
  return {
    ...{ id: path, name, description: `Does ${name}.`, path, dir },
    ...{ scope: "repo", mtimeMs: 0, dialect: "agentskills", ...more },
  };
}

const SKILLS = [
  skill("code-review"),
  skill("lint"),
  skill("ns:fmt"),
  skill("snake_case"),
  skill("plan-compiler", "/skills/plan-compiler", { command: "plan" }),
  skill("代码审查"),
  skill("PATH"),
  skill("XDG_CONFIG_HOME"),
];

/** Each mention as its form, its text and whom it means. */
function read(text: string, skills: readonly SkillMetadata[] = SKILLS): string[] {
  return findMentions(text, skills).map((mention) => {
    const meant = "skill" in mention ? mention.skill.name : mention.candidates.join("|");
    return `${mention.form} ${mention.text} = ${meant}`;
  });
}

describe("001 skill discovery trigger: $name", () => {
  it("says where it is and which skill is meant", () => {
    expect(findMentions("please $code-review this", SKILLS)).toEqual([
      { form: "dollar", text: "$code-review", start: 7, end: 19, skill: SKILLS[0]! },
    ] satisfies Mention[]);
  });

  it.each([
    "$code-review",
    "($code-review)",
    '"$code-review"',
    "**$code-review**",
    "-$code-review",
    "⚠️$code-review",
    "x\n$code-review\ny",
  ])("is found in %j", (text) => {
    expect(read(text)).toEqual(["dollar $code-review = code-review"]);
  });

  it.each([".", ",", ":", "-", ";", "!", "?", "...", ":-", "。", "，", "…", "'s", "/"])(
    "ends before the punctuation %j",
    (punctuation) => {
      expect(read(`$code-review${punctuation}`)).toEqual(["dollar $code-review = code-review"]);
      expect(read(`use $code-review${punctuation} then`)).toHaveLength(1);
    },
  );

  it("takes colons, underscores and letters of other scripts as part of a name", () => {
    expect(read("$ns:fmt $snake_case $代码审查")).toEqual([
      "dollar $ns:fmt = ns:fmt",
      "dollar $snake_case = snake_case",
      "dollar $代码审查 = 代码审查",
    ]);
  });

  it.each([
    "US$lint",
    "a$lint",
    "9$lint",
    "_$lint",
    "é$lint",
    "e\u0301$lint",
    "$$lint",
    "$$$lint",
    "$x$lint",
  ])("is none after a word character or another dollar sign: %j", (text) => {
    expect(read(text)).toEqual([]);
  });

  it("is none where the dollar sign is escaped", () => {
    expect(read("\\$lint [\\$lint](/skills/lint)")).toEqual([]);
  });

  it.each(["$\u007blint}", "$(lint)", "$ lint", "$'lint'", "$", "lint", "$100"])("is none in %j", (text) => {
    expect(read(text)).toEqual([]);
  });

  it("is found where scripts without spaces surround it", () => {
    expect(read("请用$code-review检查这段代码")).toEqual(["dollar $code-review = code-review"]);
    expect(read("これを$code-reviewで見て")).toEqual(["dollar $code-review = code-review"]);
    expect(read("$code-review를 사용해")).toEqual(["dollar $code-review = code-review"]);
  });
});

describe("field.md: common environment names are never a mention", () => {
  it.each("PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME".split(" "))("$%s", (name) => {
    expect(read(`echo $${name} $${name}: $${name}.`, [skill(name)])).toEqual([]);
    expect(read(`use the ${name} skill`, [skill(name)])).toHaveLength(1);
  });

  it("but a name that only differs in case is one", () => {
    expect(read("$path", [skill("path")])).toEqual(["dollar $path = path"]);
  });
});

describe("002 §5.3 no fuzzy matching", () => {
  it.each([
    "$code-review-zh",
    "$code-reviews",
    "$code-review2",
    "$code-review_x",
    "$code-review:x",
    "$code-review--x",
    "$code-review-中文",
    "$code-revie",
    "$Code-Review",
    "$code",
    "$review",
    "$code—review",
    "$unknown",
    "use the unknown skill",
    "use the Code-Review skill",
    "使用 unknown 技能",
    "/unknown",
  ])("%j names no skill", (text) => {
    expect(read(text)).toEqual([]);
  });

  it("the longest name is meant", () => {
    const skills = [skill("a"), skill("a-b"), skill("a-b-"), skill("a检查")];
    expect(read("$a $a-b $a-b- $a-b: $a检查 $a检", skills)).toEqual([
      "dollar $a = a",
      "dollar $a-b = a-b",
      "dollar $a-b- = a-b-",
      "dollar $a-b = a-b",
      "dollar $a检查 = a检查",
      "dollar $a = a",
    ]);
  });

  it("a name is the same in whichever way its characters were composed", () => {
    expect(read("$cafe\u0301 and $café", [skill("café")])).toHaveLength(2);
    expect(read("$café and use the cafe\u0301 skill", [skill("cafe\u0301")])).toHaveLength(2);
    expect(read("$cafe\u0301", [skill("cafe")])).toEqual([]);
  });

  it("a name that text cannot delimit is only found by its path", () => {
    const skills = [skill("my skill.v2"), skill("$x"), skill("")];
    expect(read("$my skill.v2, use the `my skill.v2` skill, $$x, `$x`", skills)).toEqual([]);
    expect(read("[$mine](/skills/my skill.v2)", skills)).toHaveLength(1);
  });
});

describe("004 §3.1 in [$name](path) the path wins", () => {
  it.each([
    "/skills/lint/SKILL.md",
    "/skills/lint",
    "/skills/lint/",
    "file:///skills/lint/SKILL.md",
    "file:///skills/lint/",
    "file:///skills/%6Cint",
    "</skills/lint>",
    " /skills/lint ",
  ])("%j is the skill's, whatever the label says", (path) => {
    for (const label of ["lint", "code-review", "unknown", "PATH"]) {
      const link = `[$${label}](${path})`;
      expect(read(`use ${link} now`)).toEqual([`link ${link} = lint`]);
    }
  });

  it.each([
    "/skills/lint/x",
    "skills/lint",
    "lint",
    "./lint",
    "/skills/lint//",
    "/skills/Lint",
    "/skills/%6Cint",
    "file:///skills/%zz%ff",
    "https://example.com/skills/lint",
    "/skills",
  ])("%j names no skill, and then the label does not either", (path) => {
    expect(read(`[$lint](${path})`)).toEqual([]);
  });

  it("a path may have spaces, parentheses and percent signs", () => {
    const skills = [skill("a", "/my skills (old)/100%"), skill("b", "/技/b")];
    expect(read("[$a](/my skills (old)/100%)", skills)).toHaveLength(1);
    expect(read("[$a](file:///my skills (old)/100%)", skills)).toHaveLength(1);
    expect(read("[$b](file:///%E6%8A%80/b)", skills)).toHaveLength(1);
  });

  it("chooses one of several skills of one name", () => {
    const skills = [skill("a", "/one/a"), skill("a", "/two/a")];
    expect(findMentions("[$a](/two/a)", skills)).toMatchObject([{ skill: { path: "/two/a/SKILL.md" } }]);
  });

  it("what is no link is read as text", () => {
    expect(read("[$lint] [$lint][x] [$lint](\n)")).toHaveLength(3);
  });
});

describe("004 goal 4: a name that several skills have is ambiguous", () => {
  const skills = [
    skill("a", "/z/a", { command: "go" }),
    skill("a", "/b/a", { command: "go" }),
    skill("a", "/m/a"),
  ];
  const paths = ["/b/a/SKILL.md", "/m/a/SKILL.md", "/z/a/SKILL.md"];

  it("and gives the paths of all, in path order", () => {
    expect(findMentions("$a", skills)).toEqual([
      { form: "dollar", text: "$a", start: 0, end: 2, candidates: paths },
    ]);
    expect(findMentions("use the a skill", skills)).toMatchObject([{ form: "phrase", candidates: paths }]);
  });

  it("so is a command", () => {
    const candidates = ["/b/a/SKILL.md", "/z/a/SKILL.md"];
    expect(findMentions("/go", skills)).toMatchObject([{ form: "command", candidates }]);
  });

  it("but a skill that is given twice is one", () => {
    expect(read("$lint", [...SKILLS, ...SKILLS])).toEqual(["dollar $lint = lint"]);
  });
});

describe("001 skill discovery trigger: phrases", () => {
  const verbs = ["use", "run", "invoke", "load", "Use", "LOAD"];

  it.each(verbs)("%s (the) name skill, %s (the) skill name", (verb) => {
    for (const phrase of [
      `${verb} code-review skill`,
      `${verb} the code-review skill`,
      `${verb} the\n  code-review Skill`,
      `${verb} the skill code-review`,
      `${verb} skill code-review`,
    ]) {
      expect(read(`Please ${phrase}.`)).toEqual([`phrase ${phrase} = code-review`]);
      expect(read(phrase)).toHaveLength(1);
    }
  });

  it.each(["``", '""', "''", "“”", "‘’", "「」", "『』"])("accept the name in %s", (quotes) => {
    const name = `${quotes[0]}code-review${quotes[1]}`;
    for (const phrase of [
      `use the ${name} skill`,
      `use the skill ${name}`,
      `使用 ${name} 技能`,
      `用${name}技能`,
      `${name} スキルを使って`,
      `${name}スキルを使用`,
    ]) {
      expect(read(`x ${phrase}`)).toEqual([`phrase ${phrase} = code-review`]);
    }
  });

  it.each([
    ["使用 code-review 技能", "请使用 code-review 技能检查"],
    ["用 code-review 技能", "用 code-review 技能。"],
    ["用 code-review skill", "请用 code-review skill 看看"],
    ["使用code-review技能", "请使用code-review技能检查"],
    ["code-review スキルを使って", "この code-review スキルを使ってください"],
    ["code-review スキルを使用", "code-review スキルを使用して"],
    ["code-reviewスキルを使って", "code-reviewスキルを使って"],
  ])("in Chinese and Japanese: %s", (phrase, text) => {
    expect(read(text)).toEqual([`phrase ${phrase} = code-review`]);
  });

  it("with a Chinese name and no space", () => {
    expect(read("请使用代码审查技能检查")).toEqual(["phrase 使用代码审查技能 = 代码审查"]);
  });

  it.each([
    "reuse code-review skill",
    "use code-review",
    "use code-review skills",
    "use code-review-skill",
    "use my code-review skill",
    "use thecode-review skill",
    "use 'code-review skill",
    "use “code-review' skill",
    "code-review skill",
    "the skill code-review",
    "code-review 技能",
    "使用 code-review",
    "code-review スキル",
    "`use` code-review skill",
    "`use code-review skill`",
    "use `$code-review` skill",
    "use `the code-review` skill",
  ])("%j is none", (text) => {
    expect(read(text)).toEqual([]);
  });
});

describe("002 §5.2 /command at the beginning", () => {
  it.each(["/plan", "/plan the release", " \n/plan\tx"])("%j names the skill that declares it", (text) => {
    expect(read(text)).toEqual(["command /plan = plan-compiler"]);
    const [mention] = findMentions(text, SKILLS);
    expect(text.slice(mention?.start, mention?.end)).toBe("/plan");
  });

  it.each([
    "x /plan",
    "/plans",
    "/plan/x",
    "/plan.",
    "/Plan",
    "/plan-compiler",
    "//plan",
    "/ plan",
    "/undefined",
    "`/plan`",
  ])("%j does not", (text) => {
    expect(read(text)).toEqual([]);
  });

  it("is not taken for the verb of a phrase", () => {
    const skills = [skill("a"), skill("b", "/b", { command: "use" })];
    expect(read("/use a skill", skills)).toEqual(["command /use = b"]);
  });
});

describe("field.md: nothing in code is a mention", () => {
  it.each([
    ["a fence", "```\n$lint\n```"],
    ["a fence with an info string", "```sh title=x\n$lint\n```"],
    ["tildes", "~~~\n$lint\n```\n$lint\n~~~"],
    ["a longer fence around a shorter one", "`````\n```\n$lint\n```\n$lint\n`````"],
    ["an unclosed fence", "```\n$lint\n\n$lint"],
    ["a fence whose end says more", "```\n$lint\n``` sh\n$lint"],
    ["a fence that shows an indented one", "```\n    ```\n$lint\n```"],
    ["a fence in a list", "- x\n\n      ```\n      $lint\n      ```"],
    ["a fence at a bullet", "1. ```\n   $lint\n   ```"],
    ["a fence in a quotation", "> ```\n> $lint\n> ```"],
    ["a fence with a quoted fence in it", "```\n> ```\n$lint\n```"],
    ["a fence with a fence at a bullet in it", "```\n- ```\n$lint\n```"],
    ["Windows lines", "```\r\n$lint\r\n```\r\n"],
    ["a span", "`$lint`"],
    ["a span of two backticks", "`` ` $lint ``"],
    ["a span over two lines", "`a\n$lint`"],
    ["a span after an escaped backtick", "\\` `$lint`"],
    ["a span with a backslash before its end", "`\\` `$lint`"],
    ["a link in a span", "`[$lint](/skills/lint)`"],
    ["a path in a span", "[$lint](`/skills/lint`)"],
    ["a span that takes the end of a link", "`[$lint`](/skills/lint)"],
    ["a phrase in a fence", "```\nuse the lint skill\n```"],
    ["a phrase around a fence", "use the\n```\n```\nlint skill"],
  ])("%s", (_, code) => {
    expect(read(code)).toEqual([]);
  });

  it.each([
    ["a closed fence", "```\n```\n$lint"],
    ["a longer end", "```\nx\n`````  \n$lint"],
    ["a closed fence in a quotation", "> ```\n> ```\n> $lint"],
    ["three backticks within a line", "```x``` $lint"],
    ["a lone backtick", "` $lint"],
    ["backticks of different length", "`` $lint `"],
    ["a lone backtick in each of two paragraphs", "a ` b\n\n$lint\r\n \r\nc ` d"],
    ["an escaped backtick", "\\`$lint\\`"],
    ["a span right before", "`x`$lint"],
  ])("but after or beside %s it is", (_, text) => {
    expect(read(text)).toEqual(["dollar $lint = lint"]);
  });
});

describe("the list of mentions", () => {
  it("is in text order, with every form", () => {
    expect(read("/plan with $lint, [$x](/skills/lint/), use the `code-review` skill, $lint")).toEqual([
      "command /plan = plan-compiler",
      "dollar $lint = lint",
      "link [$x](/skills/lint/) = lint",
      "phrase use the `code-review` skill = code-review",
      "dollar $lint = lint",
    ]);
  });

  it("keeps the longest of those that overlap", () => {
    expect(read("lint スキルを使用 code-review 技能")).toEqual([
      "phrase 使用 code-review 技能 = code-review",
    ]);
    expect(read("use the skill lint skill")).toEqual(["phrase use the skill lint = lint"]);
  });

  it("is empty where there are no skills or no text", () => {
    expect(findMentions("$lint", [])).toEqual([]);
    expect(findMentions("", SKILLS)).toEqual([]);
  });
});

describe("any text", () => {
  const fragment = fc.constantFrom(
    ...'$|$$|\\|[|](|)|[$lint](/skills/lint)|`|``|```|~~~|\n|\n\n|\r\n| |> |- |/plan|/|.|,|:|-|é|e\u0301|用|使用|技能|スキルを使って|use|the|skill| skill|use the |lint|code-review|代码审查|$lint|$code-review|"|“|”|\ud800|\udc00|😀|\ufe0f|\u2028|\u0000'.split(
      "|",
    ),
  );
  const soup = fc.oneof(
    fc.array(fragment, { maxLength: 40 }).map((fragments) => fragments.join("")),
    fc.string({ unit: "binary", maxLength: 60 }),
  );

  it("gives ranges that slice to their text, in order, none over another, and never throws", () => {
    fc.assert(
      fc.property(soup, (text) => {
        let last = 0;
        for (const mention of findMentions(text, SKILLS)) {
          expect(text.slice(mention.start, mention.end)).toBe(mention.text);
          expect(mention.start).toBeGreaterThanOrEqual(last);
          expect(mention.end).toBeGreaterThan(mention.start);
          last = mention.end;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("has no mention in a fence, wherever the fence is", () => {
    const fence = fc.constantFrom("```", "````", "~~~", "~~~~~");
    const inside = soup.map((text) => text.replaceAll(/[`~]{3,}/g, ""));
    fc.assert(
      fc.property(fence, inside, fc.boolean(), soup, (mark, code, isClosed, after) => {
        const block = `x\n\n${mark}\n${code}\n`;
        const text = isClosed ? `${block}${mark}\n\n${after}` : block;
        const end = isClosed ? block.length + mark.length : text.length;
        for (const mention of findMentions(text, SKILLS)) expect(mention.start).toBeGreaterThanOrEqual(end);
      }),
      { numRuns: RUNS },
    );
  });

  it("names nothing where no skill has such a name", () => {
    const taken = new Set([...SKILLS.map(({ name }) => name), "plan"]);
    const unknown = fc
      .stringMatching(/^[a-zA-Z0-9_:é文-]{1,12}$/)
      .filter((name) => !taken.has(name.normalize()));
    const isPartOfIt = (name: string): boolean => SKILLS.some((known) => name.includes(known.name));
    fc.assert(
      fc.property(unknown, soup, (name, around) => {
        fc.pre(!isPartOfIt(name));
        const dir = `/skills/${name}`;
        const forms = `$${name} [$lint](${dir}) use the ${name} skill 使用 ${name} 技能 ${name} スキルを使って`;
        expect(read(`/${name} ${forms}`)).toEqual([]);
        expect(findMentions(around, [])).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it("finds what was put into it, between words", () => {
    const word = fc.constantFrom("please", "and", "then", "请", "で", "1", "…");
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.constantFrom(...SKILLS.slice(0, 6)))), (parts) => {
        const text = parts.map(([before, { name }]) => `${before} $${name}, `).join("");
        expect(read(text)).toEqual(parts.map(([, { name }]) => `dollar $${name} = ${name}`));
      }),
      { numRuns: cases(200) },
    );
  });
});
