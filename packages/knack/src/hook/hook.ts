import { spawn } from "node:child_process";
import { knackHome } from "@knack/core/config";
import { withLock } from "@knack/core/files";
import { parentOf, startOf } from "@knack/core/process";
import { type ClientProcess, ConversationFile, forgetOldConversations } from "@knack/core/session";
import { openProject, type Project } from "../host/open-project.ts";
import { bindingOf } from "../host/place.ts";
import { isTerminal, note, print, silenceNotes } from "../terminal/output.ts";
import { answerHook, withoutSkills } from "./answer-hook.ts";
import { HOOK_CLIENTS, HOOK_LIMIT_MS, type HookAnswer, type HookCall, writeAnswer } from "./hook-clients.ts";
import { givenCall, READ, whenLate } from "./hook-input.ts";
import { keepGates } from "./kept-gates.ts";

/** How long texts that are still being read are waited for. */
const INDEX_MS = HOOK_LIMIT_MS / 2;

/**
 * `knack hook <event> --client <client>`: whatever happens, it ends with 0 and without a word on standard error. Several clients
 * erase the prompt or refuse the tool where a hook fails.
 */
export async function hook(words: readonly string[]): Promise<void> {
  const given = givenCall(words);
  if (!given && words[0] !== READ) {
    if (isTerminal(0)) note(USAGE);
    process.exit(0);
  }
  silenceNotes();
  process.on("uncaughtException", () => process.exit(0));
  try {
    // Texts: another process reads them, or cannot: the next prompt tries it again.
    await (given ? answerCall(await given) : readTexts());
  } catch {
    // A wrong configuration, a folder that is gone, a full disk: "knack doctor" tells of it, and the client goes on.
  }
  process.exit(0);
}

const USAGE = `A client starts this, and gives it JSON on standard input; "knack setup <client>" writes the hooks. See: knack hook --help`;

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
  const binding = call.event === "tool" ? bindingOf(project.place) : undefined;
  const { config } = await project.config();
  if (binding !== undefined) keepGates(project.place, binding, config);
  const quick = withoutSkills(call, config, { conversation, record });
  if (quick) return quick;
  // Thousands of skills of which nothing is kept take longer: the next prompt finds them read.
  whenLate(() => readTextsElsewhere(project));
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

/** One at a time for a project: the others end at once. */
async function readTexts(): Promise<void> {
  const project = openProject({});
  const { env, home, projectRoot } = project.place;
  const work = async (): Promise<unknown> => (await project.catalog()).searchAsync("");
  await withLock(knackHome(env, home), `${projectRoot} texts`, work, 0);
}
