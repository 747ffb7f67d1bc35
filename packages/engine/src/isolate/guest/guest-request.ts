import type { SkillContext } from "../../shared/skill-function.ts";

/** The first message to a guest. */
export interface GuestStart {
  /** The host's process: the guest must not outlive it. */
  readonly host: number;
  /** The nonce of its frames. */
  readonly nonce: string;
  /** The guest is ended if it uses more memory than this. */
  readonly maxBytes: number;
  readonly maxLogBytes: number;
  /** Modules to load in advance: for a file with this extension, `*` for all. */
  readonly preload: string;
}

/** The only request to a guest. */
export interface GuestRequest {
  /** The name of a built-in. */
  readonly skill: string;
  readonly context: Omit<SkillContext, "signal" | "log">;
}
