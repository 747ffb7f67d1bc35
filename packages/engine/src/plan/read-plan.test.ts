import { describe, expect, it } from "vitest";
import { register } from "../registry/typed-skills.ts";
import { type KnownSkills, readPlan } from "./read-plan.ts";

const SKIPPED = 'The typed skill "broken" was skipped';
const skills: KnownSkills = {
  registered: (await register([], "/p", true)).registered,
  whyLeftOut: (name) => (name === "broken" ? SKIPPED : undefined),
  within: null,
};
const read = (text: string) => readPlan(text, "/p/plan.yaml", skills);
const problems = (text: string): string[] => {
  const plan = read(text);
  if ("id" in plan) throw new Error("The plan has no problem.");
  return plan.map(({ line, message }) => `${line}: ${message}`);
};
const HEAD = "version: 1\nplan: p\ntasks:\n";

/** As `plan.yaml` is described. */
const EXAMPLE = `version: 1
plan: quarterly-report
title: Quarterly report
tasks:
  - id: extract
    skill: text_extract
    inputs: [{ file: docs/q3.pdf }]
  - id: render
    skill: template_render
    depends_on: [extract]
    inputs: [{ role: template, file: report.liquid }, { role: data, task: extract, artifact: extracted_text }]
    params: { title: Q3 }
  - id: sign
    depends_on: [render]
    requirements:
      - { name: sign_off, kind: CONFIRMATION, required: true }
      - { name: sources, kind: FILE, required: true, min_count: 2, allowed_types: [pdf, md], validation: { filename_keywords: [source] } }
      - { name: hash, kind: SKILL_OUTPUT, required: true, skill: file_fingerprint, evidence: FILE_HASH }
`;

describe("a plan", () => {
  it("is read as it is written, with its defaults", () => {
    expect(read(EXAMPLE)).toMatchObject({
      id: "quarterly-report",
      title: "Quarterly report",
      tasks: [
        {
          id: "extract",
          title: "extract",
          skill: "text_extract",
          dependsOn: [],
          inputs: [{ role: null, file: "docs/q3.pdf" }],
        },
        {
          id: "render",
          dependsOn: ["extract"],
          params: { title: "Q3" },
          inputs: [
            { role: "template", file: "report.liquid" },
            { role: "data", task: "extract", artifact: "extracted_text" },
          ],
        },
        {
          id: "sign",
          skill: null,
          requirements: [
            { name: "sign_off", kind: "CONFIRMATION", required: true, minCount: 1 },
            { name: "sources", minCount: 2, allowedTypes: ["pdf", "md"], filenameKeywords: ["source"] },
            { name: "hash", kind: "SKILL_OUTPUT", skill: "file_fingerprint", evidence: "FILE_HASH" },
          ],
        },
      ],
    });
  });

  it("is the same with a byte order mark and other line ends", () => {
    const { sha256: _, ...plain } = read(EXAMPLE) as { sha256: string };
    expect(read(`\ufeff${EXAMPLE.replaceAll("\n", "\r\n")}`)).toMatchObject(plain);
  });

  it("is called after its file where it has no name; numbers are names too", () => {
    expect(read("version: 1\ntasks: [{ id: 1 }, { id: 2, depends_on: [1] }]\n")).toMatchObject({
      id: "plan",
      tasks: [{ id: "1" }, { id: "2", dependsOn: ["1"] }],
    });
  });

  it("takes types with or without their dot, in any case", () => {
    const text = `${HEAD}  - { id: a, requirements: [{ name: f, kind: FILE, allowed_types: [.PDF, Md] }] }\n`;
    expect(read(text)).toMatchObject({ tasks: [{ requirements: [{ allowedTypes: ["pdf", "md"] }] }] });
  });
});

