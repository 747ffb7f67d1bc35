import type { Lexicon } from "../lexicon/lexicon.ts";

export interface Reach {
  readonly rule: string;
  /** What follows the word. */
  readonly text: string;
}

/** What follows the last requiring word ("must", "always") of a text, within its reach. */
export function reachOfModal(text: string, lexicon: Lexicon): Reach | null {
  const modal = lexicon.last("modal", text);
  // "if you have to use x" is only a possibility.
  const weak = lexicon.last("weak-modal", text, (before) => !lexicon.says("doubt", before));
  const last = !modal || (weak && weak.match.index > modal.match.index) ? weak : modal;
  if (!last) return null;
  const reach = text.slice(last.match.index + last.match[0].length);
  if (lexicon.says("ends-modal", reach.replace(/[:：]\W*$/, ""))) return null;
  return { rule: last.rule.id, text: reach };
}
