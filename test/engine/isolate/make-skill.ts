import { createHash } from "node:crypto";
import { type FileSpec, makeFolder } from "@knack/core/testing";
import { isFullSuite } from "../../../packages/core/src/shared/testing/cases.ts";
import { execute, pythonHere } from "../../../packages/engine/src/isolate/execute.ts";
import type {
  Execution,
  ExecutionResult,
  Isolation,
} from "../../../packages/engine/src/isolate/execution.ts";
import { isolationLevel } from "../../../packages/engine/src/isolate/limits.ts";

const machine = await isolationLevel();
/** Tests that need it skip themselves if the machine has none, and their names say so. */
export const hasBubblewrap = machine.level === "bubblewrap";
/** The levels at which JavaScript can run here. */
export const LEVELS: Isolation[] = hasBubblewrap ? ["bubblewrap", "node-permission"] : ["node-permission"];

export const python = await pythonHere();
export const PYTHON_LEVELS: Isolation[] = hasBubblewrap ? ["bubblewrap", "none"] : ["none"];

/** For tests that do not depend on the level: one is enough for the quick suite. */
export const SOME_LEVELS = isFullSuite ? LEVELS : LEVELS.slice(0, 1);
export const SOME_PYTHON_LEVELS = isFullSuite ? PYTHON_LEVELS : PYTHON_LEVELS.slice(0, 1);

interface SkillOptions extends Partial<Omit<Execution, "limits">> {
  readonly level?: Isolation;
  readonly limits?: Partial<Execution["limits"]>;
  readonly params?: object;
  readonly files?: Readonly<Record<string, FileSpec>>;
}

/** A project with one skill, in folders that `using` removes. */
export function makeSkill(code: string, extension: "mjs" | "cjs" | "ts" | "py" = "mjs") {
  const folder = makeFolder({
    [`project/skills/impl/skill.${extension}`]: code,
    "project/package.json": '{"type":"module"}',
    "project/.knack/state.db": "secret",
    "inputs/a.txt": "hello",
    "artifacts/": "",
  });
  const executionOf = (options: SkillOptions): Execution => {
    const { level, limits, params = {}, files = {}, ...rest } = options;
    folder.write(files);
    return {
      file: folder.at("project/skills/impl", `skill.${extension}`),
      functionName: "run",
      language: extension === "py" ? "python" : extension === "ts" ? "typescript" : "javascript",
      projectRoot: folder.at("project"),
      inputsDir: folder.at("inputs"),
      artifactsDir: folder.at("artifacts"),
      context: {
        inputs: [
          {
            role: "input",
            kind: "FILE",
            path: folder.at("inputs/a.txt"),
            sha256: createHash("sha256").update("hello").digest("hex"),
            size_bytes: 5,
          },
        ],
        params,
        taskId: "adhoc",
      },
      env: {},
      limits: { timeoutMs: 20_000, ...limits },
      allow: level === undefined ? ["bubblewrap", "node-permission"] : [level],
      ...rest,
    };
  };
  const run = (options: SkillOptions = {}): Promise<ExecutionResult> => execute(executionOf(options));
  return { folder, executionOf, run, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** What the function returned; fails with the error otherwise. */
export function outputOf(result: ExecutionResult): unknown {
  if (!result.ok) throw new Error(`${result.code}: ${result.message}\n${result.log}`);
  return result.output;
}

/** Code that tries each of these and returns the outcomes. */
export const attempts = (tries: Record<string, string>): string => `
  import fs from "node:fs"; import net from "node:net"; import dns from "node:dns/promises"; import { join } from "node:path";
  const tries = { ${Object.entries(tries)
    .map(([name, code]) => `${JSON.stringify(name)}: async (p) => { ${code} }`)
    .join(", ")} };
  export async function run({ params: p }) {
    const found = {};
    for (const [name, attempt] of Object.entries(tries))
      try { found[name] = "done: " + await attempt(p); } catch (error) { found[name] = String(error.code ?? error.message); }
    return found;
  }`;
