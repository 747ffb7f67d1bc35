import { CLIENT_FOLDERS } from "@knack/core/config";
import { isRecord, KnackError, quote } from "@knack/core/text";
import type { CommandOptions } from "../cli/table/table.ts";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import type { HookClient } from "../hook/hook-clients.ts";
import { conflict, oneOf } from "../options.ts";
import { versionOf } from "./check-client.ts";
import { backupsOf, type ClientFile, type ServerEntry, type UserPlace, type Words } from "./client-file.ts";
import { CLIENTS, type Client } from "./clients.ts";
import { filesOf, readClient } from "./held-files.ts";
import { type HookCall, type HookForm, hookMembers, knownHooks } from "./hooks.ts";
import { type RecordedSetting, recordedSettings } from "./own-list.ts";
import { type Change, holderAt, type Member, planRemoval, planSetup, valueAt } from "./plan-change.ts";
import {
  type ClientToken,
  findServer,
  inFolder,
  isThisMachine,
  ownCommand,
  serverUrl,
  tokenOfClient,
} from "./server.ts";
import { shown } from "./show-change.ts";
import { trustMembers } from "./trust-hooks.ts";

export type SetupAction = "set up" | "remove";

export interface Edit {
  readonly file: ClientFile;
  readonly change: Change | undefined;
  /** Nothing of Knack's stays in it. */
  readonly isRemoval: boolean;
  /** The token stands in the file then. */
  readonly hasToken: boolean;
  /** Makes the client's token: the text of the change has something else in its place until then. */
  readonly complete?: ((text: string) => Promise<string>) | undefined;
}

/** What is changed for one client, before anybody is asked. */
export interface Job {
  readonly name: ClientName;
  readonly client: Client;
  readonly place: UserPlace;
  readonly action: SetupAction;
  /** The file of the servers first. */
  readonly edits: readonly [Edit, ...Edit[]];
  /** Where the client asked for skills before, if that ends. */
  readonly endsHttp: string | undefined;
  /** How the hooks reach Knack; `null`: there are none. */
  readonly hooks: HookForm | null;
  /** What is written so that the client leaves out its own list. */
  readonly settings: readonly RecordedSetting[] | undefined;
  /** What the user should know besides. */
  readonly remarks: readonly string[];
}

export const changesOf = ({ edits }: Job): readonly Edit[] => edits.filter(({ change }) => change);

export const clientNamed = (given: string): ClientName => oneOf(given.toLowerCase(), CLIENT_NAMES, "client");