describe("a plan with a fault says what and on which line", () => {
  it.each([
    ["- a\n", /^1: /],
    ["version: 1\n", /^1: "tasks" is missing\.$/],
    ["version: 2\nplan: p\ntasks: []\n", /^1: "version" must be 1, found 2\.$/],
    ["version: 1\nplan: p\ntask: []\ntasks: []\n", /^3: unknown key "task"; did you mean "tasks"\?$/],
    [
      `${HEAD}  - id: a\n    dependson: []\n`,
      /^5: unknown key "tasks\[0\]\.dependson"; did you mean "depends_on"\?$/,
    ],
    [`${HEAD}  - id: a\n    skil: x\n`, /^5: .*did you mean "skill"\?$/],
    [`${HEAD}  - 7\n`, /^4: "tasks\[0\]" must be a mapping, found 7\.$/],
    [`${HEAD}  - title: x\n`, /^4: "tasks\[0\]\.id" must be .*found nothing\.$/],
    [`${HEAD}  - id: ../x\n`, /^4: "tasks\[0\]\.id" must be /],
    [`${HEAD}  - id: a..b\n`, /^4: "tasks\[0\]\.id" must be /],
    [`${HEAD}  - id: ${"a".repeat(65)}\n`, /^4: "tasks\[0\]\.id" must be at most 64 /],
    [`${HEAD}  - id: a\n    depends_on: b\n`, /^5: "tasks\[0\]\.depends_on" must be a list, found "b"\.$/],
    [
      `${HEAD}  - id: a\n    depends_on:\n      - [b]\n`,
      /^6: "tasks\[0\]\.depends_on\[0\]" must be .*found a list\.$/,
    ],
    [`${HEAD}  - id: a\n    params: 3\n`, /^5: "tasks\[0\]\.params" must be a mapping, found 3\.$/],
    [`${HEAD}  - id: a\n    title: { b: 1 }\n`, /^5: "tasks\[0\]\.title" must be text, found a mapping\.$/],
    [`${HEAD}  - id: a\n  - id: a\n`, /^5: Two tasks are called "a"\.$/],
    [
      `${HEAD}  - id: fetch\n  - id: b\n    depends_on: [fetsh]\n`,
      /^6: There is no task "fetsh"\. Did you mean "fetch"\?$/,
    ],
    [
      `${HEAD}  - id: a\n    skill: text_extrct\n`,
      /^5: There is no typed skill "text_extrct"\. Did you mean "text_extract"\?$/,
    ],
    [`${HEAD}  - id: a\n    inputs: [{ file: x }]\n`, /^5: Only a task with a "skill" can have inputs\.$/],
    [`${HEAD}  - id: a\n    params: { b: 1 }\n`, /^5: Only a task with a "skill" can have parameters\.$/],
    [
      `${HEAD}  - id: a\n    skill: text_extract\n    inputs:\n      - { file: x, task: b }\n`,
      /^7: An input must be \{ file \} or \{ task, artifact \}/,
    ],
    [
      `${HEAD}  - id: a\n    skill: text_extract\n    inputs: [{ file: x, rol: y }]\n`,
      /^6: unknown key "tasks\[0\]\.inputs\[0\]\.rol"; did you mean "role"\?$/,
    ],
    [
      `${HEAD}  - id: a\n    skill: diff_artifact\n    inputs: [{ role: lft, file: x }, { role: left, file: y }, { role: right, file: z }]\n`,
      /^6: There is no input of diff_artifact "lft"\. Did you mean "left"\?$/,
    ],
    [
      `${HEAD}  - id: a\n    skill: text_extract\n    inputs: [{ task: b, artifact: x }]\n`,
      /^6: There is no task "b"/,
    ],
    [
      `${HEAD}  - id: a\n    skill: text_extract\n    inputs: [{ file: x }]\n  - id: b\n    skill: text_extract\n    inputs: [{ task: a, artifact: extracted_text }]\n`,
      /^9: .*"depends_on" must name that task\.$/,
    ],
    [
      `${HEAD}  - id: a\n    skill: text_extract\n    inputs: [{ file: x }]\n  - id: b\n    skill: text_extract\n    depends_on: [a]\n    inputs:\n      - { task: a, artifact: extracted_txt }\n`,
      /^11: There is no artifact of "a" "extracted_txt"\. Did you mean "extracted_text"\?$/,
    ],
    [
      `${HEAD}  - id: a\n  - id: b\n    skill: text_extract\n    depends_on: [a]\n    inputs:\n      - { task: a, artifact: x }\n`,
      /^9: There is no artifact of "a" "x"\.$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: f, kind: FIL }\n`,
      /^6: "tasks\[0\]\.requirements\[0\]\.kind" must be FILE or CONFIRMATION or SKILL_OUTPUT, found "FIL"\. Did you mean "FILE"\?$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: f, kind: FILE, min_count: 0 }\n`,
      /^6: "tasks\[0\]\.requirements\[0\]\.min_count" must be a whole number from 1 on, found 0\.$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: f, kind: FILE, required: 1 }\n`,
      /^6: "tasks\[0\]\.requirements\[0\]\.required" must be true or false, found 1\.$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: f/g, kind: FILE }\n`,
      /^6: "tasks\[0\]\.requirements\[0\]\.name" must be /,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: f, kind: FILE, validation: { keywords: [] } }\n`,
      /^6: unknown key "tasks\[0\]\.requirements\[0\]\.validation\.keywords"; the keys here are filename_keywords\.$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: f, kind: FILE }\n      - { name: f, kind: FILE }\n`,
      /^7: Two requirements are called "f"\.$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: h, kind: SKILL_OUTPUT, skill: file_fingerprin }\n`,
      /^6: There is no typed skill "file_fingerprin"/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: h, kind: SKILL_OUTPUT, skill: file_fingerprint, evidence: FILE_HAS }\n`,
      /^6: There is no evidence of file_fingerprint "FILE_HAS"\. Did you mean "FILE_HASH"\?$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: h, kind: SKILL_OUTPUT, task: bb }\n`,
      /^6: There is no task "bb"/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: h, kind: SKILL_OUTPUT, task: b }\n  - id: b\n`,
      /^6: The task "b" runs no skill, so it has no output\.$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: h, kind: SKILL_OUTPUT, task: b, skill: text_extract }\n  - { id: b, skill: file_fingerprint, inputs: [{ file: f }] }\n`,
      /^6: The task "b" runs file_fingerprint, not text_extract\.$/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: h, kind: SKILL_OUTPUT, task: b, evidence: HASH }\n  - { id: b, skill: file_fingerprint, inputs: [{ file: f }] }\n`,
      /^6: There is no evidence of file_fingerprint "HASH"/,
    ],
    [
      `${HEAD}  - id: a\n    requirements:\n      - { name: h, kind: SKILL_OUTPUT, task: b }\n  - { id: b, skill: file_fingerprint, inputs: [{ file: f }], depends_on: [a] }\n`,
      /^4: Tasks wait for each other in a cycle: a → b → a\.$/,
    ],
    [`${HEAD}  - id: a\n    depends_on: [a]\n`, /^5: Tasks wait for each other in a cycle: a → a\.$/],
    [
      `${HEAD}  - id: a\n    depends_on: [c]\n  - { id: b, depends_on: [a] }\n  - { id: c, depends_on: [b] }\n`,
      /cycle: a → c → b → a\.$/,
    ],
    [
      `${HEAD}  - { id: con }\n`,
      /^4: "tasks\[0\]\.id": "con" is a reserved device name on Windows\. Choose another\.$/,
    ],
    [`${HEAD}  - { id: a. }\n`, /^4: "tasks\[0\]\.id": "a\." .*ends in a dot\. Choose another\.$/],
    [`${HEAD}  - &x { id: a }\n  - *x\n`, /^\d: /],
    [`${HEAD}  - { id: a, id: b }\n`, /^\d: /],
  ])("%j", (text, expected) => {
    expect(problems(text)).toEqual([expect.stringMatching(expected)]);
  });

  it("all of them at once", () => {
    const found = problems(
      `version: 3\nplan: p\ntasks:\n  - id: ..\n    skil: 1\n  - id: b\n    inputs: no\n`,
    );
    expect(found.map((text) => text.split(":")[0])).toEqual(["1", "4", "5", "7"]);
  });

  it("those of the text and those of what it means at once, each on its line", () => {
    const found = problems(`${HEAD}  - id: a
    skill: text_extract
    depends_on: [b, none]
    inputs: [{ file: x }, { file: y }]
    params:
      max_chars: many
      colour: red
  - id: b
    skill: diff_artifact
    inputs: [{ role: left, file: x }, { role: left, file: y }]
    requirements: [{ name: f, kind: FIL }]
  - id: c
    skill: broken
  - id: d
    skill: text_extrct
`);
    expect(found).toEqual([
      expect.stringMatching(/^6: There is no task "none"/),
      expect.stringMatching(/^7: text_extract takes only these inputs: input; remove this one\.$/),
      expect.stringMatching(/^9: text_extract: params\/max_chars: must be integer\.$/),
      expect.stringMatching(/^10: text_extract: params: unknown parameter "colour"/),
      expect.stringMatching(/^13: diff_artifact takes one file as "left", found 2\.$/),
      expect.stringMatching(/^13: diff_artifact needs the input "right"/),
      expect.stringMatching(/^14: "tasks\[1\]\.requirements\[0\]\.kind" must be FILE/),
      `16: ${SKIPPED}`,
      expect.stringMatching(/^18: There is no typed skill "text_extrct"\. Did you mean "text_extract"\?$/),
    ]);
  });
});
