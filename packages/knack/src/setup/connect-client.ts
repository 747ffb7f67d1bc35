import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import * as z from "zod";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import type { HookEvent } from "../hook/hook-clients.ts";
import { conflict } from "../options.ts";
import { messageOf } from "../terminal/visible.ts";
import { type CheckResult, checkClient } from "./check-client.ts";
import {
  makeBackup,
  removeClientFile,
  requireWritable,
  type UserPlace,
  writeClientFile,
} from "./client-file.ts";
import { CLIENTS } from "./clients.ts";
import { fileOf, filesOf, hasHooks, readClient, signsOf } from "./held-files.ts";
import { HOOK_PURPOSES } from "./hooks.ts";
import { recordSettings } from "./own-list.ts";
import { type Change, hasAll } from "./plan-change.ts";
import {
  changesOf,
  commandOf,
  type Edit,
  type Job,
  planJob,
  type SetupAction,
  serverIn,
  urlIn,
  wantedMembers,
} from "./plan-job.ts";
import { endTokenOfClient } from "./server.ts";
import { showChange, shown } from "./show-change.ts";
import { trustMembers } from "./trust-hooks.ts";

/** What `knack setup <client>` would change, for a page that shows it before it asks. */
export async function previewConnect(name: ClientName, action: SetupAction, place: UserPlace) {
  const job = await planJob(name, action, place);
  const { client, edits, remarks } = job;
  return {
    client: name,
    title: client.title,
    action,
    file: shown(edits[0].file.path, place),
    changes: changesOf(job).length > 0,
    files: changesOf(job).map(({ file, change }) => ({
      file: shown(file.path, place),
      diff: showChange(file.text ?? "", change?.text ?? ""),
    })),
    about: purposesOf(job),
    remarks,
    /** Names the files as they are now and what they would become: only what was shown is written. */
    seen: digestOf(job),
  };
}

/** Writes what the preview showed, and asks the client whether it connects. Throws `KnackError` where a file is another. */
export async function connect(
  name: ClientName,
  action: SetupAction,
  seen: string,
  place: UserPlace,
  signal: AbortSignal,
) {
  const job = await planJob(name, action, place);
  if (digestOf(job) !== seen) {
    const path = shown(job.edits[0].file.path, place);
    throw conflict(`${path} has changed since the change was shown. Look at it again.`);
  }
  await requireAllWritable(job);
  return outcomeReport(job, await applyJob(job, signal));
}

/** Before the first file is written: all or none. */
export async function requireAllWritable(job: Job): Promise<void> {
  for (const { file } of changesOf(job)) await requireWritable(file);
}

function digestOf({ action, edits }: Job): string {
  const now = edits.map(({ file, change }) => [
    file.path,
    file.text ?? null,
    change ? (change.text ?? null) : false,
  ]);
  return hash("sha256", JSON.stringify([action, ...now]));
}

/** What each hook that is written is for, a sentence each. */
export function purposesOf({ client: { hooks }, hooks: form }: Job): string[] {
  if (!hooks || !form) return [];
  return (Object.entries(hooks.events) as [HookEvent, { readonly name: string }][]).map(
    ([event, { name }]) => `${name}: ${HOOK_PURPOSES[event]}.`,
  );
}

export interface JobOutcome {
  readonly changed: boolean;
  /** The copies that are left, a file each. */
  readonly backups: readonly (string | undefined)[];
  readonly check?: CheckResult;
  readonly diff?: readonly string[];
  /** What the user still has to do. */
  readonly left?: string | undefined;
}

export const UNCHANGED: JobOutcome = { changed: false, backups: [] };

/** Writes the changes, and asks a client that was set up whether it connects; without a signal, Ctrl-C ends this program too. */
export async function applyJob(job: Job, signal?: AbortSignal): Promise<JobOutcome> {
  const { action, client, edits, endsHttp, name, place, settings } = job;
  const order = [...edits.entries()];
  const backups: (string | undefined)[] = edits.map(() => undefined);
  const changed = edits.some(({ change, complete }) => change ?? complete);
  if (!changed) return UNCHANGED;
  // The hooks go before the server that they call.
  for (const [at, edit] of action === "remove" ? order.toReversed() : order)
    backups[at] = await writeEdit(edit, place);
  if (changesOf(job).length === 0) return { changed, backups };
  if (action === "remove" || settings)
    recordSettings(place, name, action === "remove" ? undefined : settings);
  const left = endsHttp === undefined ? undefined : await endTokenOfClient(name, endsHttp, place);
  if (action === "remove") return { changed, backups, left };
  return { changed, backups, left, check: await checkClient(client, place.env, signal) };
}

