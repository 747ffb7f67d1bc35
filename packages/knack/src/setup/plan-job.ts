import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { SkillError } from "@knack/core";
import { CLIENT_FOLDERS } from "@knack/core/config";
import { findProgram } from "@knack/core/process";
import { quote } from "@knack/core/text";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import { backupsOf, type ClientFile, readClientFile } from "./client-file.ts";
import { CLIENTS, type Client, type ServerEntry, type UserPlace, type Words } from "./clients.ts";
import { jsonEditor } from "./edit-json.ts";
import { tomlEditor } from "./edit-toml.ts";
import { EditFault, type Editor, type Member, serversPath } from "./member.ts";
import { type Change, parseText, planRemoval, planSetup } from "./plan-change.ts";
import { findServer, serverCommand, serverUrl } from "./server.ts";
import { shown } from "./show-change.ts";

/** How a client is to reach Knack. */
interface WayOptions {
  /** A running `knack serve`: its address, or `true` for the usual one. */
  readonly http?: string | true;
  readonly cwd?: string;
}

/** What would be written, before anybody is asked. */
export interface PlannedJob {
  readonly job: Job;
  /** `undefined`: the file is already as it should be. */
  readonly change: Change | undefined;
  /** The token stands in the file then. */
  readonly hasToken: boolean;
  /** What the user should know besides. */
  readonly remarks: readonly string[];
}

/** The client of this name; throws `SkillError` where there is none. */
export function clientNamed(given: string): ClientName {
  const name = CLIENT_NAMES.find((one) => one === given.toLowerCase());
  if (name) return name;
  throw new SkillError(
    "INVALID_PARAM",
    `There is no client ${quote(given)}. Name one of: ${CLIENT_NAMES.join(", ")}.`,
  );
}

export async function planToAdd(
  name: ClientName,
  place: UserPlace,
  options: WayOptions,
): Promise<PlannedJob> {
  const client = CLIENTS[name];
  const state = readClient(client, place);
  const way = await wayTo(place, options);
  const job: Job = { name, client, place, ...state, action: "set up" };
  const change = plan(job, () =>
    planSetup(before(job), wantedMembers(client, way, state.document), knownMembers(client, state.document)),
  );
  return { job, change, hasToken: writesToken(client, way), remarks: remarksOf(client, way, place) };
}

export function planToRemove(name: ClientName, place: UserPlace): PlannedJob {
  const client = CLIENTS[name];
  const job: Job = { name, client, place, ...readClient(client, place), action: "removed" };
  const change = plan(job, () => planRemoval(before(job), knownMembers(client, job.document)));
  return { job, change, hasToken: false, remarks: [] };
}

function before({ client, file, editor }: Job) {
  return { text: file.text, backups: backupsOf(file), editor, preamble: client.preamble };
}

function plan(job: Job, make: () => Change | undefined): Change | undefined {
  try {
    return make();
  } catch (error) {
    const broken = brokenFile(error, job.client, job.file);
    if (!(broken instanceof SkillError) || job.action === "removed") throw broken;
    const more = `"knack setup ${job.name} --print" prints the text to add by hand.`;
    throw new SkillError(broken.code, `${broken.message} ${more}`);
  }
}

async function wayTo(place: UserPlace, { http, cwd }: WayOptions): Promise<Way> {
  if (http === undefined) return { kind: "stdio", words: serverCommand(cwd) };
  const url = serverUrl(http);
  const token = await findServer(url, place);
  return { kind: "http", url, token: token.text, tokenFile: token.file };
}

function remarksOf(client: Client, way: Way, place: UserPlace): string[] {
  const remarks = [ownSkills(client)];
  if (client.remark) remarks.unshift(client.remark);
  if (way.kind === "http" && client.question) {
    const where = way.tokenFile === null ? "KNACK_TOKEN" : shown(way.tokenFile, { place });
    remarks.unshift(`${client.title} asks for the token once: it is in ${where}.`);
  }
  if (way.kind === "stdio" && way.words.some((word) => /[/\\]_npx[/\\]/.test(word)))
    remarks.unshift(
      "This Knack is in the cache of npx, which may be cleared. Install Knack, then run this again.",
    );
  return remarks;
}

/** One change of one client's file. */
export interface Job extends ClientState {
  readonly name: ClientName;
  readonly client: Client;
  readonly place: UserPlace;
  readonly action: "set up" | "removed";
}

