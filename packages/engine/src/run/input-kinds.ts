import { hash } from "node:crypto";
import { fewOf, KnackError, quote, shorten } from "@knack/core/text";
import { runRecord } from "../audit/run-record.ts";
import { canonicalJson, type JsonObject } from "../json/json.ts";
import type { DeclaredInput, TypedSkill } from "../shared/typed-skill.ts";
import type { Database } from "../store/database.ts";
import { getRun } from "../store/runs/runs.ts";

/** What the kinds of inputs mean: FILE is any file, CONFIRMATION a person's word, ARTIFACT what a run made. */

interface HashedInput {
  readonly role: string;
  readonly path: string;
  readonly sha256: string;
}

/** What a person is asked to confirm: a skill with exactly these files and parameters. */
export interface ConfirmationWanted {
  readonly skill: string;
  readonly role: string;
  readonly inputs: readonly HashedInput[];
  readonly params: JsonObject;
  /** Of all of it but the paths. */
  readonly sha256: string;
}

interface GivenConfirmation {
  readonly by: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** Asks a person, or says what a person said before; `null` where nobody confirmed. Nothing that a model wrote may answer. */
export type ConfirmInput = (wanted: ConfirmationWanted) => Promise<GivenConfirmation | null>;

export interface Confirmed extends GivenConfirmation {
  readonly role: string;
  /** What was confirmed, as the function gets it. Who and when are not part of it, nor of the key. */
  readonly text: string;
  readonly sha256: string;
}

export const isFileInput = ({ kind }: Pick<DeclaredInput, "kind">): boolean => kind !== "CONFIRMATION";

export async function confirmInputs(
  { name: skill, inputs }: TypedSkill,
  files: readonly HashedInput[],
  params: JsonObject,
  ask: ConfirmInput | undefined,
): Promise<Confirmed[]> {
  const confirmed: Confirmed[] = [];
  for (const input of inputs) {
    if (isFileInput(input)) continue;
    const { role, required } = input;
    const bytes = files.map((file) => ({ role: file.role, sha256: file.sha256 }));
    const text = `${canonicalJson({ confirmation: role, skill, inputs: bytes, params })}\n`;
    const sha256 = hash("sha256", text);
    const shown = files.map((file) => ({ role: file.role, path: file.path, sha256: file.sha256 }));
    const given = await ask?.({ skill, role, inputs: shown, params, sha256 });
    if (given) confirmed.push({ role, by: given.by, at: given.at, text, sha256 });
    else if (required)
      throw new KnackError("ACCESS_DENIED", `${skill} did not run: ${howToConfirm(skill, role)}`);
  }
  return confirmed;
}

/** What a person can do, for whoever cannot confirm. */
export function howToConfirm(skill: string, role: string): string {
  return `it needs the confirmation ${quote(role)}, which only a person can give: at the terminal with "knack run ${skill} … --confirm ${role}", on the page of "knack serve", or for a task of a plan with "knack evidence add TASK ${role} --confirm".`;
}

/** The beginning of a digest is enough to compare it. */
const SHOWN_DIGEST = 16;

/** What a person reads before they confirm. */
export function confirmationText({ skill, role, inputs, params }: ConfirmationWanted): string {
  const files = inputs.map(
    (file) => `${file.role} = ${shorten(file.path)} (sha256 ${file.sha256.slice(0, SHOWN_DIGEST)})`,
  );
  const values = Object.entries(params).map(([name, value]) => `${name} = ${shorten(JSON.stringify(value))}`);
  return `${skill} needs the confirmation ${quote(role)} for: ${fewOf([...files, ...values]) || "no input"}.`;
}

/** The confirmations that were given for a run before, for the same run again: on another machine, or a moment later. */
export function confirmedBefore(
  confirmed: readonly Pick<Confirmed, "role" | "sha256" | "by" | "at">[],
): ConfirmInput {
  return async ({ role, sha256 }) =>
    confirmed.find((one) => one.role === role && one.sha256 === sha256) ?? null;
}

/** Many runs may have made the same bytes; one that the log confirms is enough. */
const MAX_MAKERS = 20;

/** Throws unless a run of this store recorded these bytes as its artifact, and the log confirms it. */
export async function refuseUnrecorded(
  db: Database,
  skill: string,
  { role, path, sha256 }: HashedInput,
): Promise<void> {
  const makers = await db.all(
    "SELECT DISTINCT skill_run_id AS id FROM artifacts WHERE sha256 = ? ORDER BY skill_run_id LIMIT ?",
    [sha256, MAX_MAKERS],
  );
  for (const { id } of makers) {
    const run = await getRun(db, String(id));
    const isIts = run?.artifacts.some((artifact) => artifact.sha256 === sha256);
    if (run && isIts && (await runRecord(db, run.id)).doubt === null) return;
  }
  const before = await db.get(
    `SELECT skill_name AS skill, artifacts.skill_run_id AS run FROM artifacts
     JOIN skill_runs ON skill_runs.skill_run_id = artifacts.skill_run_id
     WHERE path = ? ORDER BY artifacts.created_at DESC LIMIT 1`,
    [path],
  );
  const file = shorten(path);
  const why = before
    ? `${file} was changed after the run ${before.run} recorded it. Run ${before.skill} again: it keeps your edit beside the file and makes the artifact again.`
    : `no run of this project made ${file} (sha256 ${sha256.slice(0, SHOWN_DIGEST)}). Name a file that a run made ("knack runs" lists them), or declare the input as kind: FILE.`;
  throw new KnackError(
    "INVALID_PARAM",
    `The input ${quote(role)} of ${skill} must be an artifact, but ${why}`,
  );
}
