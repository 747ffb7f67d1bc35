import type { Answer } from "../../api/client.ts";

export type SkillRow = Answer<"/api/skill-list">["rows"][number];
export type SkillState = SkillRow["state"];

export const STATE_WORDS: Readonly<Record<SkillState, string>> = {
  active: "Active",
  denied: "Denied",
  disabled: "Disabled",
  ineligible: "Not usable here",
  shadowed: "Hidden by another",
  unverified: "Changed since locked",
};

export const SCOPE_WORDS: Readonly<Record<SkillRow["scope"], string>> = {
  repo: "Project",
  user: "Yours",
  bundled: "Built in",
};

export const LANGUAGE_WORDS: Readonly<Record<SkillRow["language"], string>> = {
  latin: "Latin script",
  chinese: "Chinese",
  japanese: "Japanese",
  korean: "Korean",
  cyrillic: "Cyrillic",
  other: "Other",
};

/** How one skill leads to another. */
export const EDGE_WORDS = {
  requires_now: "Required now",
  requires_later: "Required later",
  reference_only: "Mentioned",
} as const;

export const MATCH_WORDS: Readonly<Record<NonNullable<SkillRow["match"]>["reason"], string>> = {
  exact_path: "This is its path",
  exact_name: "This is its name",
  prefix: "Its name begins with this",
  token_overlap: "Words in its name and description",
  body_match: "Words only in its text",
  semantic_match: "No common word, but close in meaning",
  words: "It has these words, but is not active",
};

/** A corrected word is told as "deplyo→deploy"; the text has the second. */
export const markedWords = (matched: readonly string[]): string[] =>
  matched.map((word) => word.slice(word.indexOf("→") + 1));

export const skillPath = (id: string): string => `/skills/${encodeURIComponent(id)}`;
