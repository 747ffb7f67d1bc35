/** The effect of a rule on the text that it matches. */
export type Effect =
  // The sentence says to use the skill.
  | "directs"
  | "directs-after"
  | "hands-over"
  | "by-means-of"
  | "means"
  // The sentence requires the skill.
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
  // The sentence does not require the skill, or not now, or not only this one.
  | "negates"
  | "condition"
  | "optional"
  | "choice"
  | "later"
  | "later-clause"
  | "head-told"
  // A heading or a lead-in applies to everything below it.
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
  // The text is only an example.
  | "example-title"
  | "template-lead"
  | "example-tag"
  | "shown"
  | "instance"
  | "question"
  // A word is the name of a skill, or is not.
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

/** A part of a sentence, relative to the name; `text` is a whole text such as a heading. */
export type Part =
  | "text"
  /** From the start of the sentence to the name; its last clause; its last clause with commas. */
  | "before"
  | "clause"
  | "segment"
  /** From the name to the end of the sentence; its first clause; up to its first comma. */
  | "after"
  | "rest"
  | "own"
  /** What follows the modal ("must"), within its reach. */
  | "reach"
  /** The text close to the name on both sides, for languages without spaces. */
  | "near"
  /** The text between two names. */
  | "between";

/** Facts about the position of a name. */
export type Fact = "directive" | "marked" | "hyphenated";

export type Parts = { readonly [part in Part]?: string | null } & { readonly facts?: ReadonlySet<Fact> };

export interface Rule {
  /** A meaningful id in kebab-case; `knack graph --explain` shows it. */
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
  /** Markdown that the rule matches; without the rule at least one of them would be read differently. */
  readonly matches: readonly string[];
  /** Similar Markdown that the rule does not match. */
  readonly rejects: readonly string[];
}

/** Rules of one language. */
export function rulesIn(
  language: Rule["language"],
  rules: readonly Omit<Rule, "language">[],
): readonly Rule[] {
  return rules.map((rule) => ({ ...rule, language }));
}
