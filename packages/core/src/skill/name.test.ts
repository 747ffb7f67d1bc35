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

  it.each([
    ["two hyphens in a row", "pdf--forms"],
    ["a hyphen at its start", "-pdf"],
    ["a hyphen at its end", "pdf-"],
    ["an uppercase letter", "Pdf"],
    ["an underscore", "pdf_forms"],
    ["a space inside", "pdf forms"],
    ["a dot", "pdf.forms"],
    ["a letter outside ASCII", "café"],
    ["a line end behind it", "pdf\n"],
  ])("rejects a name with %s", (_, name) => {
    expect(faultsOf(name)).toContain("NAME_INVALID");
    expect(isValidName(name)).toBe(false);
  });

  it("rejects a name of 65 characters", () => {
    expect(faultsOf("a".repeat(65))).toEqual(["NAME_TOO_LONG"]);
    expect(isValidName("a".repeat(65))).toBe(false);
  });

  it("counts a name's length in code points: an emoji is one", () => {
    expect(faultsOf("😀".repeat(64))).toEqual(["NAME_INVALID"]);
    expect(faultsOf("😀".repeat(65))).toEqual(["NAME_TOO_LONG", "NAME_INVALID"]);
    expect(checkName("😀".repeat(65), "", DIALECTS.agentskills, 2)[0]?.message).toContain("65 characters");
  });

  it("rejects a name that differs from its folder, naming both", () => {
    const [fault, ...others] = checkName("pdf-forms", "pdf", DIALECTS.agentskills, 2);
    expect(fault).toMatchObject({ fault: "NAME_DIR_MISMATCH", line: 2 });
    expect(fault?.message).toMatch(/"pdf-forms".*"pdf"/);
    expect(others).toEqual([]);
  });

  it("takes a folder for equal whose letters the file system has decomposed", () => {
    expect(faultsOf("caf\u00e9", "cafe\u0301")).toEqual(["NAME_INVALID"]);
  });

  it("reports every rule that a name breaks", () => {
    expect(faultsOf("A".repeat(65), "a")).toEqual(["NAME_TOO_LONG", "NAME_INVALID", "NAME_DIR_MISMATCH"]);
  });
});

describe("001 validation rules: name", () => {
  it("asks for the same pattern", () => {
    expect(faultsOf("code-review", "code-review", "project")).toEqual([]);
    expect(faultsOf("Code Review", "Code Review", "project")).toEqual(["NAME_INVALID"]);
  });

  it("sets no limit to a name's length", () => {
    expect(faultsOf("a".repeat(65), "a", "project")).toEqual([]);
  });
});

describe("002 §1 the folder's name is the skill's name", () => {
  it.each(["plan_compiler", "Plan Compiler", "計画", "a--b", "x".repeat(200)])(
    "accepts the folder %s",
    (folder) => {
      expect(faultsOf(folder, folder, "lily")).toEqual([]);
    },
  );

  it("still reports a folder that could be taken for a device or whose letters imitate others", () => {
    expect(faultsOf("nul", "nul", "lily")).toEqual(["NAME_UNSAFE"]);
    expect(faultsOf("d\u0430ta", "d\u0430ta", "lily")).toEqual(["CONFUSABLE"]);
  });
});

describe("names that could be taken for something else", () => {
  it.each(["../../etc", "a/b", "a\\b", "..", ".", "a\0b", " a", "a ", "con", "CON", "nul.txt", "Com1"])(
    "reports %j as unsafe in every dialect",
    (name) => {
      for (const dialect of ["agentskills", "project", "lily"] as const) {
        expect(faultsOf(name, name, dialect)).toContain("NAME_UNSAFE");
      }
    },
  );

  it.each(["console", "nullable", "com", "com10x", "a.b"])(
    "does not take %s for a path or a device",
    (name) => {
      expect(faultsOf(name)).not.toContain("NAME_UNSAFE");
    },
  );

  it("shortens a long name in its message and shows no control character raw", () => {
    const messages = checkName(`\u001b[2J${"a".repeat(500)}`, "a", DIALECTS.agentskills, 2).map(
      (fault) => fault.message,
    );
    for (const message of messages) {
      expect(message.length).toBeLessThan(250);
      expect(message).not.toContain("\u001b");
    }
  });

  it("leaves the skill out under strict validation and loads it with a warning under lenient", () => {
    for (const fault of checkName("../A", "b", DIALECTS.agentskills, 2)) {
      expect([fault.fault, isError(fault, "strict"), isError(fault, "lenient")]).toEqual([
        fault.fault,
        true,
        false,
      ]);
    }
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
  "Release",
  "ＲＥＬＥＡＳＥ",
  "re\u200blease",
  "repo:release",
  "Repo:RELEASE",
  skill.id.toUpperCase(),
];
const others = [
  "releas",
  "release-notes",
  "user:release",
  "/repo/skills",
  "/repo/skills/Release",
  "",
  "undefined:release",
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
      "plan_desc",
      "Plan Desc",
      "計画",
      "-x-",
      "con",
      "plan",
      "Ünicode",
      "a".repeat(70),
      "a--b",
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
