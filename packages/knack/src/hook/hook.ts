import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { knackHome } from "@knack/core/config";
import { withLock } from "@knack/core/files";
import { parentOf, startOf } from "@knack/core/process";
import { type ClientProcess, ConversationFile, forgetOldConversations } from "@knack/core/session";
import { parseJson } from "@knack/core/text";
import { HOOK_CLIENT_NAMES, HOOK_EVENTS } from "../client-names.ts";
import { openProject, type Project } from "../host/open-project.ts";
import { isTerminal, note, print, silenceNotes } from "../terminal/output.ts";
import { answerHook, withoutSkills } from "./answer-hook.ts";
import {
  HOOK_CLIENTS,
  HOOK_LIMIT_MS,
  type HookAnswer,
  type HookCall,
  readCall,
  writeAnswer,
} from "./hook-clients.ts";

/** How long texts that are still being read are waited for. */
const INDEX_MS = HOOK_LIMIT_MS / 2;
const MAX_INPUT = 8 * 1024 * 1024;

/**
 * `knack hook <event> --client <client>`: whatever happens, it ends with 0 and without a word on standard error. Several clients
 * erase the prompt or refuse the tool where a hook fails.
 */
export async function hook(words: readonly string[]): Promise<void> {
  const given = readWords(words);
  if (!given || (given !== READ && isTerminal(0))) {
    if (isTerminal(0)) note(USAGE);
    process.exit(0);
  }
  silenceNotes();
  if (given === READ) {
    await readTexts().catch(() => undefined); // Another process does it, or cannot: the next prompt tries it again.
    process.exit(0);
  }
  setTimeout(() => process.exit(0), HOOK_LIMIT_MS);
  process.on("uncaughtException", () => process.exit(0));
  try {
    const call = readCall(given.event, given.client, parseJson(await readInput()));
    // A folder that setup has fixed is meant, wherever the client works.
    await answerCall({ ...call, cwd: given.cwd || call.cwd });
  } catch {
    // A wrong configuration, a folder that is gone, a full disk: "knack doctor" tells of it, and the client goes on.
  }
  process.exit(0);
}

const USAGE = `A client starts this, and gives it JSON on standard input; "knack setup <client>" writes the hooks. See: knack hook --help`;

/** The event, the client and the folder; `undefined` where the words are wrong, which is no reason to stop a client. */
function readWords(words: readonly string[]) {
  if (words[0] === READ) return READ;
  const options = { client: { type: "string" }, cwd: { type: "string" } } as const;
  const { values, positionals } = parseArgs({
    args: [...words],
    options,
    allowPositionals: true,
    strict: false,
  });
  const event = HOOK_EVENTS.find((one) => positionals.includes(one));
  const client = HOOK_CLIENT_NAMES.find((one) => one === values.client);
  if (!event || !client) return undefined;
  return { event, client, cwd: typeof values.cwd === "string" ? values.cwd : "" };
}

async function readInput(): Promise<string> {
  let text = "";
  for await (const part of process.stdin.setEncoding("utf8")) {
    text += part;
    if (text.length > MAX_INPUT) return "";
  }
  return text;
}

async function answerCall(call: HookCall): Promise<void> {
  const project = openProject({ ...(call.cwd === "" ? {} : { cwd: call.cwd }) });
  const { env, home } = project.place;
  const by = `hook:${call.client}`;
  const origin = { by, client: call.client, conversation: call.conversation || null };
  const own = call.conversation && new ConversationFile(knackHome(env, home), call.client, call.conversation);
  const conversation = own ? own.of(call.agent) : undefined;
  if (HOOK_CLIENTS[call.client].isFoundByProcess) conversation?.servedBy(clientProcesses());
  if (call.event === "session") forgetOldConversations(knackHome(env, home));
  const answer = await answerIn(call, project, { by, origin, conversation });
  print(writeAnswer(call, answer));
  await project.close();
}

interface Asked {
  readonly by: string;
  readonly origin: Parameters<Project["record"]>[1];
  readonly conversation: ConversationFile | undefined;
}

async function answerIn(
  call: HookCall,
  project: Project,
  { by, origin, conversation }: Asked,
): Promise<HookAnswer> {
  const record = (event: Parameters<Project["record"]>[0]): void => project.record(event, origin);
  const quick = withoutSkills(call, (await project.config()).config, { conversation, record });
  if (quick) return quick;
  const runtime = await project.runtime({
    searchInBackground: true,
    observe: async (event) => project.record(event, origin),
  });
  const session = runtime.session();
  if (conversation) session.share(conversation);
  // Few skills are read in time, and then the first prompt already finds them.
  if (!(await session.catalog.isSearchable(INDEX_MS))) {
    readTextsElsewhere(project);
    return {};
  }
  return answerHook(call, { session, conversation, by, record });
}

/**
 * The processes that started this one, up to the client and what started that: a server of the same client is started by one of
 * them. Farther up are shells and desktops, which other clients share.
 */
function clientProcesses(): ClientProcess[] {
  const found: ClientProcess[] = [];
  for (let pid = process.ppid; pid > 1 && found.length < 3; pid = parentOf(pid))
    found.push({ pid, started: startOf(pid) });
  return found;
}

/** Lets a process of its own read the texts of the skills, so that the next prompt finds them. */
function readTextsElsewhere({ place: { cwd } }: Project): void {
  const launcher = process.argv[1];
  if (launcher === undefined) return;
  const options = { cwd, detached: true, stdio: "ignore", windowsHide: true } as const;
  const reader = spawn(process.execPath, [launcher, "hook", READ], options);
  reader.on("error", () => {}); // Then the next prompt tries it again.
  reader.unref();
}

/** The word for that process. One at a time for a project: the others end at once. */
const READ = "read-texts";

async function readTexts(): Promise<void> {
  const project = openProject({});
  const { env, home, projectRoot } = project.place;
  const work = async (): Promise<unknown> => (await project.catalog()).searchAsync("");
  await withLock(knackHome(env, home), `${projectRoot} texts`, work, 0);
}
