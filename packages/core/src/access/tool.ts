import type { Config } from "../config/config.ts";
import type { RuledCall } from "../config/rules.ts";
import type { ListLimits } from "../context/blocks/catalog-block.ts";
import type { LoadedSkills } from "../context/loaded-skills.ts";
import type { LockGate } from "../lock/lock-gate.ts";
import type { Catalog } from "../open-catalog.ts";
import type { Obstacles } from "../policy/change-policy.ts";
import type { Actor, Policy } from "../policy/permissions.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { Data, ToolResult } from "./envelope.ts";

/** An event in a conversation, for the record. */
export interface SessionEvent {
  readonly type:
    | "SKILL_LOADED"
    | "SKILL_SEARCHED"
    | "PERMISSION_DECIDED"
    | "DISPATCHED"
    /** By hooks: a tool that the agent has used, and the end of its turn. */
    | "TOOL_CALLED"
    | "TURN_ENDED";
  readonly actor: Actor;
  readonly data: Data;
  /** What somebody wrote, apart from what was decided about it: not everybody wants to keep it. */
  readonly words?: Data;
}

/** Called, and waited for, before the answer is given: whoever must not delay answers returns at once. */
export type Observe = (event: SessionEvent) => Promise<void>;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Something a model can call, and a skill's `command_tool` can name. Other packages bring their own. */
export interface Tool {
  readonly name: string;
  /** A function where it depends on the skills that the model may use. */
  readonly description: string | ((offered: readonly SkillMetadata[], limits: ListLimits) => string);
  readonly inputSchema: JsonSchema;
  /** JSON Schema of `data` where it did its work; any object by default. */
  readonly dataSchema?: JsonSchema;
  /** It changes nothing but this conversation. */
  readonly readOnly?: boolean;
  /** The same call again changes nothing more. */
  readonly idempotent?: boolean;
  /** It runs code or starts a program: a model needs permission, a question by default. */
  readonly executes?: boolean;
  /** It uses a skill as its author meant it: where that calls a tool, it does what the tool does. */
  readonly usesSkills?: boolean;
  /** It asks for permission itself, once it knows which skill it is about. */
  readonly asksItself?: boolean;
  /** The tool stops its work when the call is cancelled, and the answer waits for that, so that nothing keeps running. */
  readonly endsItself?: boolean;
  /** It is a typed skill and has its name: one that comes with Knack, or one that the project declares. */
  readonly typed?: "builtin" | "project";
  /** What the token of a team's member must allow: `reader` where the tool itself runs nothing, `runner` by default. */
  readonly role?: "reader" | "runner";
  /**
   * What a client that searches its tools should find it by. A tool that has one is among the few that every client of MCP gets;
   * their definitions are in each request to the model.
   */
  readonly searchHint?: string;
  /** Why it cannot be called, with the next step. It is not listed; a caller gets this message. */
  readonly leftOut?: string;
  /**
   * Throws `KnackError` if it can never be called, whatever the policy: its code is not trusted. Checked before anybody is
   * asked.
   */
  ready?(): Promise<void>;
  /** Does the work, or throws `KnackError`. */
  run(params: Readonly<Record<string, unknown>>, context: ToolCall): Promise<ToolResult>;
}

/** A tool as a model's host needs it. */
export interface ToolDescription
  extends Pick<Tool, "name" | "inputSchema" | "typed" | "searchHint">,
    Required<Pick<Tool, "readOnly" | "idempotent" | "executes" | "role">> {
  readonly description: string;
  /** JSON Schema of the envelope that it answers with. */
  readonly outputSchema: JsonSchema;
}

/**
 * A project as it was when a call began, immutable: what is allowed, whether it is trusted, which skills and tools it has.
 * `ProjectNow` takes it once a call; whatever works for the call gets it as a value and looks at none of these files.
 */
export interface Picture {
  readonly config: Config;
  readonly trusted: boolean;
  /** Whether the project's own skills may be had. */
  readonly hasProject: boolean;
  readonly policy: Policy;
  readonly catalog: Catalog;
  /** Every tool by name, the typed skills among them. */
  readonly registry: ReadonlyMap<string, Tool>;
}

/** What needs permission. */
export interface PermitRequest {
  readonly tool: string;
  /** Whose text is wanted. */
  readonly skill?: SkillMetadata;
  /** Whose tool it is (`tool_dispatch`): rules for this tool may name the skill, rules for reading it say nothing here. */
  readonly calledBy?: SkillMetadata;
  /** It runs code or starts a program. An answer that is to last can be kept only for what is about one skill. */
  readonly executes?: boolean;
  /** What the tool gets, where that is not what the model itself wrote. */
  readonly params?: unknown;
}

