import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "../shared/diagnostics.ts";
import { cases, fixedSeed } from "../shared/testing/cases.ts";
import { DIALECTS, type Dialect, type DialectName } from "./dialects.ts";
import { readFields } from "./fields.ts";
import { checkName, entryMatcher, isExactly, isValidName, refersTo, refersToAny } from "./name.ts";

/** The faults of a name in a folder that, unless told otherwise, has the same name. */
function faultsOf(name: string, folder = name, dialect: DialectName = "agentskills"): string[] {
  return checkName(name, folder, DIALECTS[dialect], 2).map(({ fault }) => fault);
}

describe("004 §5.3 frontmatter validation: name", () => {
  it.each(["a", "7", "pdf-forms", "yes", "8004", "a-1-b2", "a".repeat(64)])("accepts %s", (name) => {
    expect(faultsOf(name)).toEqual([]);
    expect(isValidName(name)).toBe(true);
  });

  it.each(["pdf--forms", "-pdf", "pdf-", "Pdf", "pdf_forms", "pdf forms", "pdf.forms", "café", "pdf\n"])(
    "rejects %j",
    (name) => {
      expect(faultsOf(name)).toContain("NAME_INVALID");
      expect(isValidName(name)).toBe(false);
    },
  );

  it("counts a name's length in code points: an emoji is one", () => {
    expect(isValidName("a".repeat(65))).toBe(false);
    expect(checkName("😀".repeat(65), "", DIALECTS.agentskills, 2)[0]?.message).toContain("65 characters");
  });

  it.each([
    ["65 characters are too many", "a".repeat(65), "a".repeat(65), ["NAME_TOO_LONG"]],
    ["64 emoji are not", "😀".repeat(64), "😀".repeat(64), ["NAME_INVALID"]],
    [
      "every broken rule is told",
      "A".repeat(65),
      "a",
      ["NAME_TOO_LONG", "NAME_INVALID", "NAME_DIR_MISMATCH"],
    ],
    ["a file system may decompose letters", "caf\u00e9", "cafe\u0301", ["NAME_INVALID"]],
    ["001 has the same pattern", "Code Review", "Code Review", ["NAME_INVALID"], "project"],
    ["001 has no limit, and lets name and folder differ", "a".repeat(65), "a", [], "project"],
    ...["plan_compiler", "Plan Compiler", "計画", "a--b", "x".repeat(200)].map(
      (name) => ["002 §1 takes any folder", name, name, [], "lily"] as const,
    ),
    ["002 §1 takes no device", "nul", "nul", ["NAME_UNSAFE"], "lily"],
    ["002 §1 tells letters that imitate others", "d\u0430ta", "d\u0430ta", ["CONFUSABLE"], "lily"],
  ] as [string, string, string, string[], DialectName?][])("%s: %s", (_, name, folder, faults, dialect) => {
    expect(faultsOf(name, folder, dialect)).toEqual(faults);
  });

  it("rejects a name that differs from its folder, naming both", () => {
    const [fault, ...others] = checkName("pdf-forms", "pdf", DIALECTS.agentskills, 2);
    expect(fault).toMatchObject({ fault: "NAME_DIR_MISMATCH", line: 2 });
    expect(fault?.message).toMatch(/"pdf-forms".*"pdf"/);
    expect(others).toEqual([]);
  });
});

describe("names that could be taken for something else", () => {
  it.each(["../../etc", "a/b", "a\\b", "..", ".", "a\0b", " a", "a ", "con", "CON", "nul.txt", "Com1"])(
    "reports %j as unsafe in every dialect",
    (name) => {
      for (const dialect of ["agentskills", "project", "lily"] as const)
        expect(faultsOf(name, name, dialect)).toContain("NAME_UNSAFE");
    },
  );

  it.each(["console", "nullable", "com", "com10x", "a.b"])("takes %s for no path and no device", (name) => {
    expect(faultsOf(name)).not.toContain("NAME_UNSAFE");
  });

  it("shortens a long name in its message and shows no control character raw", () => {
    const faults = checkName(`\u001b[2J${"a".repeat(500)}`, "a", DIALECTS.agentskills, 2);
    for (const { message } of faults) {
      expect(message.length).toBeLessThan(250);
      expect(message).not.toContain("\u001b");
    }
  });

  it("leaves the skill out under strict validation and loads it with a warning under lenient", () => {
    for (const fault of checkName("../A", "b", DIALECTS.agentskills, 2))
      expect([isError(fault, "strict"), isError(fault, "lenient")]).toEqual([true, false]);
  });

  it("gives no line where the name stands on none", () => {
    expect(checkName("..", "..", DIALECTS.lily, undefined)[0]).not.toHaveProperty("line");
  });
});

