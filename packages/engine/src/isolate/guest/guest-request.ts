import type { SkillContext } from "../../shared/skill-function.ts";

/** What a guest gets at its start. */
export interface GuestStart {
  /** The process that it must not outlive. */
  readonly host: number;
  /** What its frames begin with. */
  readonly nonce: string;
  /** More memory than this ends it. */
  readonly maxBytes: number;
  readonly maxLogBytes: number;
  /** What it loads while it waits: what a file with this ending needs, `*` for everything. */
  readonly preload: string;
}

/** The one thing that a guest is asked. */
export interface GuestRequest {
  /** A built-in, by its name. */
  readonly skill: string;
  readonly context: Omit<SkillContext, "signal" | "log">;
}
