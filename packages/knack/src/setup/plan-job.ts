import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { CLIENT_FOLDERS } from "@knack/core/config";
import { KnackError, quote } from "@knack/core/text";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import { conflict, invalid } from "../options.ts";
import { findOwnProgram } from "../run-program.ts";
import { backupsOf, type ClientFile, readClientFile } from "./client-file.ts";
import { CLIENTS, type Client, type ServerEntry, type UserPlace, type Words } from "./clients.ts";
import { jsonEditor } from "./edit-json.ts";
import { tomlEditor } from "./edit-toml.ts";
import {
  type Change,
  holderAt,
  isObject,
  type Member,
  parseText,
  planRemoval,
  planSetup,
  valueAt,
} from "./plan-change.ts";
import { type ClientToken, findServer, serverCommand, serverUrl, tokenOfClient } from "./server.ts";
import { shown } from "./show-change.ts";

export type SetupAction = "set up" | "remove";

/** One change of one client's file, before anybody is asked. */
export interface Job {
  readonly name: ClientName;
  readonly client: Client;
  readonly place: UserPlace;
  readonly action: SetupAction;
  readonly file: ClientFile;
  /** `undefined`: the file is already as it should be. */
  readonly change: Change | undefined;
  /** The token stands in the file then. */
  readonly hasToken: boolean;
  /** Makes the client's token: the text of the change has something else in its place until then. */
  readonly complete?: ((text: string) => Promise<string>) | undefined;
  /** Where the client asked for skills before. */
  readonly wasHttp: string | undefined;
  readonly isHttp: boolean;
  /** What the user should know besides. */
  readonly remarks: readonly string[];
}

/** The client of this name; throws `KnackError` where there is none. */
export function clientNamed(given: string): ClientName {
  const name = CLIENT_NAMES.find((one) => one === given.toLowerCase());
  if (name) return name;
  throw invalid(`There is no client ${quote(given)}. Name one of: ${CLIENT_NAMES.join(", ")}.`);
}

export async function planJob(
  name: ClientName,
  action: SetupAction,
  place: UserPlace,
  options: WayOptions = {},
): Promise<Job> {
  const client = CLIENTS[name];
  const { file, editor, document } = readClient(client, place);
  const known = knownMembers(client, document);
  const job = { name, client, place, action, file, wasHttp: urlIn(known, document), isHttp: false };
  const before = { text: file.text, backups: backupsOf(file), editor, preamble: client.preamble };
  if (action === "remove")
    return { ...job, change: planRemoval(before, known), hasToken: false, remarks: [] };
  const way = await wayTo(name, place, options);
  try {
    const change = planSetup(before, wantedMembers(client, way, document), known);
    const taken = change && foreignEntry(known, document);
    if (taken !== undefined && options.yes)
      throw conflict(
        `${shown(file.path, place)} has a server called "knack" that is another program: ${taken}. Rename it there, or run this without --yes to see the change and decide.`,
      );
    const more = { hasToken: writesToken(client, way), remarks: remarksOf(client, way, place) };
    if (!("url" in way)) return { ...job, ...more, change };
    return { ...job, ...more, change, isHttp: true, complete: completeWith(way.token) };
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    const more = `"knack setup ${name} --print" prints the text to add by hand.`;
    throw new KnackError(error.code, `${error.message} ${more}`);
  }
}

/** Reads the client's file; throws where it is broken. */
export function readClient(client: Client, place: UserPlace) {
  const path = fileOf(client, place);
  const file = readClientFile(path);
  const fault = (reason: string, line?: number): KnackError => {
    const where = line === undefined ? path : `${path}:${line}`;
    const next = `Nothing was changed. Fix the file of ${client.title}, then run this again.`;
    return new KnackError("CONFIG_INVALID", `${where}: ${reason}. ${next}`);
  };
  const editor = client.syntax === "toml" ? tomlEditor(fault) : jsonEditor(client.syntax, fault);
  return { file, editor, document: parseText(editor, file.text) };
}

/** The last of its files that exists: where a client reads several, the last one wins. */
export function fileOf(client: Client, place: UserPlace): string {
  const files = client.files(place);
  return files.findLast((file) => existsSync(file)) ?? files[0];
}

/** How one sees that a client is on this machine: its program, or a folder of its own. */
export function signsOf(client: Client, place: UserPlace) {
  const programs = client.programs.map((name) => findOwnProgram(name, place.env));
  const file = fileOf(client, place);
  // The file of Claude Code is in the home folder itself.
  const sign = dirname(file) === place.home ? file : dirname(file);
  const program = programs.find((found) => found !== undefined);
  return { program, isInstalled: program !== undefined || existsSync(sign) };
}

interface WayOptions {
  /** A running `knack serve`: its address, or `true` for the usual one. */
  readonly http?: string | true;
  readonly cwd?: string;
  /** Nobody looks at the change. */
  readonly yes?: boolean;
}

