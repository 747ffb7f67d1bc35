import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import { conflict } from "../options.ts";
import { messageOf } from "../terminal/visible.ts";
import { type CheckResult, checkClient } from "./check-client.ts";
import { makeBackup, removeClientFile, requireWritable, writeClientFile } from "./client-file.ts";
import { CLIENTS, type UserPlace } from "./clients.ts";
import { type Change, hasAll, isObject, valueAt } from "./plan-change.ts";
import {
  commandOf,
  fileOf,
  type Job,
  knownMembers,
  planJob,
  readClient,
  type SetupAction,
  signsOf,
  urlIn,
  wantedMembers,
} from "./plan-job.ts";
import { endTokenOfClient } from "./server.ts";
import { showChange, shown } from "./show-change.ts";

/** What `knack setup <client>` would change, for a page that shows it before it asks. */
export async function previewConnect(name: ClientName, action: SetupAction, place: UserPlace) {
  const job = await planJob(name, action, place);
  const { client, file, change, remarks } = job;
  return {
    client: name,
    title: client.title,
    action,
    file: shown(file.path, place),
    changes: change !== undefined,
    diff: change ? showChange(file.text ?? "", change.text ?? "") : [],
    remarks,
    /** Names the file as it is now and what it would become: only what was shown is written. */
    seen: digestOf(job),
  };
}

/** Writes what the preview showed, and asks the client whether it connects. Throws `KnackError` where the file is another. */
export async function connect(
  name: ClientName,
  action: SetupAction,
  seen: string,
  place: UserPlace,
  signal: AbortSignal,
) {
  const job = await planJob(name, action, place);
  if (digestOf(job) !== seen) {
    const path = shown(job.file.path, place);
    throw conflict(`${path} has changed since the change was shown. Look at it again.`);
  }
  if (job.change) await requireWritable(job.file);
  return outcomeReport(job, await applyJob(job, signal));
}

function digestOf({ action, file, change }: Job): string {
  const now = [action, file.path, file.text ?? null, change ? (change.text ?? null) : false];
  return createHash("sha256").update(JSON.stringify(now)).digest("hex");
}

export interface JobOutcome {
  readonly changed: boolean;
  readonly backup?: string | undefined;
  readonly check?: CheckResult;
  readonly diff?: readonly string[];
  /** What the user still has to do. */
  readonly left?: string | undefined;
}

/** Writes the change, and asks a client that was set up whether it connects; without a signal, Ctrl-C ends this program too. */
export async function applyJob(job: Job, signal?: AbortSignal): Promise<JobOutcome> {
  const { change, complete, wasHttp, isHttp, name, place } = job;
  if (!change) {
    // The entry refers to the token, which is gone.
    await complete?.("");
    return { changed: complete !== undefined };
  }
  const text = change.text === undefined || !complete ? change.text : await complete(change.text);
  const backup = writeChange(job, { ...change, text });
  const left = wasHttp === undefined || isHttp ? undefined : await endTokenOfClient(name, wasHttp, place);
  const outcome = { changed: true, backup, left };
  if (job.action === "remove") return outcome;
  return { ...outcome, check: await checkClient(job.client, place.env, signal) };
}

/** Returns the backup that is left. Removal makes none: its text would be that with the server. */
function writeChange(
  { file, action, place, hasToken }: Job,
  { text, origin, earlier }: Change,
): string | undefined {
  const known = typeof origin === "object" ? origin : undefined;
  if (text === undefined) {
    removeClientFile(file, place.home);
    return undefined;
  }
  if (action === "remove") {
    writeClientFile(file, text, known?.mode ?? file.mode);
    if (known) rmSync(known.path, { force: true });
    return earlier?.path;
  }
  const backup = origin === undefined && file.text !== undefined ? makeBackup(file) : known?.path;
  writeClientFile(file, text, hasToken ? file.mode & ~0o077 : file.mode);
  return backup;
}

/** What a program reads of it. */
export function outcomeReport({ name, file, client, action }: Job, outcome: JobOutcome) {
  const { changed, backup = null, check = null, diff } = outcome;
  const done = action === "remove" ? ("removed" as const) : action;
  return {
    client: name,
    file: file.path,
    ...(file.target === file.path ? {} : { target: file.target }),
    action: changed ? done : ("unchanged" as const),
    changed,
    backup,
    check,
    ...(diff ? { diff } : {}),
    reads: client.reads,
  };
}

export interface ListedClient {
  readonly client: ClientName;
  readonly title: string;
  readonly installed: boolean;
  readonly program: string | null;
  readonly file: string;
  readonly setup: boolean | null;
  readonly transport: "stdio" | "http" | null;
  /** Whether "knack setup" would write the same; `null` for HTTP, where the token decides. */
  readonly current: boolean | null;
  readonly reads: readonly string[];
  readonly error?: string;
}

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
    const { document } = readClient(client, place);
    const members = knownMembers(client, document);
    const server = members.at(-1);
    if (!isObject(server && valueAt(document, server)))
      return { ...known, setup: false, transport: null, current: null };
    const isHttp = urlIn(members, document) !== undefined;
    const wanted = wantedMembers(client, { words: commandOf(client, place) }, document);
    const current = isHttp ? null : hasAll(document, wanted);
    return { ...known, setup: true, transport: isHttp ? "http" : "stdio", current };
  } catch (error) {
    return { ...known, setup: null, transport: null, current: null, error: messageOf(error) };
  }
}
