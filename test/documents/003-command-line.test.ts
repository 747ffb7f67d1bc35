import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { makePdf } from "../../packages/engine/src/builtin/testing/make-pdf.ts";
import { makeDocx } from "../../packages/engine/src/builtin/testing/make-zip.ts";
import type { PlanStatus } from "../../packages/engine/src/plan/plan-report.ts";
import { TRUST } from "../cli/run.ts";
import { ask, openState, type Refusal } from "../cli/typed-skills.ts";
import { python } from "../engine/isolate/make-skill.ts";

/** The example of document 003 §2.1, as the documentation has it. */
const EXAMPLE = /```yaml\n([\s\S]*?)```/.exec(
  readFileSync(join(import.meta.dirname, "../../docs/typed-skills.md"), "utf8"),
)?.[1] as string;

const FILES = {
  "repo/.git/": "",
  "repo/skills/registry.yaml": EXAMPLE,
  "repo/notes.md": "# Notes\n\nHello.\n",
  "repo/copy.md": "# Notes\n\nHello.\n",
};

interface Registry {
  readonly skills: readonly { name: string; params: object; idempotency: object }[];
  readonly errors: readonly object[];
  readonly warnings: readonly object[];
}

describe("003 on the command line", () => {
  it("§2.1 and §7.1: the example of the document loads as it is, and is listed", () => {
    using folder = makeFolder(FILES);
    const { code, data } = ask<Registry>(folder, ["registry"], TRUST);
    expect({ code, errors: data.errors, warnings: data.warnings }).toEqual({
      code: 0,
      errors: [],
      warnings: [],
    });
    expect(data.skills.slice(0, 2)).toMatchObject([
      {
        name: "file_fingerprint",
        implementation: "skills.impl.file_fingerprint:run",
        inputs: [{ kind: "FILE", required: true }],
        outputs: { artifacts: [], evidences: [{ kind: "FILE_HASH" }] },
        idempotency: { strategy: "INPUT_HASHES", cache: true },
      },
      {
        name: "text_extract",
        outputs: { artifacts: [{ name: "extracted_text", format: "txt" }], evidences: [] },
        params: { schema: { properties: { max_chars: { default: 200_000 } } } },
        idempotency: { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true },
      },
    ]);
  });

  it("§5 and §7.2: a run executes and leaves its rows: the run, its artifact and the event", () => {
    using folder = makeFolder(FILES);
    const { data } = ask(folder, ["run", "text_extract", "notes.md"], TRUST);
    expect(data).toMatchObject({
      status: "SUCCEEDED",
      cached: false,
      inputs: [{ kind: "FILE", path: "notes.md", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      params: { max_chars: 200_000 },
      error: null,
    });
    const [artifact] = data.artifacts;
    expect(artifact?.path).toBe(`workspace/artifacts/adhoc/extracted_${data.inputs[0]?.sha256}.txt`);
    expect(readFileSync(folder.at("repo", artifact?.path ?? ""), "utf8")).toContain("Hello.");
    using db = openState(folder);
    const run = db.prepare("SELECT * FROM skill_runs").get() ?? {};
    expect(run).toMatchObject({ skill_name: "text_extract", status: "SUCCEEDED" });
    expect([run.inputs_json, run.params_json].map((json) => JSON.parse(String(json)))).toEqual([
      [expect.objectContaining({ path: "notes.md" })],
      { max_chars: 200_000 },
    ]);
    expect(db.prepare("SELECT path, sha256, format FROM artifacts").all()).toEqual([
      { path: artifact?.path, sha256: artifact?.sha256, format: "txt" },
    ]);
    const events = db.prepare("SELECT payload_json FROM task_events WHERE event_type = 'SKILL_RUN'").all();
    expect(events.map(({ payload_json }) => JSON.parse(String(payload_json)).status)).toContain("SUCCEEDED");
    const { evidences } = ask(folder, ["run", "file_fingerprint", "notes.md"], TRUST).data;
    expect(evidences).toEqual([
      {
        kind: "FILE_HASH",
        data: {
          sha256: data.inputs[0]?.sha256,
          path: "notes.md",
          size_bytes: 16,
          mime_type: "text/markdown",
        },
      },
    ]);
  });

  it("§6: text_extract gives the text of a PDF and of a DOCX", () => {
    using folder = makeFolder({
      ...FILES,
      "repo/one.pdf": makePdf([["Text of the page."]]),
      "repo/two.docx": makeDocx(["Text of the document."]),
    });
    for (const [file, text] of [
      ["one.pdf", "Text of the page."],
      ["two.docx", "Text of the document."],
    ] as const) {
      const { status, artifacts } = ask(folder, ["run", "text_extract", file], TRUST).data;
      expect(status).toBe("SUCCEEDED");
      expect(readFileSync(folder.at("repo", artifacts[0]?.path ?? ""), "utf8").trim()).toBe(text);
    }
  });

  it("§4 and §7.3: the same bytes are served from the earlier run with the same file; parameters count by the strategy", () => {
    using folder = makeFolder({
      ...FILES,
      "repo/skills/registry.yaml": `version: 1
skills:
  - { name: extract, implementation: "builtin:text_extract", idempotency: { strategy: INPUT_HASHES_PLUS_PARAMS } }
  - { name: whatever, implementation: "builtin:text_extract", idempotency: { strategy: INPUT_HASHES } }
  - { name: always, implementation: "builtin:text_extract", idempotency: { strategy: DISABLED } }
`,
    });
    const run = (name: string, file: string, ...more: string[]) =>
      ask(folder, ["run", name, file, ...more], TRUST).data;
    const first = run("extract", "notes.md");
    const file = folder.at("repo", first.artifacts[0]?.path ?? "");
    const { ino, mtimeMs } = statSync(file);
    const again = run("extract", "copy.md");
    expect([again.cached, again.id, again.artifacts[0]?.path]).toEqual([
      true,
      first.id,
      first.artifacts[0]?.path,
    ]);
    expect(statSync(file)).toMatchObject({ ino, mtimeMs });
    expect(run("extract", "notes.md", "--param", "max_chars=3").cached).toBe(false);
    folder.write({ "repo/copy.md": "Other.\n" });
    expect(run("extract", "copy.md").cached).toBe(false);
    expect(run("whatever", "notes.md").cached).toBe(false);
    expect(run("whatever", "notes.md", "--param", "max_chars=3").cached).toBe(true);
    const pair = ["notes.md", "skills/registry.yaml"] as const;
    const orders = [pair, pair.toReversed()] as const;
    expect(orders.map(([one = "", other = ""]) => run("file_fingerprint", one, other).cached)).toEqual([
      false,
      true,
    ]);
    expect([run("always", "notes.md").cached, run("always", "notes.md").cached]).toEqual([false, false]);
  });

  it.skipIf(!python.found)(
    "§1 and §2.1: skills.impl.<file>:<function> is the Python function of the project",
    () => {
      using folder = makeFolder({
        ...FILES,
        "repo/skills/registry.yaml": `version: 1
skills:
  - name: count_words
    description: Counts words
    implementation: skills.impl.count_words:run
    inputs: [{ kind: FILE, required: true, schema: { fields: [path, sha256] } }]
    outputs: { artifacts: [], evidences: [{ kind: COUNT, schema: { fields: [words] } }] }
    params: { schema: {} }
    idempotency: { strategy: INPUT_HASHES, cache: true }
`,
        "repo/skills/impl/count_words.py": `def run(ctx):
    words = len(open(ctx["inputs"][0]["path"]).read().split())
    return {"status": "SUCCEEDED", "artifacts": [], "evidences": [{"kind": "COUNT", "data": {"words": words}}], "error": None}
`,
      });
      const { data } = ask(folder, ["run", "count_words", "notes.md"], TRUST);
      expect(data).toMatchObject({ status: "SUCCEEDED", evidences: [{ kind: "COUNT", data: { words: 3 } }] });
    },
  );

  it("§3.3: a failure has a code and a message, and the exit code says so", () => {
    using folder = makeFolder({ ...FILES, "repo/broken.pdf": "%PDF-1.7 nonsense" });
    const { code, data } = ask(folder, ["run", "text_extract", "broken.pdf"], TRUST);
    expect({ code, data }).toMatchObject({
      code: 1,
      data: {
        status: "FAILED",
        artifacts: [],
        evidences: [],
        error: { code: "PDF_BROKEN", message: expect.stringMatching(/./) },
      },
    });
  });

  it("§3.3: a result without the four keys, or without what the entry declares, is FAILED and says what is missing", () => {
    const entry = `  - name: count
    description: Counts
    implementation: impl/count.mjs:run
    inputs: []
    outputs: { artifacts: [], evidences: [{ kind: COUNT, schema: { fields: [words] } }] }
    params: { schema: {} }
    idempotency: { strategy: DISABLED }
`;
    using folder = makeFolder({ ...FILES, "repo/skills/registry.yaml": `version: 1\nskills:\n${entry}` });
    const outcome = (returned: string) => {
      folder.write({ "repo/impl/count.mjs": `export const run = () => (${returned});\n` });
      const { status, error } = ask(folder, ["run", "count"], TRUST).data;
      return [status, error?.code, error?.message];
    };
    const of = (evidences: string, error = "error: null") =>
      `{ status: "SUCCEEDED", artifacts: [], evidences: [${evidences}], ${error} }`;
    expect(outcome(of('{ kind: "COUNT", data: { words: 1 } }'))[0]).toBe("SUCCEEDED");
    for (const [returned, said] of [
      [of('{ kind: "COUNT", data: { words: 1 } }', ""), "lacks error"],
      [of(""), '"COUNT" is declared but was not returned'],
      [of('{ kind: "COUNT", data: {} }'), '"COUNT" lacks words'],
    ] as const)
      expect(outcome(returned)).toEqual(["FAILED", "SKILL_BAD_OUTPUT", expect.stringContaining(said)]);
  });

  it("§3.1: an ARTIFACT is a file that a run of this project made, and no other", () => {
    const entry = `  - name: reads
    implementation: builtin:file_fingerprint
    inputs: [{ kind: ARTIFACT, required: true, schema: { fields: [path, sha256] } }]
    idempotency: { strategy: INPUT_HASHES }
`;
    using folder = makeFolder({ ...FILES, "repo/skills/registry.yaml": `version: 1\nskills:\n${entry}` });
    const [made] = ask(folder, ["run", "text_extract", "notes.md"], TRUST).data.artifacts;
    expect(ask(folder, ["run", "reads", made?.path ?? ""], TRUST).data.status).toBe("SUCCEEDED");
    const refused = ask<Refusal>(folder, ["run", "reads", "skills/registry.yaml"], TRUST);
    expect([refused.code === 0, refused.data.error.message]).toEqual([
      false,
      expect.stringContaining("skills/registry.yaml"),
    ]);
    const missing = ask<Refusal>(folder, ["run", "reads"], TRUST);
    expect(missing.data.error.code).toBe("INVALID_PARAM");
  });

  it("§5.7 and §7.4: the output of one task makes the next READY; a confirmation the third", () => {
    using folder = makeFolder({
      ...FILES,
      "repo/plan.yaml": `version: 1
plan: report
tasks:
  - { id: hash, skill: file_fingerprint, inputs: [{ file: notes.md }] }
  - id: read
    skill: text_extract
    inputs: [{ file: notes.md }]
    requirements: [{ name: hash, kind: SKILL_OUTPUT, skill: file_fingerprint, evidence: FILE_HASH }]
  - id: sign
    depends_on: [read]
    requirements: [{ name: sign_off, kind: CONFIRMATION }]
`,
    });
    const run = () =>
      ask<PlanStatus>(folder, ["plan", "run", "plan.yaml"], TRUST).data.tasks.map(
        ({ id, status, blocked_reason }) => `${id} ${blocked_reason ?? status}`,
      );
    expect(run()).toEqual(["hash DONE", "read DONE", "sign WAITING_APPROVAL"]);
    expect(ask(folder, ["evidence", "add", "sign", "sign_off", "--confirm"], TRUST).code).toBe(0);
    expect(run()).toEqual(["hash DONE", "read DONE", "sign DONE"]);
  });
});
