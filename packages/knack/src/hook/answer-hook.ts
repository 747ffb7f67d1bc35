import { hash } from "node:crypto";
import type { Config, LoadedSkill, Session, SessionEvent, SkillMetadata } from "@knack/core";
import { type ConversationFile, callsTool, loadSkill, renderSkillList } from "@knack/core/session";
import { fold, lineForModel, normalize } from "@knack/core/text";
import { isEvident } from "./evidence.ts";
import { narrowedBy, refusalBy } from "./gates.ts";
import { askedIn, HOOK_CLIENTS, type HookAnswer, type HookCall, ownTool } from "./hook-clients.ts";
import { useOf } from "./tool-use.ts";

export interface HookHost {
  /** A session of the conversation, or of the subagent, that the call is about. */
  readonly session: Session;
  /** What other processes know of it; `undefined` where the client does not say which conversation it is. */
  readonly conversation: ConversationFile | undefined;
  /** Whom the record names. */
  readonly by: string;
  record(event: SessionEvent): void;
}

/**
 * The least room that a client gives the text of a hook is 10,000 characters, in Codex 10,000 bytes; what is longer arrives cut or
 * as the path of a file.
 */
const MAX_BYTES = 9_000;
const MAX_POINTERS = 3;
const MAX_DESCRIPTION = 200;
const MAX_LIST = 2_000;

/**
 * The answer to what needs no look at the skills, which costs a process of its own most of its time: nearly every call of a tool is
 * such. `undefined`: `answerHook` has to look.
 */
export function withoutSkills(
  call: HookCall,
  { hooks, gates }: Pick<Config, "hooks" | "gates">,
  { conversation, record }: Pick<HookHost, "conversation" | "record">,
): HookAnswer | undefined {
  const { event, source, tool, agent, args } = call;
  const own = ownTool(tool);
  if (event === "after") {
    if (own === "skill_load" && HOOK_CLIENTS[call.client].isFoundByProcess) return undefined;
    record({ type: "TOOL_CALLED", actor: "model", data: aboutAgent(call, { tool: tool.slice(0, 200) }) });
    return {};
  }
  if (event === "stop") {
    conversation?.endTurn();
    record({ type: "TURN_ENDED", actor: "model", data: aboutAgent(call, {}) });
    return {};
  }
  if (event === "tool") {
    if (own !== undefined && agent !== "") conversation?.willCall(callKey(own, args));
    const { task } = useOf(call);
    if (task !== undefined) conversation?.expect(task);
    return own !== undefined || (gates.length === 0 && hooks.enforce === "off") ? {} : undefined;
  }
  if (event !== "session") return hooks.prompt === "off" ? {} : undefined;
  if (source === "clear") conversation?.forget();
  if (source === "compact" && HOOK_CLIENTS[call.client].takesLater) {
    conversation?.forget(hooks.session === "on" ? { later: true } : {});
    return {};
  }
  const isNeeded = source === "compact" || HOOK_CLIENTS[call.client].needsList;
  return hooks.session === "on" && isNeeded ? undefined : {};
}

/**
 * What a client's hook answers where `withoutSkills` had no answer. A skill is permitted as for `skill_load`, and what is given
 * counts as loaded.
 */
export async function answerHook(call: HookCall, host: HookHost): Promise<HookAnswer> {
  const { session, conversation } = host;
  if (!session.catalog.config.skills.enabled) return {};
  if (call.event === "after") {
    const { name, path } = call.args;
    const used = session.catalog.skills.find((skill) => skill.path === path || skill.name === name);
    if (used) conversation?.used(used.path);
    return {};
  }
  if (call.event === "tool") return beforeTool(call, host);
  if (call.event === "session") return { text: await atStart(call, host) };
  const asked = call.event === "prompt" ? askedIn(call) : (conversation?.begin(call.agent) ?? "");
  const lost = call.event === "prompt" && call.agent === "" ? (conversation?.takeLost() ?? []) : [];
  const texts = [await again(lost, call, host), asked === "" ? undefined : await suit(asked, call, host)];
  return { text: texts.filter((text) => text !== undefined).join("\n\n") };
}

