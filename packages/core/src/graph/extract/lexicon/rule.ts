/** What a rule says of a text that it matches. */
export type Effect =
  // A sentence tells to use the skill.
  | "directs"
  | "directs-after"
  | "hands-over"
  | "by-means-of"
  | "means"
  // It requires the skill.
  | "requires"
  | "label"
  | "label-of-case"
  | "modal"
  | "weak-modal"
  | "doubt"
  | "ends-modal"
  | "it-is-required"
  | "needs-pass"
  | "requires-head"
  | "head-role"
  | "required-cell"
  | "required-column"
  | "yes"
  | "must-word"
  | "use-word"
  | "explains"
  | "before-using"
  | "insists"
  // It does not require the skill, or not now, or not only this one.
  | "negates"
  | "condition"
  | "optional"
  | "choice"
  | "later"
  | "later-clause"
  | "head-told"
  // A heading or a lead-in speaks of all that is under it.
  | "reversed"
  | "aside"
  | "not-here"
  | "choice-title"
  | "later-title"
  | "lists-required"
  | "steps-required"
  | "loud-title"
  | "not-required-title"
  | "to-do"
  | "in-order"
  | "leads-on"
  | "leads-elsewhere"
  | "runs-listed"
  // It only shows something.
  | "example-title"
  | "template-lead"
  | "example-tag"
  | "shown"
  | "instance"
  | "question"
  // A word is the name of a skill, or not.
  | "reference"
  | "skill-word-after"
  | "skill-word-before"
  | "must-be-run"
  | "joins"
  | "and"
  | "or"
  | "set-apart"
  | "placeholder"
  | "former-skill"
  | "points-to-skill"
  | "one-word-name"
  | "program-word"
  | "goes-on"
  | "ends-name"
  | "must-here";

/** A part of a sentence, by where it stands from the name; `text` is a whole text such as a heading. */
export type Part =
  | "text"
  /** From the beginning of the sentence to the name; of that its last clause, and its last clause with commas. */
  | "before"
  | "clause"
  | "segment"
  /** From the name to the end of the sentence; of that the first clause, and up to its first comma. */
  | "after"
  | "rest"
  | "own"
  /** What follows the word that requires ("must"), as far as that reaches. */
  | "reach"
  /** What is close to the name on both sides, for languages without spaces. */
  | "near"
  /** What joins two names. */
  | "between";

/** What is known of the place of a name. */
export type Fact = "directive" | "marked" | "hyphenated";

export type Parts = { readonly [part in Part]?: string | null } & { readonly facts?: ReadonlySet<Fact> };

export interface Rule {
  /** What it means, in kebab-case; `knack graph --explain` shows it. */
  readonly id: string;
  /** `any`: a sign or a character that several languages share. */
  readonly language: "en" | "zh" | "ja" | "any";
  readonly effect: Effect;
  /** All of these parts must match. */
  readonly when: { readonly [part in Part]?: RegExp };
  /** None of these parts may match. */
  readonly unless?: { readonly [part in Part]?: RegExp };
  /** Facts that must hold. */
  readonly needs?: readonly Fact[];
  /** Markdown in which the rule finds something; without the rule one of them is read differently. */
  readonly matches: readonly string[];
  /** Markdown that looks alike, in which the rule finds nothing. */
  readonly rejects: readonly string[];
}

/** Rules of one language. */
export function rulesIn(
  language: Rule["language"],
  rules: readonly Omit<Rule, "language">[],
): readonly Rule[] {
  return rules.map((rule) => ({ ...rule, language }));
}