async function writeEdit(edit: Edit, place: UserPlace): Promise<string | undefined> {
  const { change, complete } = edit;
  if (change?.text !== undefined && complete)
    return writeChange(edit, { ...change, text: await complete(change.text) }, place);
  // The entry refers to the token, which is gone.
  await complete?.("");
  return change && writeChange(edit, change, place);
}

/** Returns the backup that is left. Removal makes none: its text would be that with the server. */
function writeChange(
  { file, isRemoval, hasToken }: Edit,
  { text, origin, earlier }: Change,
  { home }: UserPlace,
): string | undefined {
  const known = typeof origin === "object" ? origin : undefined;
  if (text === undefined) {
    removeClientFile(file, home);
    return undefined;
  }
  if (isRemoval) {
    writeClientFile(file, text, known?.mode ?? file.mode);
    if (known) rmSync(known.path, { force: true });
    return earlier?.path;
  }
  const backup = origin === undefined && file.text !== undefined ? makeBackup(file) : known?.path;
  writeClientFile(file, text, hasToken ? file.mode & ~0o077 : file.mode);
  return backup;
}

/** What a program reads of it. */
export function outcomeReport(job: Job, { changed, backups, check, diff }: JobOutcome) {
  const { name, client, action, edits, hooks } = job;
  const done = action === "remove" ? ("removed" as const) : action;
  const report = ({ file }: Edit, at: number) => ({
    file: file.path,
    ...(file.target === file.path ? {} : { target: file.target }),
    backup: backups[at] ?? null,
  });
  return {
    client: name,
    ...report(edits[0], 0),
    action: changed ? done : ("unchanged" as const),
    changed,
    check: check ?? null,
    hooks,
    /** The other files that have something of Knack's. */
    files: edits
      .slice(1)
      .map((edit, at) => ({ ...report(edit, at + 1), changed: edit.change !== undefined })),
    ...(diff ? { diff } : {}),
    reads: client.reads,
  };
}

export const listedClientSchema = z.strictObject({
  client: z.enum(CLIENT_NAMES),
  title: z.string(),
  installed: z.boolean(),
  program: z.string().nullable(),
  file: z.string(),
  setup: z.boolean().nullable(),
  transport: z.enum(["stdio", "http"]).nullable(),
  /** Whether "knack setup" would write the same; `null` for HTTP, where the token decides. */
  current: z.boolean().nullable(),
  /** Whether it has Knack's hooks; `null` where Knack writes none. */
  hooks: z.boolean().nullable(),
  reads: z.array(z.string()).readonly(),
  error: z.string().exactOptional(),
});
export type ListedClient = z.infer<typeof listedClientSchema>;

/** The clients on this machine, and which of them get their skills from Knack. */
export function lookAtClients(place: UserPlace): ListedClient[] {
  return CLIENT_NAMES.map((name) => lookAtClient(name, place));
}

function lookAtClient(name: ClientName, place: UserPlace): ListedClient {
  const client = CLIENTS[name];
  const { program = null, isInstalled: installed } = signsOf(client, place);
  const known = {
    client: name,
    title: client.title,
    installed,
    program,
    file: fileOf(client, place),
    reads: client.reads,
  };
  try {
    const hooks = hasHooks(client, place);
    const { document } = readClient(client, place);
    const server = serverIn(client, document);
    if (!server) return { ...known, setup: false, transport: null, current: null, hooks };
    const isHttp = urlIn(client, document) !== undefined;
    const wanted = wantedMembers(client, { words: commandOf(client, place) }, document);
    const current = isHttp ? null : hasAll(document, wanted);
    return { ...known, setup: true, transport: isHttp ? "http" : "stdio", current, hooks };
  } catch (error) {
    return { ...known, setup: null, transport: null, current: null, hooks: null, error: messageOf(error) };
  }
}

/** Whether a client runs the hooks that were written: Codex runs none that its user has not trusted. */
export function areHooksTrusted(name: ClientName, place: UserPlace): boolean {
  const client = CLIENTS[name];
  const held = filesOf(client, place).find(({ holds }) => holds.hooks);
  if (name !== "codex" || !held) return true;
  const { document } = readClient(client, place);
  const hooks = readClient(client, place, held).document;
  return trustMembers(name, document, hooks, client.hooks?.file(place)).length > 0;
}