const skill = {
  name: "release",
  id: "0123456789abcdef",
  path: "/repo/skills/release/SKILL.md",
  dir: "/repo/skills/release",
  scope: "repo",
} as const;
const own = [skill.name, skill.id, skill.path, skill.dir];
const forms = [
  ...["Release", "ＲＥＬＥＡＳＥ", "re\u200blease", "repo:release", "Repo:RELEASE", skill.id.toUpperCase()],
];
const others = [
  ...["releas", "release-notes", "user:release", "/repo/skills", "/repo/skills/Release"],
  ...["", "undefined:release"],
];

describe("what takes something away means a skill in every form of its name", () => {
  it.each([...own, ...forms])("%j", (entry) => {
    expect(refersTo(entry, skill)).toBe(true);
    expect(refersToAny(["other", entry], skill)).toBe(true);
    expect(entryMatcher([{ name: "other" }, skill], false)(entry)).toBe(true);
  });

  it.each(others)("%j means another", (entry) => {
    expect(refersTo(entry, skill)).toBe(false);
    expect(refersToAny(["other", entry], skill)).toBe(false);
    expect(entryMatcher([{ name: "other" }, skill], false)(entry)).toBe(false);
  });

  it("a typed skill has a name alone", () => {
    expect(refersTo("Text_Extract", { name: "text_extract" })).toBe(true);
    expect(refersTo("undefined:text_extract", { name: "text_extract" })).toBe(false);
  });
});

describe("what grants something means exactly the skill", () => {
  const answers = (entry: string) => [isExactly(entry, skill), entryMatcher([skill], true)(entry)];
  it.each(own)("%j", (entry) => expect(answers(entry)).toEqual([true, true]));
  it.each([...forms, ...others])("%j grants nothing", (entry) =>
    expect(answers(entry)).toEqual([false, false]),
  );

  it("a name is the same however its letters were composed", () => {
    expect(isExactly("cafe\u0301", { name: "café" })).toBe(true);
  });
});

describe("advice about a name works", () => {
  const allFaults = (name: string | undefined, folder: string, dialect: Dialect) => {
    const data = { ...(name === undefined ? {} : { name }), description: "D." };
    return readFields(data, () => 2, folder, dialect).faults;
  };
  const word = fc.oneof(
    fc.constantFrom(
      ...["plan_desc", "Plan Desc", "計画", "-x-", "con", "plan", "Ünicode", "a".repeat(70), "a--b"],
    ),
    fc.string({ minLength: 1, maxLength: 80 }).filter((text) => !/[/\0]|^\.+$/.test(text)),
  );
  const given = [
    fc.option(word, { nil: undefined }),
    word,
    fc.constantFrom<DialectName>("agentskills", "project"),
  ] as const;

  it("whichever of the proposed ways somebody takes", () => {
    fc.assert(
      fc.property(...given, (name, folder, kind) => {
        const dialect = DIALECTS[kind];
        for (const { fault, message } of allFaults(name, folder, dialect)) {
          if (fault !== "NAME_MISSING" && fault !== "NAME_DIR_MISMATCH") continue;
          for (const way of message.split(", or ")) {
            const isFree = /a name of lowercase letters/.test(way);
            const renamed = /rename the folder to ([^\s,]+)/.exec(way)?.[1] ?? folder;
            const written = isFree ? "my-name" : (/write: name: (\S+)$/.exec(way)?.[1] ?? name);
            const now = isFree && dialect.nameEqualsFolder ? "my-name" : renamed;
            expect({ way, faults: allFaults(written, now, dialect) }).toEqual({ way, faults: [] });
          }
        }
      }),
      { seed: fixedSeed(), numRuns: cases(2_000) },
    );
  });

  it("proposes for plan_desc a name that the rules take", () => {
    const messages = (kind: "agentskills" | "project") =>
      allFaults(undefined, "plan_desc", DIALECTS[kind]).map(({ message }) => message);
    expect(messages("project")[0]).toBe('"name" is missing; write: name: plan-desc');
    expect(messages("agentskills")[0]).toBe(
      '"name" is missing; rename the folder to plan-desc, and write: name: plan-desc',
    );
  });
});
