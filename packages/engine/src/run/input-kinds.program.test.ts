import { copyFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listEvents } from "../audit/events.ts";
import { makeEngineScene } from "../testing/engine-scene.ts";
import type { ConfirmationWanted, ConfirmInput } from "./input-kinds.ts";

const entry = (name: string, inputs: string, more = "") => `  - name: ${name}
    implementation: impl/x.mjs:run
    inputs: [${inputs}]
    outputs: { artifacts: [], evidences: [{ kind: GOT }] }
    params: { schema: { type: object, properties: { n: { type: integer }, ok: {}, confirm: {} } } }
    idempotency: { cache: true${more} }
`;
/** Says what it was given. */
const CODE = `import { readFileSync } from "node:fs";
  export const run = ({ inputs }) => ({
    status: "SUCCEEDED", artifacts: [], error: null,
    evidences: [{ kind: "GOT", data: { inputs: inputs.map(({ path, ...given }) => ({ ...given, text: readFileSync(path, "utf8") })) } }],
  });`;
const REGISTRY = `version: 1
skills:
${entry("publish", "{ role: report, kind: FILE }, { role: ok, kind: CONFIRMATION }")}
${entry("publish_hashed", "{ role: report, kind: FILE }, { role: ok, kind: CONFIRMATION }", ", strategy: INPUT_HASHES")}
${entry("perhaps", "{ role: ok, kind: CONFIRMATION, required: false }")}
${entry("collect", "{ role: text, kind: ARTIFACT }")}
${entry("pair", "{ kind: FILE }, { kind: FILE }")}
${entry("many", "{ kind: FILE, multiple: true }")}
${entry("sides", "{ kind: FILE, role: left }, { kind: FILE, role: right }")}
  - name: text_extract
    inputs: [{}, { role: ok, kind: CONFIRMATION }]
    outputs: { evidences: [] }
    params: {}
    idempotency: { cache: true }
`;
const makeScene = () => makeEngineScene({ "skills/registry.yaml": REGISTRY, "impl/x.mjs": CODE });
const REPORT = { inputs: [{ role: "report", path: "a.txt" }] };
const by =
  (who: string, at = "2026-01-02T03:04:05.000Z"): ConfirmInput =>
  async () => ({ by: who, at });

describe("003 §3.1 an input of kind CONFIRMATION", () => {
  it("is a person's word for this skill with these files and parameters, told to the function and recorded", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    const asked: ConfirmationWanted[] = [];
    const confirm: ConfirmInput = async (wanted) => {
      asked.push(wanted);
      return { by: "ada", at: "2026-01-02T03:04:05.000Z" };
    };
    const { run } = await engine.run("publish", { ...REPORT, params: { n: 1 }, confirm });
    expect(asked).toMatchObject([
      { skill: "publish", role: "ok", inputs: [{ role: "report", path: "a.txt" }], params: { n: 1 } },
    ]);
    const sha256 = asked[0]?.sha256;
    const word = { role: "ok", kind: "CONFIRMATION", sha256 };
    const who = { confirmed_by: "ada", confirmed_at: "2026-01-02T03:04:05.000Z" };
    expect(run.inputs).toMatchObject([{ role: "report" }, { ...word, path: "", ...who }]);
    const [file] = asked[0]?.inputs ?? [];
    const text = `{"confirmation":"ok","inputs":[{"role":"report","sha256":"${file?.sha256}"}],"params":{"n":1},"skill":"publish"}\n`;
    expect(run.evidences).toMatchObject([
      {
        data: {
          inputs: [
            { role: "report", text: "a" },
            { ...word, size_bytes: text.length, text },
          ],
        },
      },
    ]);
    const [event] = await listEvents((await engine.store()).db, 1);
    expect(event).toMatchObject({
      event_type: "SKILL_RUN",
      payload: { confirmed: [{ role: "ok", by: "ada", at: "2026-01-02T03:04:05.000Z", sha256 }] },
    });
  });

  it("is in the key by what was confirmed, not by who and when; the log has each who", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    const first = await engine.run("publish", { ...REPORT, confirm: by("ada") });
    const again = await engine.run("publish", { ...REPORT, confirm: by("ben", "2027-01-01T00:00:00.000Z") });
    expect(again).toMatchObject({ cached: true, run: { id: first.run.id, key: first.run.key } });
    expect(again.inputs).toContainEqual(expect.objectContaining({ confirmed_by: "ben" }));
    const [served] = await listEvents((await engine.store()).db, 1);
    expect(served).toMatchObject({ payload: { cached: true, confirmed: [{ by: "ben" }] } });
    expect(await engine.verify()).toMatchObject({ ok: true });
  });

  it("is for the parameters too where the key leaves them out", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    const key = async (n: number) =>
      (await engine.run("publish_hashed", { ...REPORT, params: { n }, confirm: by("ada") })).run.key;
    expect(await key(1)).not.toBe(await key(2));
    expect(await key(1)).toBe(await key(1));
  });

  it.each([
    ["nobody confirms", {}, "ACCESS_DENIED", "--confirm ok"],
    ["a person does not", { confirm: async () => null }, "ACCESS_DENIED", "only a person"],
    ["a parameter says so", { params: { ok: true, confirm: ["ok"] } }, "ACCESS_DENIED", "only a person"],
    ["a file is named", { inputs: [{ role: "ok", path: "b.txt" }] }, "INVALID_PARAM", "a file is none"],
    ["a file is left over", { inputs: [{ path: "b.txt" }] }, "INVALID_PARAM", "one input too many"],
  ])(
    "is missing where %s, and nothing runs",
    async (_, { inputs = [], ...more }: object & { inputs?: readonly object[] }, code, says) => {
      await using scene = makeScene();
      const engine = await scene.open();
      const request = { inputs: [...REPORT.inputs, ...inputs] as typeof REPORT.inputs, ...more };
      await expect(engine.run("publish", request)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(says),
      });
      expect(await engine.runs({ limit: 5 })).toEqual([]);
    },
  );

  it("may be left out where it is not required, and then nobody has confirmed", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    const without = await engine.run("perhaps");
    const given = await engine.run("perhaps", { confirm: by("ada") });
    expect([without.run.inputs.length, given.run.inputs.length]).toEqual([0, 1]);
    expect(without.run.key).not.toBe(given.run.key);
  });

  it("is asked for a built-in skill too where its entry says so", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    await expect(engine.run("text_extract", { inputs: [{ path: "a.txt" }] })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    const { run } = await engine.run("text_extract", { inputs: [{ path: "a.txt" }], confirm: by("ada") });
    expect(run).toMatchObject({ status: "SUCCEEDED", artifacts: [{ name: "extracted_text" }] });
  });

  it("is for the bytes that were shown: a file that changes while the question is open fails the run", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    const confirm: ConfirmInput = async () => {
      writeFileSync(scene.project.at("a.txt"), "something else");
      return { by: "ada", at: "2026-01-02T03:04:05.000Z" };
    };
    const { run } = await engine.run("publish", { ...REPORT, confirm });
    expect(run).toMatchObject({ status: "FAILED", error: { code: "SKILL_BAD_INPUT" } });
  });
});

