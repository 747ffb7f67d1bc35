import { hash } from "node:crypto";
import type { Catalog, SkillScope } from "@knack/core";

/** The messages between the picker and its search thread. */

/** What the thread needs to open the same catalog. */
export interface SearchPlace {
  readonly cwd: string;
  readonly home: string;
}

export interface SearchQuery {
  readonly query: string;
  readonly scope: SkillScope | undefined;
}

/** One search result, by its path. */
interface Ranked {
  readonly path: string;
  /** Whether it is relevant or a weaker match. */
  readonly fits: boolean;
}

export interface SearchReply {
  readonly ranked: readonly Ranked[];
  /** Whether there are more. */
  readonly truncated: boolean;
}

export type ToSearch = { readonly kind: "search"; readonly asked: SearchQuery } | { readonly kind: "reload" };

export type FromSearch =
  /** The search is ready; `mark` identifies the catalog it uses. */
  | { readonly kind: "ready"; readonly mark: string }
  | { readonly kind: "found"; readonly found: SearchReply }
  /** Skill files changed, and the index is updated. */
  | { readonly kind: "changed" };

/** Identifies the content of a catalog: a file may change between the picker's scan and the thread's. */
export function markOf({ entries }: Catalog): string {
  return hash(
    "sha1",
    entries.map(({ skill, status }) => `${skill.path} ${skill.mtimeMs} ${status}`).join("\n"),
  );
}
