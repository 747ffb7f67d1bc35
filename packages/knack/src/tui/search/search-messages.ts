import { hash } from "node:crypto";
import type { Catalog, SkillScope } from "@knack/core";

/** What the picker and its search thread say to each other. */

/** What the thread needs to see the same catalog. */
export interface SearchPlace {
  readonly cwd: string;
  readonly home: string;
}

export interface SearchQuery {
  readonly query: string;
  readonly scope: SkillScope | undefined;
}

/** One skill that the search found, by its path. */
interface Ranked {
  readonly path: string;
  /** Whether it fits, or is merely near. */
  readonly fits: boolean;
}

export interface SearchReply {
  readonly ranked: readonly Ranked[];
  /** Whether there are more. */
  readonly truncated: boolean;
}

export type ToSearch = { readonly kind: "search"; readonly asked: SearchQuery } | { readonly kind: "reload" };

export type FromSearch =
  /** From now on it answers; `mark` is of the catalog that it sees. */
  | { readonly kind: "ready"; readonly mark: string }
  | { readonly kind: "found"; readonly found: SearchReply }
  /** Files of skills changed; the index has followed already. */
  | { readonly kind: "changed" };

/** What two catalogs of the same skills have in common: a file may change between the picker's look and the thread's. */
export function markOf({ entries }: Catalog): string {
  return hash(
    "sha1",
    entries.map(({ skill, status }) => `${skill.path} ${skill.mtimeMs} ${status}`).join("\n"),
  );
}