/** What somebody is asked before a model gets what it wants. */
export interface Question extends PermitRequest {
  /** Why the policy asks. */
  readonly reason: string;
  /** Not leave for the model, but the person's own word, which a typed skill needs as an input. `reason` says for what. */
  readonly confirms?: {
    readonly role: string;
    /** Called where somebody else than the caller answers, with their name. */
    answeredBy(name: string): void;
  };
}

/**
 * `remember`: yes, and always from now on. `dismissed`: the question was closed without an answer; that is not a refusal.
 * `declined`: a no that may be the client's own; Codex and Copilot CLI decline by themselves when nobody watches.
 */
export type Confirmation = "yes" | "no" | "remember" | "dismissed" | "declined";
/** Asks a person; `true` is yes and `false` is no. */
export type Confirm = (question: Question) => Promise<Confirmation | boolean>;

/** How a skill's files are named to a model: as they are on this machine, from the skill's folder, or not at all. */
export type Paths = "absolute" | "relative" | "none";

/** Who decides where the rules say `confirm`, and what the locks say. */
export interface Authority {
  readonly confirm: ((question: Question) => Promise<Confirmation>) | undefined;
  /** For `skills.locked`. */
  readonly locks: LockGate;
  /** Writes down that the skill may be had by this tool without a question. */
  remember(skill: SkillMetadata, tool: string): Promise<void>;
  /** Where it is written down, as messages name it. */
  readonly userFile: string;
  /** What in the configuration files is in the way of a call. */
  obstacles(call: RuledCall): Promise<Obstacles>;
}

/** The picture that a call works with. */
interface CallPicture {
  readonly now: Picture;
  /** Takes trust and rules as they are now: after a person was asked, and before more work after a long wait. */
  renew(): Promise<Picture>;
}

/** What a tool may use of the conversation it is called in. */
export interface ToolContext {
  readonly picture: CallPicture;
  /** The skills for this call. */
  readonly catalog: Catalog;
  /** The conversation's own snapshot, which may be older. */
  readonly snapshot: Catalog;
  readonly actor: Actor;
  readonly authority: Authority;
  readonly loaded: LoadedSkills;
  /** Whether the text is given even where the conversation has it already. */
  readonly always: boolean;
  /** How much text one answer may have; what is longer comes in parts. */
  readonly maxTextBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Who the records name for what it does, where that is not the runtime's own name. */
  readonly by: string | undefined;
  /** Only a text is wanted: no skill's tool is called for it. */
  readonly readsOnly: boolean;
  /** Only the questions are wanted: nothing is given, run or recorded. */
  readonly isTrial: boolean;
  readonly paths: Paths;
  /** A skill's tool made the call: it calls no skill's tool again, so that no circle of them can begin. */
  readonly isNested: boolean;
  /** Whether the model has a tool, where its host does not offer all of them. */
  offers(tool: string): boolean;
  progress(message: string): void;
  /** Told of a tool's work, which may go on when nobody waits for it any more. */
  track(work: Promise<unknown>): void;
  /** Reports what was done, for the record. */
  observe(type: SessionEvent["type"], data: Data, words?: Data): Promise<void>;
}

/** The same for a tool that was called. */
export interface ToolCall extends ToolContext {
  /** Returns if the policy allows what the tool is about to do, or if somebody who was asked did. Throws `KnackError`. */
  permit(request: PermitRequest): Promise<void>;
}

/** The names of the typed skills, each of which is a tool. */
export function typedSkillsOf({ registry }: Pick<Picture, "registry">): string[] {
  return [...registry.values()]
    .filter(({ typed, leftOut }) => typed && leftOut === undefined)
    .map(({ name }) => name);
}

/** The tool that runs a typed skill of this name, where there is one: the text explains it, the tool runs it. */
export function runsAs({ picture, offers }: ToolContext, { name }: SkillMetadata): string | undefined {
  const tool = picture.now.registry.get(name);
  return tool?.typed && tool.leftOut === undefined && offers(name) ? name : undefined;
}

/** Throws `KnackError` if a tool of this name can never be called, whatever the policy. */
export async function checkReady({ picture }: ToolContext, tool: string): Promise<void> {
  await picture.now.registry.get(tool)?.ready?.();
}
