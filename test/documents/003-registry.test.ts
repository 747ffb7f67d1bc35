import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { type EngineOptions, openEngine } from "../../packages/engine/src/open-engine.ts";

/** The example of document 003 §2.1, unchanged. */
const REGISTRY = `version: 1
skills:
  - name: file_fingerprint
    description: Compute sha256 and basic metadata of files
    implementation: skills.impl.file_fingerprint:run
    inputs:
      - kind: FILE
        required: true
        schema:
          fields:
            - path
    outputs:
      artifacts: []
      evidences:
        - kind: FILE_HASH
          schema:
            fields: [sha256, path, size_bytes, mime_type]
    params:
      schema: {}
    idempotency:
      strategy: INPUT_HASHES
      cache: true

  - name: text_extract
    description: Extract text from pdf/docx/md/txt
    implementation: skills.impl.text_extract:run
    inputs:
      - kind: FILE
        required: true
        schema:
          fields: [path, sha256]
    outputs:
      artifacts:
        - name: extracted_text
          format: txt
          path_template: "workspace/artifacts/{task_id}/extracted_{input_sha256}.txt"
      evidences: []
    params:
      schema:
        type: object
        properties:
          max_chars:
            type: integer
            default: 200000
    idempotency:
      strategy: INPUT_HASHES_PLUS_PARAMS
      cache: true
`;

const PLAN = `version: 1
plan: report
tasks:
  - id: read
    skill: text_extract
    inputs: [{ file: notes.md }]
  - id: sign
    depends_on: [read]
    requirements:
      - { name: hash, kind: SKILL_OUTPUT, skill: file_fingerprint, evidence: FILE_HASH }
`;

function project(files: Parameters<typeof makeFolder>[0] = {}) {
  const folder = makeFolder({
    "repo/skills/registry.yaml": REGISTRY,
    "repo/notes.md": "# Notes\n\nHello.\n",
    "repo/plan.yaml": PLAN,
    "home/": "",
    ...files,
  });
  const open = (more: Partial<EngineOptions> = {}) =>
    openEngine({
      projectRoot: folder.at("repo"),
      registry: [folder.at("repo/skills/registry.yaml")],
      store: `sqlite:${folder.at("repo/.knack/state.db")}`,
      env: {},
      home: folder.at("home"),
      ...more,
    });
  return Object.assign(folder, { open });
}

describe("003 §7 acceptance", () => {
  it("an artifact is really there, and the second run serves the same file", async () => {
    using folder = project();
    const engine = await folder.open();
    const extract = () => engine.run("text_extract", { inputs: [{ path: "notes.md" }] });
    const first = await extract();
    const [artifact] = first.run.artifacts;
    const file = folder.at("repo", artifact?.path ?? "");
    expect(artifact?.path).toMatch(/^workspace\/artifacts\/adhoc\/extracted_[0-9a-f]{64}\.txt$/);
    expect(readFileSync(file, "utf8")).toContain("Hello.");
    const { ino, mtimeMs } = statSync(file);
    const second = await extract();
    expect(second).toMatchObject({ cached: true, run: { id: first.run.id } });
    expect(statSync(file)).toMatchObject({ ino, mtimeMs });
    // Another process, and explicit defaults, give the same key.
    await engine.close();
    const other = await folder.open();
    const spelled = await other.run("text_extract", {
      inputs: [{ path: "notes.md" }],
      params: { max_chars: 200_000 },
    });
    expect(spelled).toMatchObject({ cached: true, run: { id: first.run.id } });
    const shorter = await other.run("text_extract", {
      inputs: [{ path: "notes.md" }],
      params: { max_chars: 3 },
    });
    expect(shorter.cached).toBe(false);
    await other.close();
  });

  it("a skill's output is the evidence that makes a task READY", async () => {
    using folder = project();
    const engine = await folder.open();
    const standing = async () =>
      Object.fromEntries(
        (await engine.applyPlan("plan.yaml")).status.tasks.map(({ id, status, blocked_reason }) => [
          id,
          blocked_reason ?? status,
        ]),
      );
    expect(await standing()).toEqual({ read: "READY", sign: "PENDING" });
    await engine.runPlan("plan.yaml");
    expect(await standing()).toEqual({ read: "DONE", sign: "WAITING_SKILL" });
    const { run } = await engine.run("file_fingerprint", { inputs: [{ path: "notes.md" }], task: "sign" });
    expect(await standing()).toEqual({ read: "DONE", sign: "READY" });
    const { db } = await engine.store();
    expect(await db.all("SELECT requirement_id, evidence_type, kind, ref_id FROM evidences")).toEqual([
      {
        requirement_id: "report/sign/hash",
        evidence_type: "SKILL_OUTPUT",
        kind: "FILE_HASH",
        ref_id: run.id,
      },
    ]);
    const status = await engine.runPlan("plan.yaml");
    expect(status.tasks.map((task) => [task.id, task.status, task.cached])).toEqual([
      ["read", "DONE", true],
      ["sign", "DONE", undefined],
    ]);
    await engine.close();
  });
});

