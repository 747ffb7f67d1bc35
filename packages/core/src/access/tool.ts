import type { Config } from "../config/config.ts";
import type { RuledCall } from "../config/rules.ts";
import type { ListLimits } from "../context/blocks/catalog-block.ts";
import type { LoadedSkills } from "../context/loaded-skills.ts";
import type { LockGate } from "../lock/lock-gate.ts";
import type { Catalog } from "../open-catalog.ts";
import type { Obstacles } from "../policy/change-policy.ts";
import type { Actor, Policy } from "../policy/permissions.ts";
import type { ToolErrorCode } from "../shared/errors.ts";
import type { SkillMetadata } from "../skill/schema.ts";

export type Data = Readonly<Record<string, unknown>>;

export interface Envelope {
  readonly status: "success" | "partial" | "error";
  readonly data: Data;
  /** For the model to read: what happened, then, unless all is well, what to do next. */
  readonly text: string;
  /** Present exactly when the status is `error`. */
  readonly error?: { readonly code: ToolErrorCode; readonly message: string };
  readonly stats: { readonly time_ms: number; readonly [name: string]: number | string };
  readonly context: {
    /** Relative to the project root. */
    readonly cwd: string;
    /** As they were given. */
    readonly params_input: unknown;
    readonly path_resolved?: string;
  };
}

/** What a tool has to say when it did its work; the rest of the envelope is the same for all of them. */
export interface ToolResult {
  /** `data.truncated: true` and `data.applied: false` make the answer `partial`; `partial` here says so for other reasons. */
  readonly partial?: boolean;
  readonly data: Data;
  readonly text: string;
  readonly stats?: Readonly<Record<string, number | string>>;
  readonly pathResolved?: string;
}

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
  /** What somebody wrote; apart from the rest, because not everybody wants it recorded. */
  readonly words?: Data;
}

/** Awaited before the answer is given, so it should return at once. */
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
  /** It uses skills; for a skill that calls a tool, it does what that tool does. */
  readonly usesSkills?: boolean;
  /** It asks for permission itself, once it knows which skill it is about. */
  readonly asksItself?: boolean;
  /** The tool stops its work when the call is cancelled, and the answer waits for that, so that nothing keeps running. */
  readonly endsItself?: boolean;
  /** It is a typed skill and has its name: one that comes with Knack, or one that the project declares. */
  readonly typed?: "builtin" | "project";
  /** What the token of a team's member must allow: `reader` where the tool itself runs nothing, `runner` by default. */
  readonly role?: "reader" | "runner";
  /** For clients that search their tools. The tools with a hint are the few that every MCP client gets. */
  readonly searchHint?: string;
  /** Why it cannot be called, with the next step. It is not listed; a caller gets this message. */
  readonly leftOut?: string;
  /** Throws `KnackError` where it can never be called, as with untrusted code. Checked before anybody is asked. */
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

/** A project as it was when a call began, immutable. `ProjectNow` takes it; nothing below looks at these files again. */
export interface Picture {
  readonly config: Config;
  readonly trusted: boolean;
  /** Whether the project's own skills are offered. */
  readonly hasProject: boolean;
  readonly policy: Policy;
  readonly catalog: Catalog;
  /** Every tool by name, the typed skills among them. */
  readonly registry: ReadonlyMap<string, Tool>;
}

export interface PermitRequest {
  readonly tool: string;
  /** The skill whose text is wanted. */
  readonly skill?: SkillMetadata;
  /** The skill whose tool it is (`tool_dispatch`): rules for the tool may name it, rules for reading it do not count. */
  readonly calledBy?: SkillMetadata;
  /** It runs code or starts a program. */
  readonly executes?: boolean;
  /** What the tool gets, where the model did not write it. */
  readonly params?: unknown;
}

/** What somebody is asked before a model gets what it wants. */
export interface Question extends PermitRequest {
  /** Why the policy asks. */
  readonly reason: string;
  /** Not a permission but the person's own word, which a typed skill takes as an input; `reason` says for what. */
  readonly confirms?: {
    readonly role: string;
    /** Called with the name of whoever answered, if that is not the caller. */
    answeredBy(name: string): void;
  };
}

/** `remember`: yes, always. `dismissed`: closed unanswered, no refusal. `declined`: perhaps the client's own no (Codex, Copilot CLI). */
export type Confirmation = "yes" | "no" | "remember" | "dismissed" | "declined";
/** Asks a person; `true` is yes and `false` is no. */
export type Confirm = (question: Question) => Promise<Confirmation | boolean>;

/** How a skill's files are named to a model: as they are on this machine, from the skill's folder, or not at all. */
export type Paths = "absolute" | "relative" | "none";

/** Who is asked where the rules say `confirm`, and what the locks say. */
export interface Authority {
  readonly confirm: ((question: Question) => Promise<Confirmation>) | undefined;
  readonly locks: LockGate;
  /** Keeps the answer "always" for this skill and tool. */
  remember(skill: SkillMetadata, tool: string): Promise<void>;
  /** The file that keeps it, as messages name it. */
  readonly userFile: string;
  /** Rules and switches in configuration files that stand in the way of a call. */
  obstacles(call: RuledCall): Promise<Obstacles>;
}

/** What a tool may use of the conversation it is called in. */
export interface ToolContext {
  readonly picture: {
    readonly now: Picture;
    /** Takes trust and rules as they are now: after a person was asked, and before more work after a long wait. */
    renew(): Promise<Picture>;
  };
  readonly catalog: Catalog;
  /** The conversation's own snapshot, which may be older. */
  readonly snapshot: Catalog;
  readonly actor: Actor;
  readonly authority: Authority;
  readonly loaded: LoadedSkills;
  /** Gives a text again that the conversation already has. */
  readonly always: boolean;
  /** How much text one answer may have; what is longer comes in parts. */
  readonly maxTextBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Whom the records name, if not the runtime. */
  readonly by: string | undefined;
  /** Only a text is wanted: no skill's tool is called. */
  readonly readsOnly: boolean;
  /** Only the questions are wanted: nothing is given, run or recorded. */
  readonly isTrial: boolean;
  readonly paths: Paths;
  /** A skill's tool made the call, so it calls no other skill's tool: no circles. */
  readonly isNested: boolean;
  /** Whether the model has a tool, where its host does not offer all of them. */
  offers(tool: string): boolean;
  progress(message: string): void;
  /** Registers a tool's work, which may outlast its call. */
  track(work: Promise<unknown>): void;
  observe(type: SessionEvent["type"], data: Data, words?: Data): Promise<void>;
}

/** The context of a tool that was called. */
export interface ToolCall extends ToolContext {
  /** Returns if the policy, or somebody who was asked, allows it; else throws `KnackError`. */
  permit(request: PermitRequest): Promise<void>;
}

export function typedSkillsOf({ registry }: Pick<Picture, "registry">): string[] {
  return [...registry.values()]
    .filter(({ typed, leftOut }) => typed && leftOut === undefined)
    .map(({ name }) => name);
}

/** The tool of a typed skill with this skill's name: the text explains it, the tool runs it. */
export function runsAs({ picture, offers }: ToolContext, { name }: SkillMetadata): string | undefined {
  const tool = picture.now.registry.get(name);
  return tool?.typed && tool.leftOut === undefined && offers(name) ? name : undefined;
}

/** Throws `KnackError` if a tool of this name can never be called, whatever the policy. */
export async function checkReady({ picture }: ToolContext, tool: string): Promise<void> {
  await picture.now.registry.get(tool)?.ready?.();
}