function aboutAgent({ agent }: HookCall, data: object): SessionEvent["data"] {
  return { ...data, ...(agent === "" ? {} : { agent: agent.slice(0, 200) }) };
}

/** How a call of a tool is known again where the server gets it. */
export function callKey(tool: string, args: object): string {
  return hash("sha256", JSON.stringify([tool, Object.entries(args).sort()])).slice(0, 32);
}

/** Gates, and the active skill's `allowed-tools`: what is refused, and why. */
function beforeTool(call: HookCall, { session, conversation, record }: HookHost): HookAnswer {
  // Where the client does not say which conversation it is, nobody knows what was loaded in it: a gate would stay closed.
  if (!conversation) return {};
  const use = useOf(call);
  const refused = (reason: string, data: object): HookAnswer => {
    const about = { tool: call.tool.slice(0, 200), allowed: false, code: "GATED", reason, ...data };
    record({ type: "PERMISSION_DECIDED", actor: "model", data: aboutAgent(call, about) });
    return { refuse: reason };
  };
  const gate = refusalBy(use, session, conversation);
  // Where nothing can be noted, a load could not be either: the gate would stay closed.
  if (gate && conversation.noteRefusal())
    return refused(gate.reason, { skill: gate.gate.needs, gate: gate.number });
  const { enforce } = session.catalog.config.hooks;
  if (enforce === "off") return {};
  const path = conversation.activePath();
  const active = session.offered.find((skill) => skill.path === path);
  const reason = narrowedBy(call, use, active);
  if (reason === undefined) return {};
  return enforce === "deny" ? refused(reason, { skill: active?.name }) : { text: reason };
}

/** For what was asked: the one skill that clearly fits, or pointers to at most three. */
async function suit(asked: string, call: HookCall, host: HookHost): Promise<string | undefined> {
  const { session } = host;
  const { prompt: wish } = session.catalog.config.hooks;
  const { fits, isClear } = await whatFits(asked, host);
  const loaded = new Set(session.loaded.map(({ path }) => path));
  const fresh = fits.filter(({ path }) => !loaded.has(path));
  host.record({
    type: "SKILL_SEARCHED",
    actor: "model",
    data: aboutAgent(call, { results: fits.map(({ name }) => name), weaker: [], hook: call.event }),
    words: { query: asked },
  });
  const [first] = fresh;
  if (!first || (isClear && first !== fits[0])) return undefined;
  const mayLoad = wish === "load" && !HOOK_CLIENTS[call.client].escapes;
  const text = isClear && mayLoad ? await load(first, MAX_BYTES, host) : undefined;
  if (text === NOTHING) return undefined;
  return text === undefined
    ? pointers(isClear ? [first] : fresh.slice(0, MAX_POINTERS))
    : fitting(first, text);
}

/** The skills that fit, best first, but those that nobody can name; and whether the first is the one that is meant. */
async function whatFits(
  asked: string,
  { session }: HookHost,
): Promise<{ readonly fits: readonly SkillMetadata[]; readonly isClear: boolean }> {
  const [mentioned] = mayMention(asked, session.catalog.skills) ? await session.catalog.mentions(asked) : [];
  const named = mentioned && "skill" in mentioned ? mentioned.skill : undefined;
  const found = await session.search(named?.path ?? asked, MAX_POINTERS + 5);
  // Names and descriptions alone decide badly: then nothing is said this time.
  if (found.partial) return { fits: [], isClear: false };
  const fitting = found.results.filter(({ fits }) => fits);
  const isClear = fitting.length === 1 || /^exact/.test(fitting[0]?.reason ?? "");
  const having = Map.groupBy(session.catalog.skills, ({ name }) => fold(name));
  const isAmbiguous = ({ name }: SkillMetadata): boolean => (having.get(fold(name))?.length ?? 0) > 1;
  const evident = fitting.filter(isEvident).map(({ skill }) => skill);
  const fits = evident.filter((skill) => skill === named || !isAmbiguous(skill));
  return { fits, isClear: isClear && fits[0] === fitting[0]?.skill };
}