describe("a cached success is only served whole", () => {
  it.each([
    ["lost", (file: string) => rmSync(file)],
    ["changed", (file: string) => writeFileSync(file, "other bytes")],
  ])(
    "where its artifact is %s, the skill runs again and the file is made at the same path",
    async (_what, harm) => {
      using folder = project();
      const engine = await folder.open();
      const extract = () => engine.run("text_extract", { inputs: [{ path: "notes.md" }] });
      const first = await extract();
      const file = folder.at("repo", first.run.artifacts[0]?.path ?? "");
      harm(file);
      const again = await extract();
      expect(again.cached).toBe(false);
      expect(again.run.id).not.toBe(first.run.id);
      expect(again.run.artifacts[0]).toMatchObject({
        path: first.run.artifacts[0]?.path,
        sha256: first.run.artifacts[0]?.sha256,
      });
      expect(readFileSync(file, "utf8")).toContain("Hello.");
      expect((await extract()).cached).toBe(true);
      await engine.close();
    },
  );

  it("a failure is not cached: the next call runs again", async () => {
    using folder = project({ "repo/broken.pdf": "%PDF-1.7 nonsense" });
    const engine = await folder.open();
    const extract = () => engine.run("text_extract", { inputs: [{ path: "broken.pdf" }] });
    const [one, two] = [await extract(), await extract()];
    expect(one.run).toMatchObject({ status: "FAILED", error: { code: "PDF_BROKEN" } });
    expect(two.cached).toBe(false);
    expect(two.run.id).not.toBe(one.run.id);
    await engine.close();
  });
});

describe("trust first", () => {
  const files = {
    "repo/skills/registry.yaml": `version: 1
skills:
  - name: touch
    description: d
    implementation: skills/impl/touch.mjs:run
    inputs: []
    outputs: { artifacts: [{ name: out, format: txt, path_template: "workspace/artifacts/{task_id}/out.txt" }], evidences: [] }
    idempotency: { strategy: INPUT_HASHES_PLUS_PARAMS }
`,
    "repo/skills/impl/touch.mjs": `import { writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { text } from "./text.mjs";
export function run({ artifactsDir }) {
  writeFileSync(artifactsDir + "/out.txt", text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { status: "SUCCEEDED", artifacts: [{ name: "out", path: "out.txt", sha256, format: "txt" }], evidences: [], error: null };
}
`,
    "repo/skills/impl/text.mjs": 'export const text = "made";\n',
  };

  it("no code of a project runs before its user trusts it, and a changed byte asks again", async () => {
    const { setTrusted } = await import("../../packages/core/src/policy/trust.ts");
    using folder = project(files);
    const place = { env: {}, home: folder.at("home") };
    const run = async () => {
      const engine = await folder.open({ trusted: "ask" });
      try {
        return (await engine.run("touch")).run.status;
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await engine.close();
      }
    };
    const trust = async () => {
      const engine = await folder.open();
      await setTrusted(folder.at("repo"), true, place, engine.approvals);
      await engine.close();
    };
    expect(await run()).toBe("ACCESS_DENIED");
    expect(existsSync(folder.at("repo/workspace"))).toBe(false);
    await trust();
    expect(await run()).toBe("SUCCEEDED");
    // Not the file itself, but one that it imports.
    writeFileSync(folder.at("repo/skills/impl/text.mjs"), 'export const text = "evil";\n');
    expect(await run()).toBe("ACCESS_DENIED");
    await trust();
    expect(await run()).toBe("SUCCEEDED");
  });

  it("built-in skills run before any trust", async () => {
    using folder = project();
    const engine = await folder.open({ trusted: false });
    expect((await engine.run("file_fingerprint", { inputs: [{ path: "notes.md" }] })).run.status).toBe(
      "SUCCEEDED",
    );
    await engine.close();
  });

  it("a model may name files of the project alone", async () => {
    using folder = project({ "secret.txt": "secret" });
    const engine = await folder.open();
    for (const path of ["../secret.txt", folder.at("secret.txt")])
      await expect(
        engine.run("text_extract", { inputs: [{ path }], insideProjectOnly: true }),
      ).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await engine.close();
  });
});

describe("a database that came with a project", () => {
  it("serves nobody, trusted or not: it is not opened", async () => {
    using folder = project();
    const run = async (trusted: boolean) => {
      const engine = await folder.open({ trusted, store: null });
      const { cached } = await engine.run("file_fingerprint", { inputs: [{ path: "notes.md" }] });
      await engine.close();
      return cached;
    };
    expect([await run(true), await run(true)]).toEqual([false, true]);
    const [own] = globSync(folder.at("home/.knack/projects/*/state.db"));
    const brought = folder.at("repo/.knack/state.db");
    mkdirSync(dirname(brought), { recursive: true });
    copyFileSync(own ?? "", brought);
    const before = readFileSync(brought);
    for (const trusted of [false, true]) {
      rmSync(folder.at("home/.knack"), { recursive: true });
      expect([await run(trusted), await run(trusted)]).toEqual([false, true]);
    }
    expect(readFileSync(brought).equals(before)).toBe(true);
  });
});