describe("003 §3.1 an input of kind ARTIFACT", () => {
  it("is a file that a run of this store recorded, by its bytes", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    const none = engine.run("collect", { inputs: [{ path: "a.txt" }] });
    await expect(none).rejects.toMatchObject({
      code: "INVALID_PARAM",
      message: expect.stringMatching(/no run of this project made a\.txt .*kind: FILE/),
    });
    const made = await engine.run("text_extract", { inputs: [{ path: "a.txt" }], confirm: by("ada") });
    const path = made.run.artifacts[0]?.path ?? "";
    const taken = await engine.run("collect", { inputs: [{ path }] });
    expect(taken.run).toMatchObject({ status: "SUCCEEDED", inputs: [{ kind: "ARTIFACT", path }] });
    // The same bytes elsewhere are the same artifact.
    copyFileSync(scene.project.at(path), scene.project.at("copy.txt"));
    const copied = engine.run("collect", { inputs: [{ path: "copy.txt" }] });
    expect((await copied).run.status).toBe("SUCCEEDED");
    writeFileSync(scene.project.at(path), "edited");
    await expect(engine.run("collect", { inputs: [{ path }] })).rejects.toMatchObject({
      message: expect.stringMatching(/was changed after the run .* recorded it\. Run text_extract again/),
    });
  });

  it("is none where a row says so that the log does not confirm", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    const made = await engine.run("text_extract", { inputs: [{ path: "a.txt" }], confirm: by("ada") });
    const { sha256 } = (await engine.prepare("many", { inputs: [{ path: "b.txt" }] })).inputs[0] ?? {};
    const { db } = await engine.store();
    const artifacts = JSON.stringify([{ ...made.run.artifacts[0], sha256 }]);
    await db.run("UPDATE artifacts SET sha256 = ?", [String(sha256)]);
    await db.run("UPDATE skill_runs SET output_artifacts_json = ?", [artifacts]);
    await expect(engine.run("collect", { inputs: [{ path: "b.txt" }] })).rejects.toMatchObject({
      code: "INVALID_PARAM",
    });
  });
});

describe("003 §4.1 the order of inputs", () => {
  const AB = [{ path: "a.txt" }, { path: "b.txt" }];
  const BA = AB.toReversed();

  it.each(["pair", "many", "file_fingerprint"])(
    "is that of their digests where they have no roles: %s",
    async (skill) => {
      await using scene = makeScene();
      const engine = await scene.open();
      const first = await engine.run(skill, { inputs: BA });
      const second = await engine.run(skill, { inputs: AB });
      expect(second).toMatchObject({ cached: true, run: { id: first.run.id } });
      expect(second.inputs).toEqual(first.inputs);
    },
  );

  it("is kept where they have roles", async () => {
    await using scene = makeScene();
    const engine = await scene.open();
    const key = async (inputs: typeof AB) => (await engine.run("sides", { inputs })).run.key;
    expect(await key(AB)).not.toBe(await key(BA));
  });
});
