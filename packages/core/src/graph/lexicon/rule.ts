/** The sentence says to use the skill. */
type Directs = "directs" | "directs-after" | "hands-over" | "by-means-of" | "means";

/** The sentence requires the skill: by its words, by "must", in an item or a row, in Chinese or Japanese. */
type Requires = "requires" | "label" | "label-of-case" | "it-is-required" | "needs-pass" | "insists";
/** The sentence says the type itself. */
type Types = "typed-now" | "typed-later" | "typed-reference";
type Modal = "modal" | "weak-modal" | "doubt" | "ends-modal";
type Listed = "requires-head" | "head-role" | "required-cell" | "required-column" | "yes";
type Cjk = "must-word" | "use-word" | "explains" | "before-using";

/** The sentence does not require the skill, or not now, or not only this one. */
type Weakens = "negates" | "condition" | "optional" | "choice" | "later" | "later-clause" | "head-told";

/** A heading or a lead-in applies to everything below it. */
type Title = "reversed" | "aside" | "not-here" | "choice-title" | "later-title";
type RequiringTitle = "lists-required" | "steps-required" | "loud-title" | "not-required-title" | "to-do";
type LeadIn = "in-order" | "leads-on" | "leads-elsewhere" | "runs-listed";

/** The text is only an example. */
type Example = "example-title" | "template-lead" | "example-tag" | "shown" | "instance" | "question";

/** A word is the name of a skill, or is not; two names belong together, or do not. */
type Reference = "reference" | "skill-word-after" | "skill-word-before" | "must-be-run" | "points-to-skill";
type Word = "placeholder" | "former-skill" | "one-word-name" | "program-word" | "goes-on" | "must-here";
type Joins = "joins" | "and" | "or" | "set-apart";

export type Effect =
  | (Directs | Requires | Types | Modal | Listed | Cjk | Weakens)
  | (Title | RequiringTitle | LeadIn | Example | Reference | Word | Joins);

/** A part of a sentence, relative to the name; `text` is a whole text such as a heading. */
export type SentencePart =
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

export type Fact = "directive" | "marked" | "hyphenated";

export type Parts = { readonly [part in SentencePart]?: string | null } & {
  readonly facts?: ReadonlySet<Fact>;
};

type Patterns = { readonly [part in SentencePart]?: RegExp };

export interface Rule {
  /** A meaningful id in kebab-case; `knack graph --explain` shows it. */
  readonly id: string;
  readonly effect: Effect;
  readonly when: Patterns;
  readonly unless?: Patterns | undefined;
  readonly needs?: readonly Fact[] | undefined;
}

/** `test/edges/rules.txt` has sentences that each rule matches, and similar ones that it does not. */
export function rule(
  id: string,
  effect: Effect,
  { unless, needs, ...when }: Patterns & Pick<Rule, "unless" | "needs">,
): Rule {
  return { id, effect, when, unless, needs };
}

type Piece = string | readonly string[];

/** Source of a pattern, for use in others: lists become alternatives. */
export function piece(text: TemplateStringsArray, ...pieces: readonly Piece[]): string {
  return String.raw(text, ...pieces.map((one) => (typeof one === "string" ? one : `(?:${one.join("|")})`)));
}

export function re(text: TemplateStringsArray, ...pieces: readonly Piece[]): RegExp {
  return new RegExp(piece(text, ...pieces), "i");
}

/** A case-sensitive pattern: "MUST" is stronger than "must". */
export function exact(text: TemplateStringsArray, ...pieces: readonly Piece[]): RegExp {
  return new RegExp(piece(text, ...pieces));
}

/** Between a verb and the name: quotation marks, a slash, a namespace. */
export const OPENING = piece`(?:skill\s?[:=]\s?)?["'“‘「『(\[\/*]{0,3}(?:[A-Za-z][\w.-]{0,60}:)?`;
const CLOSING = "[\"'”’」』`)\\]]{0,2}";
/** Closing marks and the word "skill" after a name, in Japanese and Chinese. */
export const CJK_NAME = piece`${CLOSING}\s?(?:スキル|技能)?\s?`;
/** The start of a heading or an item, with its number or sign. */
export const START = piece`^[\s\W\d]*`;

export const REQUIRED = ["required", "mandatory"];
export const USE = ["use", "run", "invoke", "load", "call", "follow", "apply", "read"];
export const USED = ["used", "run", "invoked", "loaded", "called", "followed"];
