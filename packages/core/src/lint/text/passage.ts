/** What the words around a place say of it. Each lowers a finding to a note; none removes it. */
export interface Stance {
  /** It is an example of what an attacker does, or of what to look for. */
  readonly describes: boolean;
  /** It says not to do it. */
  readonly negates: boolean;
  /** The user is asked first, or does it. */
  readonly consents: boolean;
}

/** One unit that a rule reads: a sentence, a command with its continuation lines, or a comment that a reader does not see. */
export interface Passage {
  readonly kind: "prose" | "code" | "comment";
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Of the words before it: heading, introducing line, comment above. Its own words are judged with the match. */
  readonly around: Stance;
}

/** Commands that belong together: a fenced block, or a whole script. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  readonly around: Stance;
}

export interface LintText {
  /** Path in the skill's folder, with slashes. */
  readonly file: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly isMarkdown: boolean;
  readonly passages: readonly Passage[];
  readonly blocks: readonly Block[];
}

export const PLAIN: Stance = { describes: false, negates: false, consents: false };
