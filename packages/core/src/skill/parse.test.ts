import { describe, expect, it } from "vitest";
import { toDiagnostic, type Validation } from "../shared/diagnostics.ts";
import { lineAt, MAX_FRONTMATTER_BYTES, splitFrontmatter } from "./frontmatter.ts";
import { type FullReading, type Place, parseSkill, parseWholeSkill, type Reading } from "./parse.ts";

const AT: Place = { folder: "pdf", dialect: "agentskills", bareIsLily: false };

function read(text: string | Buffer, place: Partial<Place> = {}): FullReading {
  return parseWholeSkill(Buffer.from(text), { ...AT, ...place });
}

/** A file with this frontmatter, on the lines from 2 on. */
function file(yaml: string, body = "# Body\n"): string {
  return `---\n${yaml}\n---\n${body}`;
}

/** Its diagnostics as `code:line`. */
function codes(reading: Reading, validation: Validation = "strict"): string[] {
  return reading.faults.map((fault) => {
    const { code, line } = toDiagnostic(fault, "SKILL.md", validation);
    return line === undefined ? code : `${code}:${line}`;
  });
}

const VALID = "name: pdf\ndescription: Fills forms.";

describe("004 §5.3 frontmatter validation", () => {
  it("reads a skill: its fields, its frontmatter and its body", () => {
    expect(read(file(`${VALID}\nlicense: MIT\nx-own: [a, b]`))).toEqual({
      dialect: "agentskills",
      name: "pdf",
      description: "Fills forms.",
      facts: { license: "MIT" },
      faults: [],
      frontmatter: { name: "pdf", description: "Fills forms.", license: "MIT", "x-own": ["a", "b"] },
      body: "# Body\n",
    });
  });

  it("reads for the catalog the same without frontmatter and body", () => {
    const { frontmatter: _, body: __, ...reading } = read(file(`${VALID}\nlicense: MIT`, "é\u200b"));
    expect(parseSkill(Buffer.from(file(`${VALID}\nlicense: MIT`, "é\u200b")), AT)).toEqual(reading);
  });

  it.each([
    ["plain", "description: Fills forms.", "Fills forms."],
    ["quoted", "description: 'Fills: forms.'", "Fills: forms."],
    ["folded", "description: >\n  Fills\n  forms.", "Fills forms."],
    ["literal", "description: |\n  Fills\n  forms.", "Fills\nforms."],
    ["over two lines", "description: Fills\n  forms.", "Fills forms."],
    ["on the next line", "description:\n  Fills forms.", "Fills forms."],
    ["a number", "description: 123", "123"],
    ["in another script", "description: 填写表格 📝", "填写表格 📝"],
  ])("reads a description that is %s", (_, line, description) => {
    const text = file(`name: pdf\n${line}\nversion: 1.10`);
    for (const source of [text, text.replaceAll("\n", "\r\n"), `\ufeff${text}`]) {
      expect(read(source)).toMatchObject({
        name: "pdf",
        description,
        facts: { version: "1.10" },
        faults: [],
      });
    }
  });

  it("reports every broken rule of a skill at once, each on its line", () => {
    const reading = read(file("# comment\nname: PDF\ndescription: ''\nlicense: [MIT]\ncommand: Plan"));
    const broken = [
      "E_NAME_INVALID:3",
      "E_NAME_DIR_MISMATCH:3",
      "E_DESC_INVALID:4",
      "W_FIELD_INVALID:5",
      "W_COMMAND_INVALID:6",
    ];
    expect(codes(reading)).toEqual(broken);
    expect(codes(read(file("name: PDF\n\ndescription: a\nlicense: {}").replaceAll("\n", "\r\n")))).toEqual([
      "E_NAME_INVALID:2",
      "E_NAME_DIR_MISMATCH:2",
      "W_FIELD_INVALID:5",
    ]);
  });

  it("requires frontmatter", () => {
    expect(codes(read("# Body\n"))).toEqual(["E_FM_MISSING:1"]);
    expect(codes(read("# Body\n"), "lenient")).toEqual(["E_FM_MISSING:1"]);
  });

  it.each(["../../SKILL.md", "../../shared folder/SKILL.md\n", "..\\x\\SKILL.md", "README.md\r\n"])(
    "names the cause where git wrote a link as the text %j, in every dialect",
    (text) => {
      for (const dialect of ["agentskills", "project", "lily"] as const) {
        const { faults } = read(text, { dialect, bareIsLily: true });
        expect(faults).toMatchObject([{ fault: "FM_MISSING", line: 1 }]);
        expect(faults[0]?.message).toContain(`only the path ${JSON.stringify(text.trim())}`);
      }
    },
  );

  it("says of a list in place of keys what to do, and nothing about quotes", () => {
    const [fault] = read("---\n- name: x\n- description: Does x.\n---\n").faults;
    expect(fault?.message).toBe(
      'Expected "key: value" lines, found a list; remove the "- " before each key.',
    );
    expect(read("---\n[x, y]\n---\n").faults[0]?.message).toBe('Expected "key: value" lines, found a list.');
    expect(read("---\nname x\n---\n").faults[0]?.message).toBe(
      'Expected "key: value" lines, found plain text.',
    );
  });

  it("requires name and description where frontmatter is empty", () => {
    expect(codes(read("---\n---\n"))).toEqual(["E_NAME_MISSING", "E_DESC_INVALID"]);
  });

  it("takes the folder's name for a file that cannot be read, and nothing of its text", () => {
    expect(read(file("name: a\nname: b"), { folder: "cafe\u0301" })).toMatchObject({
      name: "caf\u00e9",
      description: "",
      facts: null,
      frontmatter: {},
      body: "",
    });
  });
});

