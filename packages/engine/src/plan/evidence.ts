import { type Dirent, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { hold, isInside } from "@knack/core/files";
import { fewOf, isStoreError, KnackError, quote } from "@knack/core/text";
import { redact } from "../audit/redact.ts";
import { type Containment, type HashedFile, hashInput } from "../run/hash-input.ts";
import { containment, type Reach } from "../run/prepare-run.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import type { NewEvidence } from "../store/runs/outputs.ts";
import type { Store } from "../store/store.ts";
import { hasAllowedType, type RequirementRow, readTasks, type TaskRow, taskDigest } from "./plan-rows.ts";
import { bindEvidence, recordTasks } from "./tasks.ts";

/** Binds evidence and moves the tasks that waited for it, also one that failed too often. Returns how many were new. */
export async function addPlanEvidence(
  store: Store,
  planId: string,
  evidences: readonly NewEvidence[],
): Promise<number> {
  if (evidences.length === 0) return 0;
  return store.db.transaction(async (tx) => {
    const { changes, ...bound } = await bindEvidence(tx, planId, evidences, store.now());
    if (changes.size > 0) await recordTasks(store, tx, planId, changes, bound);
    return bound.rows.length;
  });
}

interface Waiting {
  readonly task: TaskRow;
  readonly requirement: RequirementRow;
}

/** A file without end, or with holes of a terabyte, would be read for as long. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;
/** A folder with more files than this is not a set of inputs. */
const MAX_FILES = 10_000;

/** Files in `workspace/inputs/<requirement>/` are evidence for it; one directly in `inputs/` must match exactly one. */
export async function bindFiles(
  store: Store,
  planId: string,
  projectRoot: string,
  reach: Reach,
): Promise<number> {
  const tasks = await readTasks(store.db, planId);
  const waiting = tasks.flatMap((task) =>
    task.requirements
      .filter(({ kind }) => kind === "FILE")
      .map((requirement): Waiting => ({ task, requirement })),
  );
  if (waiting.length === 0) return 0;
  const inputs = join(projectRoot, "workspace", "inputs");
  const evidences: NewEvidence[] = [];
  const tell = (path: string, why: string): Promise<void> =>
    tellOnce(store, planId, relative(projectRoot, path), why);
  const bind = async (path: string, { task, requirement }: Waiting): Promise<void> => {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
      return tell(path, `It has more than ${MAX_BYTES} bytes.`);
    const hashed = await hashInput(path, { within: containment(reach, path, projectRoot) }).catch(
      (error: unknown) => {
        if (error instanceof KnackError && !isStoreError(error)) return error;
        throw error;
      },
    );
    // An unreadable file must not keep the others from being bound.
    if (hashed instanceof KnackError) return tell(path, hashed.message);
    evidences.push(fileEvidence(task, requirement, relative(projectRoot, path), hashed));
  };
  const list = async (folder: string): Promise<string[]> => {
    const within = containment(reach, folder, projectRoot);
    const names = await namesIn(folder, within);
    if (names !== "leads out") return names.map((name) => join(folder, name));
    await tell(folder, within?.refusal ?? "");
    return [];
  };
  for (const name of new Set(waiting.map(({ requirement }) => requirement.name))) {
    for (const path of await list(join(inputs, name))) {
      const asking = waiting.filter(({ requirement }) => requirement.name === name);
      const fitting = asking.filter(({ requirement }) => hasAllowedType(path, requirement));
      for (const one of fitting) await bind(path, one);
      if (fitting.length === 0) await tell(path, `${name} does not allow files of this type.`);
    }
  }
  for (const path of await list(inputs)) {
    const fitting = waiting.filter(
      ({ requirement }) => hasAllowedType(path, requirement) && hasKeyword(path, requirement),
    );
    const [one, ...others] = fitting;
    if (one && others.length === 0) await bind(path, one);
    else {
      const names = fewOf(fitting.map(({ task, requirement }) => `${task.id}/${requirement.name}`));
      const why = one
        ? `It matches several requirements (${names}); move it into the folder of one of them.`
        : "It matches no requirement.";
      await tell(path, why);
    }
  }
  return addPlanEvidence(store, planId, evidences);
}

function hasKeyword(path: string, { filenameKeywords }: RequirementRow): boolean {
  const name = basename(path).normalize("NFC").toLowerCase();
  return (
    filenameKeywords.length === 0 ||
    filenameKeywords.some((keyword) => name.includes(keyword.normalize("NFC").toLowerCase()))
  );
}

/** Regular files only, without hidden ones: files of editors and the system are not inputs. */
async function namesIn(folder: string, within: Containment | null): Promise<string[] | "leads out"> {
  let entries: Dirent[];
  try {
    using held = within && hold(folder, (real) => isInside(real, within.root));
    if (held === undefined) return "leads out";
    entries = await readdir(held?.handle ?? folder, { withFileTypes: true });
    if (held && !held.isSame()) return "leads out";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => name);
  return names.sort().slice(0, MAX_FILES);
}

async function tellOnce(store: Store, planId: string, path: string, why: string): Promise<void> {
  // Compare the redacted text, as the log has it: else a path that looks like a secret would be logged each time.
  const payload = redact({ message: `${path} was not bound. ${why}`, path }) as Record<string, unknown>;
  await store.db.transaction(async (tx) => {
    const known = await tx.get(
      "SELECT seq FROM task_events WHERE event_type = 'ERROR' AND plan_id = ? AND payload_json = ? LIMIT 1",
      [planId, JSON.stringify(payload)],
    );
    if (known) return;
    await store.record(tx, [{ type: "ERROR", planId, payload }], {
      actor: store.actor,
      at: store.now().toISOString(),
    });
  });
}

export type HandEvidence = { readonly file: string } | { readonly confirm: true; readonly by?: string };

/** The digest of a larger file takes minutes, and of a hole in a file system hours. */
const MAX_CONFIRMATION_BYTES = 64 * 1024 ** 3;

export async function bindByHand(
  task: TaskRow,
  name: string,
  evidence: HandEvidence,
  { projectRoot, cwd }: EngineProject,
  reach: Reach,
  /** The digests of the task's inputs, as far as they are there. */
  inputs: () => Promise<readonly string[]>,
): Promise<NewEvidence> {
  const requirement = requirementOf(task, name);
  if ("confirm" in evidence) {
    if (requirement.kind !== "CONFIRMATION")
      throw new KnackError("INVALID_PARAM", `${name} needs ${requirement.kind}, not a confirmation.`);
    const by = evidence.by ?? "unknown";
    const data = { confirmed_by: by, task_sha256: taskDigest(task), inputs: await inputs() };
    const none = { kind: null, refId: null, refPath: null, sha256: null };
    return { taskId: task.id, requirementId: requirement.id, type: "CONFIRMATION", ...none, data };
  }
  const file = resolve(cwd, evidence.file);
  checkFile(requirement, file);
  if (sizeOf(file, evidence.file) > MAX_CONFIRMATION_BYTES)
    throw new KnackError(
      "INVALID_PARAM",
      `${quote(evidence.file)} has more than 64 GiB. Attach a smaller file.`,
    );
  const hashed = await hashInput(file, { within: containment(reach, file, projectRoot) });
  const path = isInside(file, projectRoot) ? relative(projectRoot, file).split(sep).join("/") : file;
  return fileEvidence(task, requirement, path, hashed);
}

function fileEvidence(
  { id: taskId }: TaskRow,
  { id: requirementId }: RequirementRow,
  path: string,
  { sha256, size }: HashedFile,
): NewEvidence {
  const data = { path, size_bytes: size };
  return { taskId, requirementId, type: "FILE", kind: null, refId: null, refPath: path, sha256, data };
}

function sizeOf(file: string, given: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // A NUL in it, or thousands of letters.
    throw new KnackError("INVALID_PARAM", `${quote(given.slice(0, 200))} is not a path.`);
  }
}

/** Throws if the requirement does not take this file, by its name alone. */
export function checkFile(requirement: RequirementRow, file: string): void {
  const { name, kind, allowedTypes } = requirement;
  if (kind !== "FILE") throw new KnackError("INVALID_PARAM", `${name} needs ${kind}, not a file.`);
  if (!hasAllowedType(file, requirement))
    throw new KnackError("INVALID_PARAM", `${name} accepts only files of type ${fewOf(allowedTypes)}.`);
}

export function requirementOf(task: TaskRow, name: string): RequirementRow {
  const requirement = task.requirements.find((one) => one.name === name);
  if (requirement) return requirement;
  const names = fewOf(task.requirements.map((one) => one.name)) || "none";
  throw new KnackError(
    "NOT_FOUND",
    `The task ${task.id} has no requirement ${quote(name)}; it has ${names}.`,
  );
}