/** Most requests mention no skill, and to load the rules of mentions takes as long as to read the index. */
function mayMention(asked: string, skills: readonly SkillMetadata[]): boolean {
  const text = normalize(asked, "NFC");
  return /^\/|\[\$/.test(text) || skills.some(({ name }) => text.includes(normalize(name, "NFC")));
}

const NOTHING = Symbol("the policy refuses it, or another hook has just given it");

/**
 * The text of a skill, given and counted as loaded; `undefined` where a pointer must do: a person would be asked first, it is too
 * long, or it calls a tool.
 */
async function load(
  skill: SkillMetadata,
  room: number,
  { session, by }: HookHost,
  args = "",
): Promise<string | typeof NOTHING | undefined> {
  const { name, path } = skill;
  const wanted = { path, ...(args === "" ? {} : { args }) };
  if (callsTool(skill) || (await session.questions("skill_load", wanted)).length > 0) return undefined;
  const text = await loadSkill(session.catalog, skill, args, { except: new Set(), paths: "absolute" });
  if ("refusal" in text) return NOTHING;
  const size = Buffer.byteLength(text.block) + Buffer.byteLength(fitting({ name }, ""));
  if (size > room) return undefined;
  const { error, data, text: given } = await session.call("skill_load", wanted, { by });
  return error || data?.already_loaded ? NOTHING : given;
}

function fitting({ name }: Pick<SkillMetadata, "name">, text: string): string {
  return `The skill ${quoted(name)} fits this request. The user installed it for such tasks: follow it. It is loaded, here is its text.\n\n${text}`;
}

function pointers(skills: readonly SkillMetadata[]): string {
  const [first, ...others] = skills;
  const described = ({ name, description }: SkillMetadata): string =>
    `${quoted(name)} (${lineForModel(description.slice(0, MAX_DESCRIPTION))})`;
  if (!first) return "";
  if (others.length === 0)
    return `The skill ${described(first)} fits this request. Load it with skill_load ${lineForModel(JSON.stringify({ name: first.name }))} before you start, and follow it.`;
  const lines = skills.map((skill) => `- ${described(skill)}`).join("\n");
  return `These skills fit this request. Load the one that the task needs with skill_load, by its name, before you start:\n${lines}`;
}

const quoted = (name: string): string => `"${lineForModel(name)}"`;

/** What a conversation begins with, or goes on with after it was shortened. */
async function atStart(call: HookCall, host: HookHost): Promise<string | undefined> {
  const { session } = host;
  if (call.source === "compact") {
    const before = session.loaded;
    if (!host.conversation) return undefined;
    host.conversation.forget();
    return again(before, call, host);
  }
  if (session.offered.length === 0) return undefined;
  const { text } = renderSkillList(session.offered, { maxChars: MAX_LIST, uses: session.uses });
  return `The user has these skills: tested instructions for kinds of work. If one fits the task, load it with skill_load by its name and follow it; skill_search finds others.\n${text}`;
}

/** The skills that the conversation had before it was shortened, the last first: their texts while there is room, then their names. */
async function again(
  before: readonly LoadedSkill[],
  call: HookCall,
  host: HookHost,
): Promise<string | undefined> {
  const { session } = host;
  if (before.length === 0) return undefined;
  // The rules may be others than when it was loaded.
  const allowed = await session.visibleTo("model");
  let room = MAX_BYTES - 500;
  const texts: string[] = [];
  const named: SkillMetadata[] = [];
  for (const { path, args } of before.toReversed()) {
    const skill = allowed.find((one) => one.path === path);
    if (!skill) continue;
    const given = HOOK_CLIENTS[call.client].escapes ? undefined : await load(skill, room, host, args);
    if (given === NOTHING) continue;
    if (given === undefined) named.push(skill);
    else {
      room -= Buffer.byteLength(given);
      texts.push(given);
    }
  }
  const rest = named.map(({ name }) => quoted(name)).slice(0, 20);
  const pointer =
    rest.length > 0
      ? [`Load these again with skill_load, by their names, if the task goes on: ${rest.join(", ")}.`]
      : [];
  const parts = [...texts, ...pointer];
  return parts.length > 0
    ? `This conversation was shortened. These skills were loaded in it:\n\n${parts.join("\n\n")}`
    : undefined;
}
