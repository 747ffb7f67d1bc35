import type { Role } from "../context/role-guide.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { Edge } from "./edge.ts";
import type { ContextFile } from "./frame.ts";
import type { RuntimeHeader } from "./header.ts";
import type { RunnerResult } from "./run-frame.ts";

/** What the dispatcher needs of the world. */
export interface DispatchHost {
  /** The skill with this identity. */
  skillAt(path: string): SkillMetadata | undefined;
  edgesOf(skill: SkillMetadata): Promise<readonly Edge[]>;
  /** The text of a skill for a model. Throws `ToolError` where it may not be had; `bySkill`: no person asked for it. */
  load(skill: SkillMetadata, bySkill: boolean): Promise<ContextFile>;
  roleGuide(role: Role): ContextFile;
  /** Gives the frame to the runner; `null` where there is none, and the frame is the answer. */
  readonly run: ((frame: string, limitMs: number) => Promise<RunnerResult>) | null;
  record(event: DispatchEvent): Promise<void>;
  /** Milliseconds. */
  now(): number;
}

export type DispatchEvent = { readonly header: RuntimeHeader } & (
  | { readonly status: "framed" | "started" }
  | { readonly status: "ended"; readonly runner: RunnerResult }
);
