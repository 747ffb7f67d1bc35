import { copyFileSync, existsSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { S3Server } from "../../packages/engine/src/contents/testing/s3-server.ts";
import type { PlanStatus } from "../../packages/engine/src/plan/plan-report.ts";
import type { RunReport } from "../../packages/engine/src/run/run-report.ts";
import type { TypedSkill } from "../../packages/engine/src/shared/typed-skill.ts";
import { HOME, knack, TRUST } from "./run.ts";
import { ask, makeTypedProject, type Refusal, SAID, start, untilRunning } from "./typed-skills.ts";

describe("knack run", () => {
  it("killed in the middle is FAILED with SKILL_INTERRUPTED when its lease ends, and the key is free", async () => {
    using folder = makeTypedProject();
    const env = { KNACK_TRUST: "all", KNACK_RUN_LEASE_SECONDS: "2" };
    const { child, closed } = start(folder, ["run", "waits"], env);
    await untilRunning(folder, "waits");
    child.kill("SIGKILL");
    await closed;
    await expect
      .poll(() => ask<{ runs: RunReport[] }>(folder, ["runs"]).data.runs, { interval: 100 })
      .toMatchObject([{ status: "FAILED", error: { code: "SKILL_INTERRUPTED" } }]);
    folder.write({ "repo/impl/waits.mjs": `export const run = () => (${SAID});\n` });
    expect(ask(folder, ["run", "waits"], { env }).data).toMatchObject({ status: "SUCCEEDED" });
  });

  it("ends what takes longer than KNACK_RUN_TIMEOUT_SECONDS", () => {
    using folder = makeTypedProject();
    const { code, data } = ask(folder, ["run", "waits"], {
      env: { KNACK_TRUST: "all", KNACK_RUN_TIMEOUT_SECONDS: "2" },
    });
    expect({ code, error: data.error?.code }).toEqual({ code: 1, error: "SKILL_TIMEOUT" });
    const wrong = ask<Refusal>(folder, ["run", "waits"], {
      env: { KNACK_TRUST: "all", KNACK_RUN_TIMEOUT_SECONDS: "soon" },
    });
    expect(wrong).toMatchObject({ code: 2, data: { error: { code: "INVALID_PARAM" } } });
  });

  it("twice at once executes once, and both have the result", async () => {
    using folder = makeTypedProject({
      "repo/impl/waits.mjs": `export const run = async () => { await new Promise((done) => setTimeout(done, 3000)); return ${SAID}; };\n`,
    });
    const first = start(folder, ["run", "waits", "--json"], TRUST.env);
    await untilRunning(folder, "waits");
    const second = start(folder, ["run", "waits", "--json"], TRUST.env);
    const answers = (await Promise.all([first.closed, second.closed])).map(
      ({ stdout }) => JSON.parse(stdout) as RunReport,
    );
    expect(answers.map(({ status, cached }) => [status, cached])).toEqual([
      ["SUCCEEDED", false],
      ["SUCCEEDED", true],
    ]);
    expect(answers[0]?.id).toBe(answers[1]?.id);
    expect(ask<{ count: number }>(folder, ["runs"]).data.count).toBe(1);
  });
});

const UNTIL = { interval: 100 };
const standings = ({ tasks }: PlanStatus): string[] => tasks.map(({ id, status }) => `${id} ${status}`);

describe("plan run and processes", () => {
  const chain = (skill: string) =>
    `version: 1\nplan: p\ntasks:\n  - { id: a, skill: says, params: { text: one } }\n  - { id: b, skill: ${skill}, depends_on: [a] }\n  - { id: c, skill: says, depends_on: [b], params: { text: three } }\n`;
  const SLOW = `export const run = async () => { await new Promise((done) => setTimeout(done, 1500)); return ${SAID}; };\n`;

  it("goes on after SIGKILL in the middle: what was done is kept, what was begun is begun anew", async () => {
    using folder = makeTypedProject({ "repo/plan.yaml": chain("waits") });
    const env = { KNACK_TRUST: "all", KNACK_RUN_LEASE_SECONDS: "3" };
    const { child, closed } = start(folder, ["plan", "run", "plan.yaml"], env);
    await untilRunning(folder, "waits");
    const status = () => standings(ask<PlanStatus>(folder, ["plan", "status", "plan.yaml"], { env }).data);
    await expect.poll(status, UNTIL).toEqual(["a DONE", "b IN_PROGRESS", "c PENDING"]);
    child.kill("SIGKILL");
    await closed;
    await expect.poll(status, UNTIL).toEqual(["a DONE", "b READY", "c PENDING"]);
    folder.write({ "repo/impl/waits.mjs": SLOW });
    const { code, data } = ask<PlanStatus>(folder, ["plan", "run", "plan.yaml"], { env });
    expect({ code, standings: standings(data) }).toEqual({
      code: 0,
      standings: ["a DONE", "b DONE", "c DONE"],
    });
    expect(data.tasks.map(({ cached }) => cached)).toEqual([true, false, false]);
    const { runs } = ask<{ runs: RunReport[] }>(folder, ["runs"]).data;
    expect(runs.map(({ skill, status }) => `${skill} ${status}`)).toEqual([
      "says SUCCEEDED",
      "waits SUCCEEDED",
      "waits FAILED",
      "says SUCCEEDED",
    ]);
    expect(ask<{ ok: boolean }>(folder, ["audit", "verify"]).data.ok).toBe(true);
  });

  it("by two processes at once executes each task once, and both say that all is DONE", async () => {
    using folder = makeTypedProject({ "repo/plan.yaml": chain("waits"), "repo/impl/waits.mjs": SLOW });
    const both = [1, 2].map(() => start(folder, ["plan", "run", "plan.yaml", "--json"], TRUST.env));
    const ended = await Promise.all(both.map(({ closed }) => closed));
    for (const { code, stdout } of ended) {
      expect(code).toBe(0);
      expect(standings(JSON.parse(stdout) as PlanStatus)).toEqual(["a DONE", "b DONE", "c DONE"]);
    }
    const { runs } = ask<{ runs: RunReport[] }>(folder, ["runs"]).data;
    expect(runs.map(({ skill, status }) => `${skill} ${status}`)).toEqual([
      "says SUCCEEDED",
      "waits SUCCEEDED",
      "says SUCCEEDED",
    ]);
  });
});

interface Registry {
  readonly skills: readonly TypedSkill[];
  readonly errors: readonly { code: string; path: string; line?: number; message: string }[];
  readonly warnings: readonly object[];
}
const BUILTINS = ["file_fingerprint", "text_extract", "template_render", "diff_artifact", "validator_basic"];

describe("knack registry", () => {
  it("has the built-in skills where nothing is declared, and makes nothing", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    const { code, data } = ask<Registry>(folder, ["registry"]);
    expect(code).toBe(0);
    expect(data).toMatchObject({ errors: [], warnings: [] });
    expect(data.skills.map(({ name }) => name)).toEqual(BUILTINS);
    for (const skill of data.skills)
      expect(Object.keys(skill)).toEqual([
        "name",
        "description",
        "implementation",
        "inputs",
        "outputs",
        "params",
        "idempotency",
      ]);
    expect(existsSync(folder.at("repo/.knack"))).toBe(false);
  });

  it("with a wrong entry exits with 1, names it with its line, and has the others", () => {
    using folder = makeTypedProject({
      "repo/skills/registry.yaml":
        "version: 1\nskills:\n  - name: bad\n    implementation: impl/none.mjs:run\n    idempotency: { cache: true }\n  - { name: says, implementation: 'impl/says.mjs:run', idempotency: { cache: true } }\n",
    });
    const { code, data } = ask<Registry>(folder, ["registry"]);
    expect(code).toBe(1);
    expect(data.errors).toMatchObject([
      { code: "E_REG_IMPLEMENTATION", path: folder.at("repo/skills/registry.yaml"), line: 4 },
    ]);
    expect(data.skills.map(({ name }) => name)).toEqual(["says", ...BUILTINS]);
    const told = knack(folder, ["registry"]);
    expect(told.code).toBe(1);
    expect(told.stderr).toContain("registry.yaml:4");
    expect(told.stdout).toMatch(/^says$/m);
    expect(ask<Refusal>(folder, ["run", "bad"]).data.error.code).toBe("NOT_FOUND");
  });

  it("shows people names, inputs and outputs", () => {
    using folder = makeTypedProject();
    const { stdout, stderr } = knack(folder, ["registry"]);
    expect(stdout).toMatch(/^says +in\? +SAID/m);
    expect(stdout).toMatch(/^diff_artifact +left right +diff DIFF/m);
    expect(stderr).toContain("7 typed skills");
  });
});

