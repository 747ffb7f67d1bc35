import { type FileSpec, type Folder, makeFolder } from "@knack/core/testing";
import { type Engine, type EngineOptions, openEngine } from "../open-engine.ts";
import { testStoreUrl } from "./store-url.ts";

/** A project with one typed skill `x` of its own, which makes the artifact `out` of one input. */
export interface EngineScene extends AsyncDisposable {
  readonly project: Folder;
  readonly home: string;
  open(options?: Partial<EngineOptions>): Promise<Engine>;
}

export const entry = (lines = "", implementation = "impl/x.mjs:run", place = "{task_id}/out.txt"): string =>
  `version: 1
skills:
  - name: x
    implementation: ${implementation}
    inputs: [{kind: FILE}]
    outputs: {artifacts: [{name: out, format: txt, path_template: "workspace/artifacts/${place}"}], evidences: []}
    params: {schema: {type: object, properties: {api_key: {type: string}}}}
    idempotency: {cache: true}
${lines === "" ? "" : `    ${lines}\n`}`;

/** `make` is an expression for the text of the artifact; `text` is the input's. */
export const code = (make = '"made of " + text', before = ""): string => `
  import { createHash } from "node:crypto"; import fs from "node:fs"; import { join } from "node:path";
  export async function run(c) {
    const text = fs.readFileSync(c.inputs[0].path, "utf8");
    ${before}
    const made = String(${make});
    fs.writeFileSync(join(c.artifactsDir, "o"), made);
    const sha256 = createHash("sha256").update(made).digest("hex");
    return { status: "SUCCEEDED", artifacts: [{ name: "out", path: "o", sha256, format: "txt" }], evidences: [], error: null };
  }
  export const other = run;`;

export function makeEngineScene(files: Readonly<Record<string, FileSpec>> = {}): EngineScene {
  const home = makeFolder();
  const project = makeFolder({
    "skills/registry.yaml": entry(),
    "impl/x.mjs": code(),
    "a.txt": "a",
    "b.txt": "b",
    ...files,
  });
  const engines: Engine[] = [];
  return {
    project,
    home: home.path,
    async open(options = {}) {
      const engine = await openEngine({
        projectRoot: project.path,
        registry: [project.at("skills/registry.yaml")],
        store: testStoreUrl(project.path),
        home: home.path,
        env: {},
        ...options,
      });
      engines.push(engine);
      return engine;
    },
    async [Symbol.asyncDispose]() {
      for (const engine of engines) await engine.close();
      project[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}
