import { type Folder, makeFolder } from "@knack/core/testing";
import type { TypedSkill } from "../../shared/typed-skill.ts";
import { loadRegistry } from "../load-registry.ts";

/** What the registry tests share: a project with one file, and the result of loading it. */

const builtin = (name: string): TypedSkill => ({
  name,
  description: "built in",
  version: "1",
  implementation: `builtin:${name}`,
  inputs: [],
  outputs: { artifacts: [], evidences: [] },
  params: { schema: {} },
  idempotency: { strategy: "INPUT_HASHES", cache: true },
  env: [],
  timeoutSeconds: null,
  tags: [],
  declared: null,
});
export const builtins = new Map(
  ["file_fingerprint", "text_extract", "diff_artifact"].map((name) => [name, builtin(name)]),
);

/** Loads files of a trusted project. */
export function loadFiles(project: Folder, ...files: string[]) {
  return loadRegistry(files, { projectRoot: project.path, builtins, trusted: true });
}

export function load(text: string | Uint8Array, more: Record<string, string> = {}) {
  using project = makeFolder({ "skills/registry.yaml": text, "impl/x.ts": "", ...more });
  return loadFiles(project, "skills/registry.yaml");
}
/** One entry with these additional lines. */
export const entry = (lines: string, name = "x") =>
  `version: 1\nskills:\n  - name: ${name}\n    implementation: impl/x.ts:run\n    inputs: [{kind: FILE}]\n    outputs: {artifacts: [], evidences: []}\n    params: {schema: {}}\n    idempotency: {cache: true}\n${lines
    .split("\n")
    .map((line) => `    ${line}\n`)
    .join("")}`;
export const codes = ({ errors }: { errors: readonly { code: string }[] }) => errors.map(({ code }) => code);
export const declared = ({ skills }: { skills: readonly TypedSkill[] }) =>
  skills.filter((skill) => skill.declared).map(({ name }) => name);
