import { describe, expect, it } from "vitest";
import { toDiagnostic, type Validation } from "../shared/diagnostics.ts";
import { within } from "../shared/testing/within.ts";
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

  it("requires frontmatter, with name and description in it", () => {
    for (const dialect of ["agentskills", "project"] as const)
      expect(codes(read("# Body\n", { dialect }))).toEqual(["E_FM_MISSING:1"]);
    expect(codes(read("---\n---\n"))).toEqual(["E_NAME_MISSING", "E_DESC_INVALID"]);
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

  it.each([
    ["- name: x\n- description: Does x.", 'a list; remove the "- " before each key.'],
    ["[x, y]", "a list."],
    ["name x", "plain text."],
  ])("says of %j in place of keys what to do, and nothing about quotes", (yaml, found) => {
    expect(read(file(yaml)).faults[0]?.message).toBe(`Expected "key: value" lines, found ${found}`);
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
    ["a missing description", file("name: pdf"), "DESC_INVALID"],
    ["missing frontmatter", "# Body\n", "FM_MISSING:1"],
    ["unreadable YAML", file("name: ["), "YAML_SYNTAX:2"],
    ["a key given twice", file("name: a\nname: b"), "YAML_DUPLICATE:3"],
  ])("both leave a skill out for %s", (_, text, fault) => {
    for (const validation of ["strict", "lenient"] as const)
      expect(codes(read(text), validation)).toEqual([`E_${fault}`]);
  });
});

