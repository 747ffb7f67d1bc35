import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import type { RunReport } from "../../packages/engine/src/run/run-report.ts";
import { stateFile } from "../../packages/engine/src/state/engine-store.ts";
import { environment, knack, type Outcome, PROGRAM, type RunOptions } from "./run.ts";

/** What the tests of typed skills share: a project with its own code, and the program in it. */

const entry = (name: string, more = "") =>
  `  - { name: ${name}, implementation: "impl/${name}.mjs:run", inputs: [{ kind: FILE, role: in, required: false }], outputs: { artifacts: [], evidences: [{ kind: SAID, schema: { fields: [text] } }] }, params: { schema: { type: object, properties: { text: {} } } }, idempotency: { cache: true }${more} }\n`;
/** What the function of such a skill has to return. */
export const SAID =
  "{ status: 'SUCCEEDED', artifacts: [], evidences: [{ kind: 'SAID', data: { text: '' } }], error: null }";
const SAYS =
  "export const run = ({ params }) => ({ status: 'SUCCEEDED', artifacts: [], error: null, evidences: [{ kind: 'SAID', data: { text: 'text' in params ? params.text : '' } }] });\n";
/** Prints when it has begun, then never ends. */
const WAITS =
  "export const run = ({ log }) => { log('begun'); return new Promise(() => setInterval(() => {}, 1000)); };\n";

export function makeTypedProject(more: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({
    "repo/.git/": "",
    "repo/skills/registry.yaml": `version: 1\nskills:\n${entry("says")}${entry("waits")}`,
    "repo/impl/says.mjs": SAYS,
    "repo/impl/waits.mjs": WAITS,
    "repo/a.md": "# A\n",
    "repo/b.md": "# B\n",
    ...more,
  });
}

/** A skill that needs a person's confirmation, and a plan that asks for it. */
export const PUBLISH = {
  "repo/skills/registry.yaml": `version: 1
skills:
  - name: publish
    description: Publishes a report.
    implementation: impl/publish.mjs:run
    inputs: [{ role: report, kind: FILE, required: true, schema: { fields: [path, sha256] } }, { role: sign_off, kind: CONFIRMATION, required: true, schema: { fields: [path, sha256] } }]
    outputs: { artifacts: [], evidences: [{ kind: SAID, schema: { fields: [text] } }] }
    params: { schema: { type: object, properties: { text: { type: string }, sign_off: {} } } }
    idempotency: { strategy: INPUT_HASHES_PLUS_PARAMS, cache: true }
`,
  "repo/impl/publish.mjs": SAYS,
  "repo/plan.yaml": `version: 1
plan: p
tasks:
  - id: out
    skill: publish
    inputs: [{ role: report, file: a.md }]
    requirements: [{ name: sign_off, kind: CONFIRMATION }]
`,
};

/** Runs the program and reads its standard output as JSON. */
export function ask<T = RunReport>(
  folder: Folder,
  args: readonly string[],
  options: RunOptions = {},
): Outcome & { readonly data: T } {
  const outcome = knack(folder, [...args, "--json"], options);
  return { ...outcome, data: JSON.parse(outcome.stdout) as T };
}

export interface Refusal {
  readonly error: { readonly code: string; readonly message: string; readonly candidates?: string[] };
}

/** The program as a process that can be stopped. */
export function start(folder: Folder, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder.at("repo"),
    env: { ...environment(folder), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.resume();
  const closed = once(child, "close").then(([code, signal]) => ({ code, signal, stdout }));
  return { child, closed };
}

/** The database of a project, which is in the user's folder. */
export function stateOf(folder: Folder, project = "repo"): string {
  return stateFile({ env: {}, home: folder.at("home"), projectRoot: folder.at(project) });
}

/** Opens the database without the program. */
export function openState(folder: Folder): DatabaseSync {
  return new DatabaseSync(stateOf(folder));
}

export function changeState(folder: Folder, sql: string): void {
  using db = openState(folder);
  db.exec(sql);
}

/** Waits until a run is in progress. */
export async function untilRunning(folder: Folder, skill: string): Promise<void> {
  const begun = (): boolean => existsSync(stateOf(folder)) && isRunning(folder, skill);
  await expect.poll(begun, { message: `${skill} runs` }).toBe(true);
}

function isRunning(folder: Folder, skill: string): boolean {
  try {
    using db = openState(folder);
    return (
      db.prepare("SELECT 1 FROM skill_runs WHERE skill_name = ? AND status = 'RUNNING'").get(skill) !==
      undefined
    );
  } catch {
    return false; // The program is creating its tables.
  }
}