/** How the client is to reach Knack. */
type Way =
  | { readonly kind: "stdio"; readonly words: Words }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly token: string;
      readonly tokenFile: string | null;
    };

/** What setup writes into a client's file. */
export function wantedMembers(client: Client, way: Way, document: ServerEntry): Member[] {
  if (way.kind === "stdio") return [server(client, document, client.stdio(way.words))];
  const entry = client.http(way.url, authorizationOf(client, way));
  return [...questions(client), server(client, document, entry)];
}

/** All that setup could have written there. */
export function knownMembers(client: Client, document: ServerEntry): Member[] {
  return [...questions(client), server(client, document, {})];
}

function server(client: Client, document: ServerEntry, value: ServerEntry): Member {
  return { path: serversPath(client, document), key: "knack", value };
}

function questions({ question }: Client): Member[] {
  return question
    ? [{ path: [question.key], key: question.value.id, isInList: true, value: question.value }]
    : [];
}

/** Whether the token itself stands in the client's file. */
function writesToken({ question, tokenFrom }: Client, way: Way): boolean {
  return way.kind === "http" && !question && !(tokenFrom && way.tokenFile !== null);
}

/** By reference where the client can read a file or asks, else the token itself. */
function authorizationOf(client: Client, way: Way & { readonly kind: "http" }): string {
  if (client.question) return client.variable;
  if (client.tokenFrom && way.tokenFile !== null) return client.tokenFrom(way.tokenFile);
  // Clients replace ${NAME}, $NAME and {env:NAME} in their files.
  if (/[${}]/.test(way.token))
    throw new SkillError(
      "CONFIG_INVALID",
      "The token has characters that clients replace ($, { or }); use another one, for example from: openssl rand -hex 32",
    );
  return `Bearer ${way.token}`;
}

/** Folders in which Knack looks too. */
const ALSO_KNACK: ReadonlySet<string> = new Set([
  ...["~/.agents/skills", ".agents/skills"],
  ...Object.values(CLIENT_FOLDERS).flatMap(({ project, user }) => [
    ...project,
    ...user.map((path) => `~/${path}`),
  ]),
]);

/** What a client finds without Knack, so that nobody wonders about skills that are listed twice. */
function ownSkills({ title, reads }: Client): string {
  const twice = reads.filter((folder) => ALSO_KNACK.has(folder));
  const line = `${title} reads the skills in ${listed(reads)} by itself`;
  if (twice.length === 0) return `${line}.`;
  const which = twice.length === reads.length ? "they" : `those in ${listed(twice)}`;
  return `${line}; ${which} are listed twice, by ${title} and by Knack.`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

interface ClientState {
  readonly file: ClientFile;
  readonly editor: Editor;
  readonly document: ServerEntry;
}

/** Reads the client's file; throws where it is broken. */
export function readClient(client: Client, place: UserPlace): ClientState {
  const editor = client.syntax === "toml" ? tomlEditor : jsonEditor(client.syntax);
  const file = readClientFile(fileOf(client, place));
  try {
    return { file, editor, document: parseText(editor, file.text) };
  } catch (error) {
    throw brokenFile(error, client, file);
  }
}

/** The last of its files that exists: where a client reads several, the last one wins. */
export function fileOf(client: Client, place: UserPlace): string {
  const files = client.files(place);
  return files.findLast((file) => existsSync(file)) ?? files[0];
}

function brokenFile(error: unknown, client: Client, { path }: ClientFile): unknown {
  if (!(error instanceof EditFault)) return error;
  const where = error.line === undefined ? path : `${path}:${error.line}`;
  return new SkillError(
    "CONFIG_INVALID",
    `${where}: ${error.message}. Nothing was changed. Fix the file of ${client.title}, then run this again.`,
  );
}

/** How one sees that a client is on this machine: its program, or a folder of its own. */
export function signsOf(
  client: Client,
  place: UserPlace,
): { readonly program?: string; readonly folder?: string } {
  const program = client.programs
    .map((name) => findProgram(name, place.env))
    .find((found) => found !== undefined);
  const file = fileOf(client, place);
  // The file of Claude Code is in the home folder itself.
  const sign = dirname(file) === place.home ? file : dirname(file);
  return { ...(program ? { program } : {}), ...(existsSync(sign) ? { folder: sign } : {}) };
}