export async function planJob(
  name: ClientName,
  action: SetupAction,
  place: UserPlace,
  options: JobOptions = {},
): Promise<Job> {
  const client = CLIENTS[name];
  const isSetup = action === "set up";
  // A broken file is told of before anything is asked for.
  const files = filesOf(client, place).map((given) => ({ ...given, ...readClient(client, place, given) }));
  const way = isSetup ? await wayTo(name, place, options) : undefined;
  const hooks = way ? await hooksFor(name, options, place) : undefined;
  const recorded = recordedSettings(place, name) ?? [];
  const hooksDocument = files.find(({ holds }) => holds.hooks)?.document ?? {};
  const was = urlIn(client, files[0]?.document ?? {});
  const edits = files.map(({ holds, file, editor, document, preamble }): Edit => {
    const known: Member[] = [];
    const wanted: Member[] = [];
    const keep = (members: readonly Member[], isKept: boolean): void => {
      known.push(...members);
      if (isSetup && isKept) wanted.push(...members);
    };
    if (holds.servers) known.push(...knownMembers(client, document));
    if (way && holds.servers) wanted.push(...wantedMembers(client, way, document));
    if (holds.hooks && client.hooks) {
      known.push(...knownHooks(client.hooks, document));
      if (hooks?.how) wanted.push(...hookMembers(client.hooks, hooks.how));
    }
    // What was written before stays as long as nobody has changed it.
    const written = recorded.filter((one) => valueAt(document, one) === one.value);
    const settings = holds.settings ? (options.settings ?? written) : [];
    keep(settings, true);
    const trusted = holds.servers
      ? trustMembers(name, document, hooksDocument, client.hooks?.file(place))
      : [];
    if (options.trust && holds.servers) keep(options.trust, true);
    else keep(trusted, hooks?.how !== undefined);
    const before = { text: file.text, backups: backupsOf(file), editor, preamble };
    const isRemoval = wanted.length === 0;
    const restored = settings.flatMap(({ before: value, ...one }) =>
      value === undefined ? [] : [{ ...one, value }],
    );
    const change = inJob(name, () => {
      const planned = isRemoval ? planRemoval(before, known, restored) : planSetup(before, wanted, known);
      // Nobody would see that it is replaced.
      const taken = planned && way && holds.servers && options.yes && foreignEntry(client, document);
      if (!taken) return planned;
      throw conflict(
        `${shown(file.path, place)} has a server called "knack" that is another program: ${taken}. Rename it there, or run this without --yes to see the change and decide.`,
      );
    });
    if (!way || !holds.servers || !("url" in way)) return { file, change, isRemoval, hasToken: false };
    const { text: stand, make } = way.token;
    const complete = make && (async (text: string) => text.replaceAll(stand, await make()));
    return { file, change, isRemoval, hasToken: writesToken(client, way), complete };
  });
  const [first, ...rest] = edits;
  if (!first) throw new TypeError("A client has a file for its servers.");
  const endsHttp = way && "url" in way ? undefined : was;
  const { settings } = options;
  const job = { name, client, place, action, edits: [first, ...rest] as const, endsHttp, settings };
  if (!way) return { ...job, hooks: null, remarks: [] };
  const own = settings && client.ownList ? client.ownList.remark : ownSkills(client);
  const remarks = [...remarksOf(client, way, place), own, ...(hooks?.remarks ?? [])];
  return { ...job, hooks: hooks?.how?.form ?? null, remarks };
}

function inJob<T>(name: ClientName, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof KnackError)) throw error;
    const more = `"knack setup ${name} --print" prints the text to add by hand.`;
    throw new KnackError(error.code, `${error.message} ${more}`);
  }
}

/** In which form the hooks can be written here, and what the user should know of them. */
export async function hooksFor(
  name: ClientName,
  { hooks: isWanted = true, cwd, http, trustHooks }: Omit<JobOptions, "settings" | "trust">,
  place: UserPlace,
): Promise<{ readonly how?: Omit<HookCall, "event">; readonly remarks: readonly string[] }> {
  const { hooks, title, programs } = CLIENTS[name];
  if (!isWanted) return { remarks: [] };
  if (!hooks) return { remarks: [`${title} gets no hooks: nobody could try them there yet.`] };
  if (http !== undefined && !isThisMachine(new URL(serverUrl(http)).hostname))
    return { remarks: [`${title} gets no hooks: they would search the skills of this machine.`] };
  const { callsToolSince: least } = hooks;
  const version = http === undefined && least && (await versionOf(programs[0] ?? "", place));
  const calls = version && least && version.localeCompare(least, "en", { numeric: true }) >= 0;
  if (!calls && place.platform === "win32")
    return { remarks: [`${title} gets no hooks: their commands were not tried on Windows.`] };
  const form = calls ? "tool" : "command";
  const words = ownCommand(place, CLIENTS[name].isDesktop);
  const how = { client: name as HookClient, form, words, more: inFolder(cwd) } as const;
  return { how, remarks: hooks.todo && !trustHooks ? [hooks.todo] : [] };
}

export interface JobOptions
  extends Pick<CommandOptions<"setup">, "http" | "cwd" | "yes" | "hooks" | "trustHooks"> {
  /** What makes the client leave out its own list. */
  readonly settings?: readonly RecordedSetting[] | undefined;
  /** What makes Codex run the hooks. */
  readonly trust?: readonly Member[];
}

/** How a client is to reach Knack: start it, or ask a running `knack serve`. */
type Way = { readonly words: Words } | HttpWay;

