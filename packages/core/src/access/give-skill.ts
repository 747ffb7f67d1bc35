import { sep } from "node:path";
import type { Entry } from "../catalog/snapshot.ts";
import { escapePath } from "../context/blocks/escape.ts";
import { type AskedCall, partOfBlock } from "../context/blocks/parts.ts";
import { renderReminder } from "../context/blocks/skill-block.ts";
import { type Content, readContained } from "../context/files/contained-file.ts";
import { readInCode } from "../context/files/in-code.ts";
import {
  callsTool,
  type LoadFault,
  loadSkill,
  notForModels,
  readingOf,
  type SkillText,
} from "../context/load-skill.ts";
import type { Catalog } from "../open-catalog.ts";
import type { Actor } from "../policy/permissions.ts";
import { answerTo, KnackError, type ToolErrorCode } from "../shared/errors.ts";
import { isInside } from "../shared/paths.ts";
import { quote, shorten } from "../shared/quote.ts";
import { count, span } from "../shared/telemetry.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { findSkill, type SkillWanted } from "./find-skill.ts";
import {
  checkLockedFile,
  checkTrust,
  disabledError,
  isVisibleTo,
  permit,
  trialEnds,
  unverifiedError,
} from "./permit.ts";
import { checkReady, runsAs, type ToolContext } from "./tool.ts";

/** A skill's text for the conversation, or the note that it was given before. */
export interface Given extends Pick<SkillText, "sha256" | "mtimeMs"> {
  readonly skill: SkillMetadata;
  readonly ref: string;
  readonly told: string;
  /** Absent where the text was given before. */
  readonly text?: SkillText;
  /** Where the next part begins; absent in the last. */
  readonly next?: number | undefined;
}

export interface TextWanted {
  readonly args: string;
  /** A mention: the text counts as given whatever its arguments were. */
  readonly isMention?: boolean;
  /** Begins with the line about the skill's folder that the tool `Skill` gives. */
  readonly baseFirst?: boolean;
  readonly offset?: number | undefined;
  readonly call: AskedCall;
}

export interface Permitted {
  readonly skill: SkillMetadata;
  readonly catalog: ToolContext["catalog"];
}

/** Gives a text once per conversation, in parts where one answer cannot hold it. It counts as loaded with its last part. */
export function giveText(permitted: Permitted, wanted: TextWanted, context: ToolContext): Promise<Given> {
  if (context.isTrial) return Promise.reject(trialEnds());
  const { name } = permitted.skill;
  return span("skill.load", { "knack.skill.name": name }, async (traced) => {
    // One load at a time: of several in one turn, the later ones know of the first.
    const given = await context.loaded.inTurn(() => loadText(permitted, wanted, context));
    const known = { "knack.skill.already_loaded": given.text === undefined };
    traced.set(known);
    count("knack.loads", { "knack.skill.name": name, ...known });
    return given;
  });
}

async function loadText(
  { skill, catalog }: Permitted,
  { args, offset = 0, call, isMention, baseFirst }: TextWanted,
  context: ToolContext,
): Promise<Given> {
  // The text is for a model, so it lists no file that a model could not read.
  const unlisted = skillsIn(catalog, skill).filter(
    ({ skill: inner, status }) =>
      status === "disabled" || status === "unverified" || !isVisibleTo("model", inner, context.picture.now),
  );
  const except = new Set(unlisted.map((entry) => entry.skill.dir));
  const { paths } = context;
  const text = await loadSkill(catalog, skill, args, { except, paths, runsAs: runsAs(context, skill) });
  if ("refusal" in text) throw loadError(skill, text);
  const { sha256, mtimeMs } = text;
  await checkLockedFile(context, skill, catalog.sourceOf(skill), sha256);
  const { name, path } = skill;
  const loading = { name, path, sha256, args };
  const { ref, isKnown } = context.loaded.find(loading, isMention);
  const given = { skill, ref, sha256, mtimeMs };
  // A reminder helps only a model that has skill_load.
  const mayRemind = !context.always && offset === 0 && context.offers("skill_load");
  const record = (part: object): Promise<void> =>
    context.observe(
      "SKILL_LOADED",
      { name, path, sha256, ref, already_loaded: false, ...part },
      args === "" ? undefined : { args },
    );
  const remind = async (): Promise<Given> => {
    await record({ already_loaded: true });
    return { ...given, told: renderReminder({ name, ref }) };
  };
  if (isKnown && mayRemind) return remind();
  const base = baseFirst && offset === 0 ? `Base directory for this skill: ${escapePath(skill.dir)}\n\n` : "";
  const wanted = { name, offset, call, maxBytes: context.maxTextBytes - Buffer.byteLength(base) };
  const part = offset > 0 && context.loaded.hasChanged(loading) ? undefined : partOfBlock(text.block, wanted);
  if (!part) throw noSuchPart(skill, offset, call.tool);
  const isLast = part.next === undefined;
  if (isLast && !context.loaded.claim(loading) && mayRemind) return remind();
  await record(offset > 0 || !isLast ? { offset, last: isLast } : {});
  if (isLast) context.loaded.add(loading);
  else context.loaded.begin(loading);
  return { ...given, told: `${base}${part.text}`, text, next: part.next };
}

export function noSuchPart({ name }: SkillMetadata, offset: number, tool: string): KnackError {
  return new KnackError(
    "CONFLICT",
    `There is no part of the skill ${quote(name)} at offset ${offset}: it may have changed since its earlier parts were given. Call ${tool} without offset to begin again.`,
  );
}

interface Use {
  /** The text goes to a program that acts on it. */
  readonly executes?: boolean;
  /** Whether the skill's own tool is called: where that could never work, nobody is asked. */
  readonly mayCall?: boolean;
}