describe("typed skills beside skills", () => {
  const skill = skillText(
    "hash",
    "Hashes a file.",
    "invocation_mode: tool_dispatch\ncommand_tool: file_fingerprint\n",
  );

  it("a command_tool that is a typed skill runs it from the shell", () => {
    using folder = makeTypedProject({ [`${HOME}/hash/SKILL.md`]: skill });
    const input = '/skill hash {"inputs":[{"path":"a.md"}]}\n';
    const first = knack(folder, ["shell", "--json"], { input });
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(first.stdout)).toMatchObject({
      status: "success",
      data: { skill: "file_fingerprint", status: "SUCCEEDED", cached: false },
    });
    const again = knack(folder, ["shell", "--json"], { input });
    expect(JSON.parse(again.stdout)).toMatchObject({ data: { cached: true } });
  });

  it("runs.list of the JSON-RPC has the history, by skill and state, and makes no database", () => {
    using folder = makeTypedProject();
    const call = (params: object = {}) => {
      const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "runs.list", params })}\n`;
      return JSON.parse(knack(folder, ["rpc"], { input }).stdout);
    };
    expect(call()).toMatchObject({ result: { runs: [], count: 0 } });
    expect(existsSync(folder.at("repo/.knack"))).toBe(false);
    const { id } = ask(folder, ["run", "file_fingerprint", "--input", "a.md"]).data;
    ask(folder, ["run", "text_extract", "--input", "a.md"]);
    expect(call().result.count).toBe(2);
    expect(call({ skill: "file_fingerprint" })).toMatchObject({
      result: { runs: [{ id, status: "SUCCEEDED" }] },
    });
    expect(call({ status: "FAILED" })).toMatchObject({ result: { count: 0 } });
    expect(call({ status: "DONE" })).toMatchObject({ error: { code: -32602 } });
    expect(call({ limit: 0 })).toMatchObject({ error: { code: -32602 } });
  });
});

let s3: S3Server;
beforeAll(async () => {
  s3 = await S3Server.start();
});
afterAll(() => s3?.[Symbol.asyncDispose]());

const knackOnS3 = (folder: Folder, args: readonly string[]) => knack(folder, args, { env: s3.env });
const askOnS3 = <T = unknown>(folder: Folder, args: readonly string[]) =>
  ask<T>(folder, args, { env: s3.env });

function scene(): Folder {
  const folder = makeFolder({ "repo/.git/": "", "repo/a.txt": "a" });
  folder.write({ "home/.knack/config.yaml": `artifacts: { url: "${urlOf(folder)}" }\n` });
  return folder;
}

const urlOf = (folder: Folder): string => `s3://knack/${basename(folder.path)}`;

/** The files in which the server keeps the objects of this project. */
const storedIn = (folder: Folder): string[] =>
  readdirSync(s3.folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.includes(basename(folder.path)) && /[0-9a-f]{62}\._S3rver_/.test(path))
    .map((path) => join(s3.folder, path));

function makeOld(folder: Folder): void {
  const at = new Date(Date.now() - 8 * 24 * 3_600_000);
  for (const file of storedIn(folder)) utimesSync(file, at, at);
}

describe("knack store gc", () => {
  it("keeps what a record names, and removes what none does", () => {
    using folder = scene();
    expect(knackOnS3(folder, ["run", "text_extract", "a.txt"]).code).toBe(0);
    makeOld(folder);
    const { data } = askOnS3(folder, ["store", "gc"]);
    expect(data).toMatchObject({ removed: 0, kept: 1, dry_run: false, place: urlOf(folder) });
    for (const file of storedIn(folder)) {
      const stranger = file.replace(/[0-9a-f]{2}\/[0-9a-f]{62}/, `00/${"0".repeat(62)}`);
      mkdirSync(dirname(stranger), { recursive: true });
      copyFileSync(file, stranger);
    }
    makeOld(folder);
    expect(askOnS3(folder, ["store", "gc", "--dry-run"]).data).toMatchObject({
      removed: 1,
      kept: 1,
      dry_run: true,
    });
    expect(askOnS3(folder, ["store", "gc", "--older-than", "30d"]).data).toMatchObject({
      removed: 0,
      kept: 2,
    });
    expect(knackOnS3(folder, ["store", "gc"]).stdout).toMatch(/^0{64} {2}\d+ bytes? .*\nRemoved 1 artifact/);
    expect(askOnS3(folder, ["store", "gc"]).data).toMatchObject({ removed: 0, kept: 1 });
  });
});