describe("strict by default, lenient on request", () => {
  it.each([
    ["a missing description", "name: pdf", "DESC_INVALID"],
    ["unreadable YAML", "name: [", "YAML_SYNTAX:2"],
    ["a key given twice", "name: a\nname: b", "YAML_DUPLICATE:3"],
  ])("both leave a skill out for %s", (_, yaml, fault) => {
    for (const validation of ["strict", "lenient"] as const) {
      expect(codes(read(file(yaml)), validation)).toEqual([`E_${fault}`]);
    }
  });
});

describe("the one repair", () => {
  it.each([
    ["in a description", "name: pdf\ndescription: Use when: asked", "Use when: asked", 3],
    [
      "in a description over two lines",
      "name: pdf\ndescription: Use when: asked\n  for it",
      "Use when: asked for it",
      3,
    ],
    ["at the end of a value", "description: Use when:\nname: pdf", "Use when:", 2],
    ["with an apostrophe", "name: pdf\ndescription: it's: fine", "it's: fine", 3],
    ["before an asterisk", "name: pdf\ndescription: Use when: *always* asked", "Use when: *always* asked", 3],
    ["before an ampersand", "name: pdf\ndescription: Covers: &more", "Covers: &more", 3],
    ["before an exclamation mark", "name: pdf\ndescription: Beware: !important", "Beware: !important", 3],
  ])(
    "quotes a value with an unquoted colon %s, with a warning in both validations",
    (_, yaml, description, line) => {
      const reading = read(file(`${yaml}\nlicense: MIT`));
      expect(reading).toMatchObject({ name: "pdf", description, facts: { license: "MIT" } });
      expect(codes(reading)).toEqual([`W_YAML_REPAIRED:${line}`]);
      expect(codes(reading, "lenient")).toEqual([`W_YAML_REPAIRED:${line}`]);
    },
  );

  it("is for one value: two faults stay a fault", () => {
    expect(codes(read(file("name: pdf\ndescription: a: b\nlicense: c: d")))).toEqual(["E_YAML_SYNTAX:3"]);
    expect(codes(read(file("name: pdf\ndescription: a: b\nlicense: [c")))).toEqual(["E_YAML_SYNTAX:3"]);
  });

  it("keeps the lines of what follows", () => {
    const yaml = "name: pdf\ndescription: Use when: asked\n  for it\ncommand: Plan";
    expect(codes(read(file(yaml)))).toEqual(["W_YAML_REPAIRED:3", "W_COMMAND_INVALID:5"]);
  });
});

describe("001 validation rules", () => {
  const project = { dialect: "project", folder: "cr" } as const;

  it("reads the document's example", () => {
    const yaml = "name: code-review\ndescription: Review code quality and risks";
    const body = "# Code Review\n\nUse this checklist:\n- ...\n\n$ARGUMENTS\n";
    expect(read(file(yaml, body), project)).toMatchObject({
      dialect: "project",
      name: "code-review",
      body,
      faults: [],
    });
  });

  it("skips a skill without frontmatter", () => {
    expect(codes(read("# Code Review\n", project))).toEqual(["E_FM_MISSING:1"]);
  });
});

