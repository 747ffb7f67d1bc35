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
  /** What the model reads: the text, a part of it, or the note. */
  readonly told: string;
  /** Absent where the text was given before. */
  readonly text?: SkillText;
  /** Where the next part begins; absent in the last. */
  readonly next?: number | undefined;
}

/** What of a text is wanted, and by which call. */
export interface TextWanted {
  readonly args: string;
  /** Somebody mentioned the skill: it counts as given with whatever arguments. */
  readonly isMention?: boolean;
  /** The text begins with the line about its folder that the tool `Skill` gives. */
  readonly baseFirst?: boolean;
  /** Where a part begins that is not the first. */
  readonly offset?: number | undefined;
  readonly call: AskedCall;
}

export interface Permitted {
  readonly skill: SkillMetadata;
  readonly catalog: ToolContext["catalog"];
}

/**
 * The text of a permitted skill: read once, given once per conversation, in parts where one answer cannot have it whole. A
 * text counts as loaded when its last part was given. Throws `KnackError`.
 */
export function giveText(permitted: Permitted, wanted: TextWanted, context: ToolContext): Promise<Given> {
  if (context.isTrial) return Promise.reject(trialEnds());
  const { name } = permitted.skill;
  return span("skill.load", { "knack.skill.name": name }, async (traced) => {
    // One after the other: of several loads in one turn, the later ones know of the first.
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
  // The text is for a model, whoever requests it, so it names no file that the model could not read.
  const unlisted = skillsIn(catalog, skill).filter(
    ({ skill: inner, status }) =>
      status === "disabled" || status === "unverified" || !isVisibleTo("model", inner, context.picture.now),
  );
  const except = new Set(unlisted.map((entry) => entry.skill.dir));
  const { paths } = context;
  const text = await loadSkill(catalog, skill, args, { except, paths, runsAs: runsAs(context, skill) });
  if ("fault" in text) throw loadError(skill, text);
  const { sha256, mtimeMs } = text;
  await checkLockedFile(context, skill, catalog.sourceOf(skill), sha256);
  const { name, path } = skill;
  const loading = { name, path, sha256, args };
  const { ref, isKnown } = context.loaded.find(loading, isMention);
  const given = { skill, ref, sha256, mtimeMs };
  // A reminder is of use only where its reference can be given to skill_load.
  const isRepeated = isKnown && !context.always && offset === 0 && context.offers("skill_load");
  const record = (part: object): Promise<void> =>
    context.observe(
      "SKILL_LOADED",
      { name, path, sha256, ref, already_loaded: isRepeated, ...part },
      args === "" ? undefined : { args },
    );
  if (isRepeated) {
    await record({});
    return { ...given, told: renderReminder({ name, ref }) };
  }
  const base = baseFirst && offset === 0 ? `Base directory for this skill: ${escapePath(skill.dir)}\n\n` : "";
  const wanted = { name, offset, call, maxBytes: context.maxTextBytes - Buffer.byteLength(base) };
  const part = offset > 0 && context.loaded.hasChanged(loading) ? undefined : partOfBlock(text.block, wanted);
  if (!part) throw noSuchPart(skill, offset, call.tool);
  const isLast = part.next === undefined;
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
  /** A `tool_dispatch` skill calls its tool: where that could never be called, nobody is asked about the skill. */
  readonly mayCall?: boolean;
}

/**
 * The skill that is meant, if whoever asks may have its text: the one gate for every tool, command and prompt. What is
 * permitted is the skill that was found, never the words it was asked for by. Throws `KnackError`.
 */
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

/** Switches, `disable-model-invocation` and rules. Throws `KnackError`. */
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

/** What to do about a skill that is not for this place. */
const OTHERS: Readonly<Record<Actor, string>> = {
  model: "Use skill_search to find another.",
  person: '"knack list --all" shows every skill and its status.',
};

/** The skills whose folders are inside of this one's. By their beginning, which is enough: all of them are real paths. */
function skillsIn(catalog: ToolContext["catalog"], { dir }: SkillMetadata): Entry[] {
  const inside = `${dir}${sep}`;
  return catalog.entries.filter(({ skill }) => skill.dir.startsWith(inside));
}

/**
 * A skill that this call's look at the files no longer finds but the conversation knows is looked for where it was:
 * then the answer says what became of the file, not that there never was such a skill.
 */
function findNowOrBefore(
  wanted: SkillWanted,
  { catalog, snapshot, actor }: ToolContext,
): { readonly entry: Entry; readonly catalog: ToolContext["catalog"] } {
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

/** What a fault is for a tool, where its code is another. */
const LOAD_CODES: Readonly<Partial<Record<LoadFault["fault"], ToolErrorCode>>> = {
  IS_DIRECTORY: "EXECUTION_ERROR",
  NOT_REGULAR: "EXECUTION_ERROR",
  UNPARSABLE: "INTERNAL_ERROR",
  CHANGED: "CONFLICT",
};

function loadError(skill: SkillMetadata, { fault, message }: LoadFault): KnackError {
  const advice = fault === "CHANGED" ? " Reload the skills (/reload_skills) and try again." : "";
  const code = LOAD_CODES[fault] ?? (fault as ToolErrorCode);
  return new KnackError(code, `The skill ${quote(skill.name)} cannot be loaded: ${message}${advice}`);
}

/** Throws where a file is the text of a skill that calls a tool, by the snapshot or by what the file says now. */
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

/** A file that comes with a skill, and whose it is. */
export type SkillFile = Content & { readonly skill: SkillMetadata };

/**
 * One file of a permitted skill: nothing outside of its folder, nothing of a skill inside it that is not permitted, and for
 * a model no text of a skill that calls a tool.
 */
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
  // The file may be of another skill, whose folder is inside: then that one's rules hold for it too.
  for (const inner of skillsIn(catalog, skill))
    if (isInside(content.real, inner.skill.dir)) await permitEntry(tool, inner, context);
  // What a skill's tool answers a person may go to a model.
  if (context.actor === "model" || context.isNested) await refuseToolText(catalog, content);
  await checkLockedFile(context, skill, content.real, content.sha256);
  return { ...content, skill };
}