interface HttpWay {
  readonly url: string;
  readonly token: ClientToken;
}

/** The words with which a client starts the server; with a folder, for the skills of that folder wherever it is started. */
export function commandOf({ isDesktop }: Client, place: UserPlace, cwd?: string): Words {
  return [...ownCommand(place, isDesktop), "mcp", ...inFolder(cwd)];
}

async function wayTo(name: ClientName, place: UserPlace, { http, cwd }: JobOptions): Promise<Way> {
  if (http === undefined) return { words: commandOf(CLIENTS[name], place, cwd) };
  const server = await findServer(serverUrl(http), place);
  return { url: serverUrl(server.origin), token: await tokenOfClient(name, server, place) };
}

/** What an entry called "knack" starts or asks, where that is not Knack. */
function foreignEntry(client: Client, document: ServerEntry): string | undefined {
  const entry = serverIn(client, document);
  if (!entry) return undefined;
  const url = urlIn(client, document);
  if (url !== undefined) return new URL(url).pathname === "/mcp" ? undefined : quote(url);
  const words = [entry.command, entry.args].flat().filter((word) => typeof word === "string");
  const isKnack = words.some((word) => /(?:^|[/\\])knack(?:\.[cm]?js|\.cmd|-skills(?:@.*)?)?$/.test(word));
  return words.length === 0 || isKnack ? undefined : quote(words.join(" "));
}

export function serverIn(client: Client, document: ServerEntry): ServerEntry | undefined {
  const entry = valueAt(document, server(client, document, {}));
  return isRecord(entry) ? entry : undefined;
}

/** Where a client's entry leads; `undefined` where it starts a program, or is none. */
export function urlIn(client: Client, document: ServerEntry): string | undefined {
  const { url, httpUrl, serverUrl: given } = serverIn(client, document) ?? {};
  return [url, httpUrl, given].find((one): one is string => typeof one === "string" && URL.canParse(one));
}

export function wantedMembers(client: Client, way: Way, document: ServerEntry): Member[] {
  if ("words" in way) return [server(client, document, client.stdio(way.words))];
  const entry = client.http(way.url, authorizationOf(client, way));
  return [...questions(client), server(client, document, entry)];
}

/** All that setup could have written there. */
function knownMembers(client: Client, document: ServerEntry): Member[] {
  return [...questions(client), server(client, document, {})];
}

/** Opencode 2 has its servers one level deeper, and reads the older form too. */
function server({ servers }: Client, document: ServerEntry, value: ServerEntry): Member {
  const deeper = [...servers, "servers"];
  const holder = holderAt(document, deeper);
  const isDeeper = servers[0] === "mcp" && isRecord(holder) && !("type" in holder || "enabled" in holder);
  return { path: isDeeper ? deeper : servers, key: "knack", value };
}

function questions({ question }: Client): Member[] {
  return question
    ? [
        {
          path: [question.key],
          key: question.value.id,
          isOurs: (entry) => isRecord(entry) && entry.id === question.value.id,
          value: question.value,
        },
      ]
    : [];
}

function writesToken({ question, tokenFrom }: Client, { token }: HttpWay): boolean {
  return !question && !(tokenFrom && token.file !== null);
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

function remarksOf({ title, question, remark }: Client, way: Way, place: UserPlace): string[] {
  const own = remark ? [remark] : [];
  if ("words" in way) {
    const isCached = way.words.some((word) => /[/\\]_npx[/\\]/.test(word));
    const cache =
      "This Knack is in the cache of npx, which may be cleared. Install Knack, then run this again.";
    return isCached ? [cache, ...own] : own;
  }
  const { file, name } = way.token;
  const where = file === null ? "KNACK_TOKEN" : shown(file, place);
  const asks = `${title} asks for the token once: it is in ${where}.`;
  const has = `${title} has a token of its own, which confirms nothing: its questions come on the page. To end it: knack token revoke ${name}`;
  return [...(question ? [asks] : []), ...(name === null ? [] : [has]), ...own];
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
