import type { Envelope } from "../access/envelope.ts";
import type { Role } from "../context/guides/role-guide.ts";
import type { Edge } from "../graph/extract/edge.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { ContextFile } from "./frame.ts";
import type { RuntimeHeader } from "./header.ts";
import type { SkillOutcome } from "./outcome.ts";
import type { RunnerResult } from "./runner/run-frame.ts";

/** Why a skill is dispatched: by the caller, by a skill that requires it, or to be read along with another. */
export type WantedAs = "target" | "child" | "root";

/** What the dispatcher needs of the world. */
export interface DispatchPorts {
  /** The skill with this identity. */
  skillAt(path: string): SkillMetadata | undefined;
  edgesOf(skill: SkillMetadata): Promise<readonly Edge[]>;
  /** The tool that a skill calls instead of being read by a model. */
  toolOf(skill: SkillMetadata): string | undefined;
  /** The text of a skill for a model. Throws `ToolError` where it may not be had. */
  load(skill: SkillMetadata, as: WantedAs): Promise<ContextFile>;
  /** The same for a skill that is called and not read: throws `ToolError` where it may not be. */
  permitCall(skill: SkillMetadata, as: WantedAs): Promise<void>;
  /** A task as the arguments of the skill's tool. */
  argumentsOf(skill: SkillMetadata, task: string): string;
  roleGuide(role: Role): ContextFile;
  /** What does the work; `null` where nothing is to run, and the frame is the answer. */
  readonly work: {
    run(frame: string, header: RuntimeHeader, limitMs: number): Promise<RunnerResult>;
    call(skill: SkillMetadata, args: string, header: RuntimeHeader, limitMs: number): Promise<Envelope>;
  } | null;
  record(event: DispatchEvent): Promise<void>;
  /** Throws if the caller has cancelled. */
  throwIfCancelled(): void;
  /** Milliseconds. */
  now(): number;
}

export type DispatchEvent = { readonly header: RuntimeHeader; readonly tool: string | null } & (
  | { readonly status: "framed" | "started"; readonly frame: string }
  | { readonly status: "interrupted" }
  | { readonly status: "ended"; readonly outcome: SkillOutcome }
);