describe("002 §2 SKILL.md structure", () => {
  const lily = { dialect: "lily", folder: "plan_compiler" } as const;

  it("reads the document's canonical example", () => {
    const yaml = [
      "summary: Convert conversation into a structured implementation plan.",
      "invocation_mode: prompt_rewrite",
      "command: plan",
      "requires_tools:",
      "  - read",
      "  - write",
      "eligibility:",
      "  os: [darwin, linux, win32]",
      "  env: []",
      "  binaries: []",
    ].join("\n");
    expect(read(file(yaml, "\n# Plan Compiler\n"), lily)).toMatchObject({
      dialect: "lily",
      name: "plan_compiler",
      description: "Convert conversation into a structured implementation plan.",
      facts: {
        invocationMode: "prompt_rewrite",
        command: "plan",
        requiresTools: ["read", "write"],
        eligibility: { os: ["darwin", "linux", "win32"] },
      },
      faults: [],
      body: "\n# Plan Compiler\n",
    });
  });

  it.each(["", "# Plan\n", "---\n---\n# Plan\n"])(
    "applies defaults where frontmatter is absent or empty: %j",
    (text) => {
      expect(read(text, lily)).toMatchObject({
        name: "plan_compiler",
        description: "",
        facts: null,
        faults: [],
      });
    },
  );

  it("ignores keys it does not know, and keeps them", () => {
    const reading = read(file("summary: x\nmodel: opus\nhooks:\n  - a: b"), lily);
    expect(reading).toMatchObject({ facts: null, faults: [] });
    expect(reading.frontmatter).toEqual({ summary: "x", model: "opus", hooks: [{ a: "b" }] });
  });
});

describe("a skill of document 002 beside those of document 001", () => {
  const inSkills = { dialect: "project", bareIsLily: true, folder: "plan_compiler" } as const;

  it.each([
    ["no frontmatter", "# Plan\n"],
    ["empty frontmatter", "---\n---\n"],
    ["neither name nor description", "---\nsummary: x\n---\n"],
    ["a description without a name", file("description: x")],
    ["a command and no name", file("description: x\ncommand: plan")],
    ["a name and a summary", file("name: other\nsummary: x")],
    ["a name and another key of document 002", file("name: other\ndescription: x\nrequires_tools: [read]")],
  ])("is read as lily where it has %s", (_, text) => {
    expect(read(text, inSkills)).toMatchObject({ dialect: "lily", name: "plan_compiler", faults: [] });
  });

  it.each(["name: code-review", "name: code-review\ndescription: x\nlicense: MIT"])(
    "stays what it is where it has a name and no such key: %j",
    (yaml) => {
      expect(read(file(yaml), inSkills)).toMatchObject({ dialect: "project", name: "code-review" });
    },
  );

  it("in other formats only where it has neither name nor description", () => {
    const foreign = { ...inSkills, dialect: "agentskills" } as const;
    expect(read(file("summary: x"), foreign).dialect).toBe("lily");
    expect(read(file("description: x\ncommand: plan"), foreign).dialect).toBe("agentskills");
    expect(read(file("name: plan\nsummary: x"), foreign).dialect).toBe("agentskills");
  });
});

