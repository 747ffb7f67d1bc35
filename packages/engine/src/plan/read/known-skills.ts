import type { Registered } from "../../registry/registered.ts";

/** The typed skills that a plan may name, and what is known of those that were left out. */
export interface KnownSkills {
  readonly registered: ReadonlyMap<string, Registered>;
  /** Why there is no skill of this name, where an entry has it. */
  whyLeftOut(name: string): string | undefined;
  /** The project that files must be in, where it is not trusted. */
  readonly within: string | null;
}