/** How a client is to reach Knack: start it, or ask a running `knack serve`. */
type Way = { readonly words: Words } | HttpWay;

interface HttpWay {
  readonly url: string;
  readonly token: ClientToken;
}

export function commandOf({ isDesktop = false }: Client, { env, platform }: UserPlace, cwd?: string): Words {
  return serverCommand({ env, platform, isDesktop }, cwd);
}

async function wayTo(name: ClientName, place: UserPlace, { http, cwd }: WayOptions): Promise<Way> {
  if (http === undefined) return { words: commandOf(CLIENTS[name], place, cwd) };
  const server = await findServer(serverUrl(http), place);
  return { url: serverUrl(server.origin), token: await tokenOfClient(name, server, place) };
}

function completeWith({ text: stand, make }: ClientToken): Job["complete"] {
  return make && (async (text) => text.replaceAll(stand, await make()));
}

/** What an entry called "knack" starts or asks, where that is not Knack. */
function foreignEntry(known: readonly Member[], document: ServerEntry): string | undefined {
  const server = known.at(-1);
  const entry = server && valueAt(document, server);
  if (!isObject(entry)) return undefined;
  const url = urlIn(known, document);
  if (url !== undefined) return new URL(url).pathname === "/mcp" ? undefined : quote(url);
  const words = [entry.command, entry.args].flat().filter((word) => typeof word === "string");
  const isKnack = words.some((word) => /(?:^|[/\\])knack(?:\.[cm]?js|\.cmd|-skills(?:@.*)?)?$/.test(word));
  return words.length === 0 || isKnack ? undefined : quote(words.join(" "));
}

/** Where a client's entry leads; `undefined` where it starts a program, or is none. */
export function urlIn(known: readonly Member[], document: ServerEntry): string | undefined {
  const server = known.at(-1);
  const entry = server && valueAt(document, server);
  const urls = isObject(entry) ? [entry.url, entry.httpUrl, entry.serverUrl] : [];
  return urls.find((url): url is string => typeof url === "string" && URL.canParse(url));
}

/** What setup writes into a client's file. */
export function wantedMembers(client: Client, way: Way, document: ServerEntry): Member[] {
  if ("words" in way) return [server(client, document, client.stdio(way.words))];
  const entry = client.http(way.url, authorizationOf(client, way));
  return [...questions(client), server(client, document, entry)];
}

/** All that setup could have written there; the server is the last. */
export function knownMembers(client: Client, document: ServerEntry): Member[] {
  return [...questions(client), server(client, document, {})];
}

/** Opencode 2 has its servers one level deeper, and reads the older form too. */
function server({ servers }: Client, document: ServerEntry, value: ServerEntry): Member {
  const deeper = [...servers, "servers"];
  const holder = holderAt(document, deeper);
  const isDeeper = servers[0] === "mcp" && isObject(holder) && !("type" in holder || "enabled" in holder);
  return { path: isDeeper ? deeper : servers, key: "knack", value };
}

function questions({ question }: Client): Member[] {
  return question
    ? [{ path: [question.key], key: question.value.id, isInList: true, value: question.value }]
    : [];
}

/** Whether the token itself stands in the client's file. */
function writesToken({ question, tokenFrom }: Client, way: Way): boolean {
  return "url" in way && !question && !(tokenFrom && way.token.file !== null);
}

/** By reference where the client can read a file or asks, else the token itself. */
function authorizationOf(client: Client, { token }: HttpWay): string {
  if (client.question) return client.variable;
  if (client.tokenFrom && token.file !== null) return client.tokenFrom(token.file);
  // Clients replace ${NAME}, $NAME and {env:NAME} in their files.
  if (!/[${}]/.test(token.text)) return `Bearer ${token.text}`;
  throw new KnackError(
    "CONFIG_INVALID",
    "The token has characters that clients replace ($, { or }); use another one, for example from: openssl rand -hex 32",
  );
}

function remarksOf(client: Client, way: Way, place: UserPlace): string[] {
  const remarks: string[] = [];
  if ("words" in way && way.words.some((word) => /[/\\]_npx[/\\]/.test(word)))
    remarks.push(
      "This Knack is in the cache of npx, which may be cleared. Install Knack, then run this again.",
    );
  if ("url" in way) {
    const { file, name } = way.token;
    if (client.question) {
      const where = file === null ? "KNACK_TOKEN" : shown(file, place);
      remarks.push(`${client.title} asks for the token once: it is in ${where}.`);
    }
    if (name !== null)
      remarks.push(
        `${client.title} has a token of its own, which confirms nothing: its questions come on the page. To end it: knack token revoke ${name}`,
      );
  }
  if (client.remark) remarks.push(client.remark);
  return [...remarks, ownSkills(client)];
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
