import type { Actor } from "../policy/permissions.ts";
import type { Data } from "./envelope.ts";

/** An event in a conversation, for the record. */
export interface SessionEvent {
  readonly type: "SKILL_LOADED" | "SKILL_SEARCHED" | "PERMISSION_DECIDED" | "DISPATCHED";
  readonly actor: Actor;
  readonly data: Data;
}

/** Called before the answer is given: what cannot be recorded must not have happened unseen. */
export type Observe = (event: SessionEvent) => Promise<void>;
