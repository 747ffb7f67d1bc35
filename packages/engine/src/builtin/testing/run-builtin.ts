import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import type { SkillInput, SkillOutput } from "../../shared/typed-skill.ts";
import { BUILTIN_SKILLS } from "../index.ts";

export interface BuiltinRun extends SkillOutput {
  /** The produced files by the name of their artifact. */
  readonly files: ReadonlyMap<string, string>;
  readonly logs: readonly string[];
}

/** Files by role; the name of a file matters where a skill looks at its ending. */
export type GivenInput = readonly [role: string, name: string, bytes: string | Uint8Array];

/** Runs a built-in on real files in a folder of its own, and checks that it says the truth about what it wrote. */
export async function runBuiltin(
  name: string,
  given: readonly GivenInput[],
  params: Readonly<Record<string, unknown>> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<BuiltinRun> {
  using folder = makeFolder();
  const artifactsDir = folder.at("artifacts");
  mkdirSync(artifactsDir);
  const inputs = given.map(([role, file, bytes], index): SkillInput => {
    mkdirSync(folder.at(String(index)));
    const path = folder.at(String(index), file);
    writeFileSync(path, bytes);
    const sha256 = sha256Of(bytes);
    return { role, kind: "FILE", path, sha256, size_bytes: Buffer.byteLength(bytes) };
  });
  const builtin = BUILTIN_SKILLS.get(name);
  if (!builtin) throw new Error(`no built-in ${name}`);
  const logs: string[] = [];
  const log = (message: string): void => void logs.push(message);
  const output = await builtin.run({ inputs, params, artifactsDir, taskId: "adhoc", signal, log });
  const files = new Map<string, string>();
  for (const artifact of output.artifacts) {
    const path = isAbsolute(artifact.path) ? artifact.path : join(artifactsDir, artifact.path);
    const bytes = readFileSync(path);
    if (sha256Of(bytes) !== artifact.sha256) throw new Error(`${artifact.name} has another digest`);
    files.set(artifact.name, bytes.toString("utf8"));
  }
  return { ...output, files, logs };
}

export function sha256Of(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
