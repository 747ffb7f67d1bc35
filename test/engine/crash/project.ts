import { type Folder, makeFolder } from "@knack/core/testing";
import { type Engine, openEngine } from "@knack/engine";

/** Code of the project in its own process; it is slow, so that many kills hit it. */
const SKILL = `
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export async function run({ inputs, artifactsDir }) {
  const text = readFileSync(inputs[0].path, "utf8").toUpperCase();
  await new Promise((done) => setTimeout(done, 20));
  writeFileSync(join(artifactsDir, "upper.txt"), text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const artifacts = [{ name: "upper", path: "upper.txt", sha256, format: "txt" }];
  return { status: "SUCCEEDED", artifacts, evidences: [], error: null };
}
`;

const REGISTRY = `
version: 1
skills:
  - name: upper
    description: Write a text in capitals
    implementation: skills/impl/upper.ts:run
    inputs: [{ kind: FILE }]
    outputs:
      artifacts: [{ name: upper, format: txt, path_template: "workspace/artifacts/{task_id}/upper_{input_sha256}.txt" }]
    params: { schema: {} }
    idempotency: { strategy: INPUT_HASHES, cache: true }
`;

/** A project with its own skill, beside the built-in ones. */
export function makeProject(): Folder {
  return makeFolder({
    "package.json": '{"type":"module"}',
    "skills/registry.yaml": REGISTRY,
    "skills/impl/upper.ts": SKILL,
    "inputs/": "",
    ".knack/": "",
  });
}

/** A dead process holds its key for a second. */
export function openProject(root: string): Promise<Engine> {
  return openEngine({
    projectRoot: root,
    registry: [`${root}/skills/registry.yaml`],
    store: `sqlite:${root}/.knack/state.db`,
    env: { ...process.env, KNACK_RUN_LEASE_SECONDS: "1" },
  });
}