/** The one gate for every tool, command and prompt: the skill that was found, if its text may be given. Throws `KnackError`. */
export async function permittedSkill(
  tool: string,
  wanted: SkillWanted,
  context: ToolContext,
  { executes = false, mayCall = false }: Use = {},
): Promise<Permitted> {
  const { entry, catalog } = findNowOrBefore(wanted, context);
  const { skill, status, reason } = entry;
  await permitEntry(tool, entry, context, executes, async () => {
    checkTrust({ skill }, context.picture.now);
    if (status !== "active" && status !== "disabled" && status !== "unverified")
      throw new KnackError(
        "NOT_FOUND",
        `The skill ${quote(skill.name)} is ${status}: ${reason}. ${OTHERS[context.actor]}`,
      );
    if (mayCall && callsTool(skill)) await checkReady(context, skill.commandTool ?? "");
  });
  return { skill, catalog };
}

/** Checks switches, `disable-model-invocation` and rules. Throws `KnackError`. */
async function permitEntry(
  tool: string,
  { skill, status, reason }: Entry,
  context: ToolContext,
  executes = false,
  before?: () => Promise<void>,
): Promise<void> {
  await permit(context, { tool, skill, executes }, async () => {
    await before?.();
    if (status === "disabled") throw await disabledError(skill, reason, context.authority);
    if (status === "unverified") throw unverifiedError(skill, reason);
    if (context.actor === "model" && skill.disableModelInvocation)
      throw new KnackError(
        "ACCESS_DENIED",
        `Only people can call the skill ${quote(skill.name)} (disable-model-invocation). Ask the user to run /skill ${shorten(skill.name)}, or continue without it.`,
      );
  });
}

const OTHERS: Readonly<Record<Actor, string>> = {
  model: "Use skill_search to find another.",
  person: '"knack list --all" shows every skill and its status.',
};

/** The skills in this skill's folder. All folders are real paths, so comparing their beginnings is enough. */
function skillsIn(catalog: ToolContext["catalog"], { dir }: SkillMetadata): Entry[] {
  const inside = `${dir}${sep}`;
  return catalog.entries.filter(({ skill }) => skill.dir.startsWith(inside));
}

/** A skill that has just gone is looked up in the conversation's snapshot, so that the answer says what became of it. */
function findNowOrBefore(wanted: SkillWanted, { catalog, snapshot, actor }: ToolContext) {
  try {
    return { entry: findSkill(catalog, wanted, actor), catalog };
  } catch (error) {
    if (snapshot === catalog || !(error instanceof KnackError) || answerTo(error).tool === "INVALID_PARAM")
      throw error;
    try {
      const entry = findSkill(snapshot, wanted, actor);
      if (catalog.files.includes(entry.skill.path)) return { entry, catalog: snapshot };
    } catch (earlier) {
      if (!(earlier instanceof KnackError)) throw earlier;
    }
    throw error;
  }
}

/** Faults that have another code for tools. */
const LOAD_CODES: Readonly<Partial<Record<LoadFault["refusal"], ToolErrorCode>>> = {
  IS_DIRECTORY: "EXECUTION_ERROR",
  NOT_REGULAR: "EXECUTION_ERROR",
  UNPARSABLE: "INTERNAL_ERROR",
  CHANGED: "CONFLICT",
};

function loadError(skill: SkillMetadata, { refusal, message }: LoadFault): KnackError {
  const advice = refusal === "CHANGED" ? " Reload the skills (/reload_skills) and try again." : "";
  const code = LOAD_CODES[refusal] ?? (refusal as ToolErrorCode);
  return new KnackError(code, `The skill ${quote(skill.name)} cannot be loaded: ${message}${advice}`);
}

/** Throws for the text of a skill that calls a tool, by the snapshot or by the file as it is now. */
async function refuseToolText(catalog: Catalog, { real, bytes }: Content): Promise<void> {
  const own = catalog.entries.find(({ skill }) => catalog.sourceOf(skill) === real)?.skill;
  if (!own) return;
  const { facts } = await readingOf(bytes, own);
  const hidden = [own, { ...own, ...facts }].find(callsTool);
  if (hidden)
    throw new KnackError(
      "ACCESS_DENIED",
      `The skill ${quote(hidden.name)} cannot be read: ${notForModels(hidden)}`,
    );
}

/** A file that comes with a skill. */
export type SkillFile = Content & { readonly skill: SkillMetadata };

/** A skill inside the folder keeps its own rules, and models get no text of a skill that calls a tool. */
export async function readSkillFile(
  tool: string,
  wanted: SkillWanted,
  file: string,
  maxBytes: number,
  context: ToolContext,
): Promise<SkillFile> {
  const { skill, catalog } = await permittedSkill(tool, wanted, context);
  const files = catalog.inCode(skill);
  const content = files
    ? readInCode(files, skill.dir, file, maxBytes)
    : readContained(skill.dir, file, { maxBytes, validation: catalog.validationOf(skill) });
  if ("refusal" in content) {
    const { refusal, message } = content;
    throw new KnackError(refusal === "NOT_REGULAR" ? "ACCESS_DENIED" : refusal, message);
  }
  // A file of a nested skill is under that skill's rules too.
  for (const inner of skillsIn(catalog, skill))
    if (isInside(content.real, inner.skill.dir)) await permitEntry(tool, inner, context);
  // What a skill's tool answers a person may go to a model.
  if (context.actor === "model" || context.isNested) await refuseToolText(catalog, content);
  await checkLockedFile(context, skill, content.real, content.sha256);
  return { ...content, skill };
}