describe("the text of a file", () => {
  it.each([
    ["a byte that begins no character", [0xff]],
    ["a two-byte character cut short", [0xc3, 0x28]],
    ["a three-byte character cut short", [0xe2, 0x82, 0x28]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["an overlong form", [0xc0, 0xaf]],
  ])("is refused at %s, by its offset and line", (_, bytes) => {
    const before = Buffer.from("---\nname: p\u00e9\n");
    const { faults } = read(Buffer.concat([before, Buffer.from(bytes), Buffer.from("\n\n\n\n---\n")]));
    expect(faults).toMatchObject([{ fault: "ENCODING", line: 3 }]);
    expect(faults[0]?.message).toContain(`byte ${before.length};`);
  });

  it("is refused where it ends within a character", () => {
    const reading = read(Buffer.concat([Buffer.from(file(VALID)), Buffer.from([0xe2, 0x82])]));
    expect(reading.faults).toMatchObject([{ fault: "ENCODING", line: 6 }]);
    expect(reading.faults[0]?.message).toContain(`byte ${Buffer.byteLength(file(VALID))};`);
  });

  it.each([
    ["between two keys", "name: pdf\ndescription: x\rlicense: MIT", 3],
    ["among CRLF line ends", "name: pdf\r\n\r\ndescription: x\rlicense: MIT\r", 4],
    ["in a list", "name: pdf\ndescription: x\nallowed-tools: [Read\r, Write]", 4],
    ["before CRLF", "name: pdf\r\ndescription: x\r\r", 3],
  ])("may not end a line in a bare CR %s", (_, yaml, line) => {
    expect(codes(read(file(yaml)))).toEqual([`E_FM_LINE_ENDS:${line}`]);
  });

  it("is served byte for byte below the frontmatter", () => {
    const body = "\r\none\rtwo\u2028\u00a0\r\n---\nname: other\n---\n";
    expect(read(file(VALID, body))).toMatchObject({ name: "pdf", body, faults: [] });
  });

  it("says on which line of the file its body hides something", () => {
    expect(codes(read(file(VALID, "one\ntwo\u200b\n")))).toEqual(["W_HIDDEN_CHAR:6"]);
    expect(codes(read("one\ntwo\u200b\n", { dialect: "lily" }))).toEqual(["W_HIDDEN_CHAR:2"]);
  });
});

/** The two parts as text with the line on which the body begins, or the fault. */
function split(text: string): unknown {
  const bytes = Buffer.from(text);
  const parts = splitFrontmatter(bytes);
  if ("fault" in parts) return parts.fault;
  const yaml = parts.yaml && bytes.toString("utf8", parts.yaml.start, parts.yaml.end);
  return { yaml, body: bytes.toString("utf8", parts.bodyStart), line: lineAt(bytes, parts.bodyStart) };
}

describe("004 §2 frontmatter between two fences", () => {
  it("splits a file into its YAML and its body", () => {
    expect(split("---\nname: x\n---\n# Body\n")).toEqual({ yaml: "name: x", body: "# Body\n", line: 4 });
  });

  it("reads CRLF line ends", () => {
    expect(split("---\r\nname: x\r\n---\r\n# Body\r\n")).toEqual({
      yaml: "name: x",
      body: "# Body\r\n",
      line: 4,
    });
  });

  it("allows blanks behind a fence", () => {
    expect(split("--- \t\nname: x\n---  \nBody")).toEqual({ yaml: "name: x", body: "Body", line: 4 });
  });

  it("allows empty frontmatter", () => {
    expect(split("---\n---\nBody")).toEqual({ yaml: "", body: "Body", line: 3 });
    expect(split("---\r\n---\r\nBody")).toEqual({ yaml: "", body: "Body", line: 3 });
  });

  it("allows the closing fence to end the file", () => {
    expect(split("---\nname: x\n---")).toMatchObject({ yaml: "name: x", body: "" });
  });

  it("begins behind a byte order mark", () => {
    expect(split("\ufeff---\nname: x\n---\nBody")).toEqual({ yaml: "name: x", body: "Body", line: 4 });
  });

  it.each([
    ["more dashes", "----"],
    ["text behind it", "--- x"],
    ["a space before it", " ---"],
    ["the end mark of YAML", "..."],
  ])("does not close at a line with %s", (_, line) => {
    expect(split(`---\na: b\n${line}\nc: d\n---\n`)).toMatchObject({ yaml: `a: b\n${line}\nc: d` });
  });

  it("closes at the first fence; what follows is body, fences and all", () => {
    expect(split("---\na: b\n---\none\n---\ntwo")).toEqual({ yaml: "a: b", body: "one\n---\ntwo", line: 4 });
  });

  it("needs a closing fence", () => {
    expect(split("---\nname: x\n")).toBe("FM_UNTERMINATED");
    expect(split("---\n")).toBe("FM_UNTERMINATED");
    expect(split("---")).toBe("FM_UNTERMINATED");
  });

  it.each(["---js", "--- yaml", "---\u00a0", "---x"])(
    "takes %j on the first line for a language, never runs it",
    (line) => {
      expect(split(`${line}\nname: x\n---\n`)).toBe("FM_LANG");
    },
  );

  it("names bare CR line ends", () => {
    expect(split("---\rname: x\r---\r")).toBe("FM_LINE_ENDS");
  });

  it("reads at most 64 KiB", () => {
    const yaml = "#".repeat(MAX_FRONTMATTER_BYTES);
    expect(MAX_FRONTMATTER_BYTES).toBe(65_536);
    expect(split(`---\n${yaml}\n---\n`)).toMatchObject({ yaml });
    expect(split(`---\n${yaml}#\n---\n`)).toBe("FM_LIMIT");
  });
});

describe("002 §2 frontmatter is optional", () => {
  it.each([
    ["an empty file", ""],
    ["prose", "# Plan\n\nDo it.\n"],
    ["a fence on the second line", "\n---\na: b\n---\n"],
    ["four dashes", "----\na: b\n----\n"],
    ["two dashes", "--\na: b\n--\n"],
  ])("finds none in %s: all is body", (_, text) => {
    expect(split(text)).toEqual({ yaml: null, body: text, line: 1 });
  });
});