describe("001 validation rules", () => {
  it("reads the document's example", () => {
    const yaml = "name: code-review\ndescription: Review code quality and risks";
    const body = "# Code Review\n\nUse this checklist:\n- ...\n\n$ARGUMENTS\n";
    const expected = { dialect: "project", name: "code-review", body, faults: [] };
    expect(read(file(yaml, body), { dialect: "project", folder: "cr" })).toMatchObject(expected);
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

  const utf16 = Buffer.from(`\ufeff${file(VALID)}`, "utf16le");
  it.each([
    [
      "where it ends within a character",
      Buffer.concat([Buffer.from(file(VALID)), Buffer.from([0xe2, 0x82])]),
      6,
      file(VALID).length,
    ],
    ["in UTF-16LE", utf16, 1, 0],
    ["in UTF-16BE", Buffer.from(utf16).swap16(), 1, 0],
    ["in ISO-8859-1", Buffer.from(file(`${VALID} Caf\xe9`), "latin1"), 3, 4 + VALID.length + 4],
  ])("is refused %s, and no U+FFFD stands in its place", (_, bytes, line, offset) => {
    const reading = read(bytes);
    expect(reading.faults).toMatchObject([{ fault: "ENCODING", line }]);
    expect(reading.faults[0]?.message).toMatch(new RegExp(`byte ${offset}\\b`));
    expect(JSON.stringify(reading)).not.toContain("\ufffd");
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

  it("says on which line of the file something is hidden", () => {
    expect(codes(read(file(`\ufeff${VALID}`)))).toEqual(["W_HIDDEN_CHAR:2"]);
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
  return [yaml, bytes.toString("utf8", parts.bodyStart), lineAt(bytes, parts.bodyStart)];
}

describe("004 §2 frontmatter between two fences", () => {
  it.each([
    ["---\nname: x\n---\n# Body\n", "name: x", "# Body\n", 4],
    ["---\r\nname: x\r\n---\r\n# Body\r\n", "name: x", "# Body\r\n", 4],
    ["--- \t\nname: x\n---  \nBody", "name: x", "Body", 4],
    ["---\n---\nBody", "", "Body", 3],
    ["---\r\n---\r\nBody", "", "Body", 3],
    ["---\nname: x\n---", "name: x", "", 3],
    ["\ufeff---\nname: x\n---\nBody", "name: x", "Body", 4],
    ["---\na: b\n---\none\n---\ntwo", "a: b", "one\n---\ntwo", 4],
  ])("splits %j", (text, yaml, body, line) => {
    expect(split(text)).toEqual([yaml, body, line]);
  });

  it.each(["----", "--- x", " ---", "..."])("does not close at the line %j", (line) => {
    expect(split(`---\na: b\n${line}\nc: d\n---\n`)).toEqual([`a: b\n${line}\nc: d`, "", 6]);
  });

  it.each([
    ["FM_UNTERMINATED", "---\nname: x\n"],
    ["FM_UNTERMINATED", "---\n"],
    ["FM_UNTERMINATED", "---"],
    ["FM_LINE_ENDS", "---\rname: x\r---\r"],
    ["FM_LANG", "---js\nname: x\n---\n"],
    ["FM_LANG", "--- yaml\nname: x\n---\n"],
    ["FM_LANG", "---coffee\nname: x\n---\n"],
    ["FM_LANG", "---\u00a0\nname: x\n---\n"],
  ])("%s in %j", (fault, text) => {
    expect(split(text)).toBe(fault);
  });

  it("reads at most 64 KiB", () => {
    const yaml = "#".repeat(MAX_FRONTMATTER_BYTES);
    expect(MAX_FRONTMATTER_BYTES).toBe(65_536);
    expect(split(`---\n${yaml}\n---\n`)).toEqual([yaml, "", 4]);
    expect(split(`---\n${yaml}#\n---\n`)).toBe("FM_LIMIT");
  });

  it.each(["", "# Plan\n\nDo it.\n", "\n---\na: b\n---\n", "----\na: b\n----\n", "--\na: b\n--\n"])(
    "002 §2 finds none in %j: all is body",
    (text) => {
      expect(split(text)).toEqual([null, text, 1]);
    },
  );
});

describe("hostile files", () => {
  it.each(["~", "null", "", "1", "1.5", "-2.5", "true", "False"])("have a key that is no word: %j", (key) => {
    expect(codes(read(file(`${VALID}\n${key}: x`)))).toEqual(["E_YAML_KEY:4"]);
  });

  it.each(["\\0", "\\u001b[2J", "\\e[2J", "\\x9b2J"])(
    "hide the control character %s in an escape",
    (written) => {
      const hidden = read(file(`name: pdf\ndescription: "a${written}"`));
      expect([codes(hidden), codes(hidden, "lenient")]).toEqual([["E_CONTROL_CHAR:3"], ["W_CONTROL_CHAR:3"]]);
      expect(codes(read(file(`name: "a${written}"\ndescription: x`)))).toContain("E_CONTROL_CHAR:2");
    },
  );

  const laughs = [..."abcdefgh"].map(
    (key, i, all) => `${key}: &${key} [${Array(9).fill(i ? `*${all[i - 1]}` : "x")}]`,
  );
  const merged = Array.from({ length: 3000 }, (_, i) => `  k${i}: x`).join("\n");
  const nested = (levels: number) =>
    Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
  const open = (text: string) => `---\n${text}`;
  it.each([
    ["E_YAML_ALIAS", "the billion laughs", file(laughs.join("\n"))],
    ["E_YAML_ALIAS", "a quadratic merge", file(`a: &a\n${merged}\nb:\n  <<: [${Array(3000).fill("*a")}]`)],
    ["E_YAML_DEPTH", "20,000 open brackets", file(`a: ${"[".repeat(20_000)}`)],
    ["E_YAML_DEPTH", "20,000 lists", file(`a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`)],
    ["E_YAML_DEPTH", "3,000 mappings in braces", file(`a: ${"{a: ".repeat(3000)}`)],
    ["E_YAML_DEPTH", "300 mappings on lines", file(nested(300))],
    ["E_YAML_DEPTH", "20,000 dashes", file(`a:\n${"- ".repeat(20_000)}`)],
    ["E_FM_LIMIT", "3,000 mappings on lines", file(nested(3000))],
    ["E_FM_UNTERMINATED", "text and no fence", open("x".repeat(900 * 1024))],
    ["E_FM_UNTERMINATED", "lines and no fence", open("name: x\n".repeat(115_200))],
    ["E_FM_UNTERMINATED", "lines that are nearly fences", open("---x\n".repeat(184_320))],
    ["E_FM_UNTERMINATED", "line ends and no fence", open("\n".repeat(900 * 1024))],
    ["W_HIDDEN_CHAR", "joiners", file(VALID, "\u200d".repeat(50_000))],
    ["", "black flags", file(VALID, "\u{1f3f4}".repeat(250_000))],
    ["W_HIDDEN_CHAR", "tag characters", file(VALID, "\u{e0041}".repeat(250_000))],
    ["W_HIDDEN_CHAR", "line ends and hidden characters", file(VALID, "\n\u200b".repeat(250_000))],
    ["", "open parentheses", file(`${VALID}\nallowed-tools: ${"(".repeat(65_000)}`)],
    [
      "E_YAML_SYNTAX",
      "closing brackets behind a value to repair",
      file(`name: pdf\ndescription: a: b\n${"]".repeat(65_000)}`),
    ],
    ["E_FM_LIMIT", "colons", file(`name: pdf\ndescription: ${": ".repeat(32_000)}`)],
  ])("take no long time: %s for %s", (code, _, text) => {
    const [first = ""] = within(500, () => codes(read(text)));
    expect(first.split(":")[0]).toBe(code);
  });
});
