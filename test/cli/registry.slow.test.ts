import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import type { TypedSkill } from "../../packages/engine/src/shared/typed-skill.ts";
import { HOME, knack } from "./run.ts";
import { ask, makeTypedProject, type Refusal } from "./typed-skills.ts";

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
