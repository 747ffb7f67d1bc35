import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import { cjkClauseAfter } from "./clauses.ts";
import type { Said } from "./said.ts";

/** How far a Chinese or Japanese negation reaches. */
const NEAR = 30;

/** "do NOT invoke", "rather than", 不要 */
export function negatedBy({ clause, rest }: Said, lexicon: Lexicon): Why {
  const own = cjkClauseAfter(rest);
  const left = clause.slice(-NEAR);
  const isMust = lexicon.has("must-word", { near: left + own.slice(0, NEAR) });
  return lexicon.why("negates", { clause, rest, near: `${left} ${(isMust ? own : rest).slice(0, NEAR)}` });
}
