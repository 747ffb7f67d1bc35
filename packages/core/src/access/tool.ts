import type { LoadedSkills } from "../context/loaded-skills.ts";
import type { Catalog } from "../open-catalog.ts";
import type { Actor } from "../policy/permissions.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { Envelope, ToolResult } from "./envelope.ts";
import type { SessionEvent } from "./observe.ts";
import type { PermitRequest } from "./permit.ts";

/** A tool as a model's host needs it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly inputSchema: JsonSchema;
  /** JSON Schema of the envelope that it answers with. */
  readonly outputSchema: JsonSchema;
  /** It changes nothing but this conversation. */
  readonly readOnly: boolean;
  /** The same call again changes nothing more. */
  readonly idempotent: boolean;
  /** It runs code or starts a program. */
  readonly executes: boolean;
  /** A typed skill, named as the skill: `builtin` of Knack, or of the `project`. */
  readonly typed?: "builtin" | "project";
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Something a model can call, and a skill's `command_tool` can name. Other packages bring their own. */
export interface Tool {
  readonly name: string;
  /** A function where it depends on the skills that the model may use. */
  readonly description: string | ((offered: readonly SkillMetadata[], env: NodeJS.ProcessEnv) => string);
  readonly inputSchema: JsonSchema;
  /** JSON Schema of `data` where it did its work; any object by default. */
  readonly dataSchema?: JsonSchema;
  /** See `ToolDescription`; false by default. */
  readonly readOnly?: boolean;
  readonly idempotent?: boolean;
  /** It runs code or starts a program: a model needs permission, a question by default. */
  readonly executes?: boolean;
  /** It asks for permission itself, once it knows which skill it is about. */
  readonly asksItself?: boolean;
  /** The tool stops its work when the call is cancelled, and the answer waits for that, so that nothing keeps running. */
  readonly endsItself?: boolean;
  /** It is a typed skill and has its name: one that comes with Knack, or one that the project declares. */
  readonly typed?: "builtin" | "project";
  /** Why it cannot be called, with the next step. It is not listed; a caller gets this message. */
  readonly leftOut?: string;
  /**
   * Throws `ToolError` if it can never be called, whatever the policy: its code is not trusted. Checked before anybody is
   * asked.
   */
  ready?(): Promise<void>;
  /** Does the work, or throws `ToolError`. */
  run(params: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

/** What a tool may use of the conversation it is called in. */
export interface ToolContext {
  /** The skills for this call. */
  readonly catalog: Catalog;
  /** The conversation's own snapshot, which may be older. */
  readonly snapshot: Catalog;
  readonly actor: Actor;
  readonly loaded: LoadedSkills;
  /** Whether the text is given even where the conversation has it already. */
  readonly always: boolean;
  /** How much text one answer may have; what is longer comes in parts. */
  readonly maxTextBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Who the records name for what it does, where that is not the runtime's own name. */
  readonly by: string | undefined;
  /** Reports progress to the caller. */
  progress(message: string): void;
  /** Told of a tool's work, which may go on when nobody waits for it any more. */
  begun(work: Promise<unknown>): void;
  /** Throws `ToolError` where the skill's project is not trusted any more. */
  checkTrust(skill: SkillMetadata): void;
  /**
   * Under `skills.locked`: throws `ToolError` where the bytes that were read of a file are not those that were locked.
   * `sha256` is absent where only a part was read.
   */
  checkLocked(skill: SkillMetadata, file: string, sha256: string | undefined): Promise<void>;
  /** Throws `ToolError` if a tool of this name can never be called, whatever the policy. */
  ready(tool: string): Promise<void>;
  /** Returns if the policy allows it or somebody who was asked did; throws `ToolError` otherwise. */
  permit(request: PermitRequest): Promise<void>;
  /** Reports what was done, for the record. */
  observe(type: SessionEvent["type"], data: SessionEvent["data"]): Promise<void>;
  /** The names of the typed skills, each of which is a tool. */
  readonly typedSkills: readonly string[];
  /** Why a tool of this name was skipped, if it was. */
  whyLeftOut(name: string): string | undefined;
  /** The tool that runs a typed skill of this name, where there is one: the text explains it, the entry runs it. */
  runsAs(skill: SkillMetadata): string | undefined;
  /** Whether a model, or a person, may know of the skill at all. */
  isVisibleTo(actor: Actor, skill: SkillMetadata): boolean;
  /** Calls another tool in the name of a skill (`tool_dispatch`). */
  dispatch(skill: SkillMetadata, args: string, signal?: AbortSignal): Promise<Envelope>;
}
