import type { SkillContext } from "../../skill-function.ts";

/** What a guest is told when it is started. */
export interface GuestStart {
  /** The process that it must not outlive. */
  readonly host: number;
  /** What its frames begin with. */
  readonly nonce: string;
  /** More memory than this ends it. */
  readonly maxBytes: number;
  readonly maxLogBytes: number;
  /** Whether it will wait, and should use the time. */
  readonly preload: boolean;
}

/** The one thing that a guest is asked. */
export interface GuestRequest {
  /** A built-in, by its name. */
  readonly skill: string;
  readonly context: Omit<SkillContext, "signal" | "log">;
}
