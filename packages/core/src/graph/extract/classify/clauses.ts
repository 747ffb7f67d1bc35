/** Where a thought begins and ends around a name. */

const CLAUSE_END =
  /[;|；(（]|—|–|\s-\s|→|[:：](?=\s)|[，]|,\s+(?=(?:but|instead|use|run|invoke|load|call|see|always|never|do not|don't|you must)\b)/gi;

/** From the last place where a new thought begins. A list with commas is one thought. */
export function clauseBefore(before: string): string {
  let from = 0;
  for (const { index, 0: end } of before.matchAll(CLAUSE_END)) from = index + end.length;
  return before.slice(from);
}

/** From the last end of a thought that no comma or colon makes. */
export function segmentBefore(before: string): string {
  let from = 0;
  for (const { index } of before.matchAll(/[;；|，]|—|\s-\s/g)) from = index + 1;
  return before.slice(from);
}

export function clauseAfter(after: string): string {
  return /^[^;|；]*/.exec(after)?.[0] ?? "";
}

/** Up to the first comma. */
export function upToComma(text: string): string {
  return /^[^，,；;]*/.exec(text)?.[0] ?? "";
}

/** Without what stands between commas inside of a clause: "must, when in doubt, use". */
export function withoutAsides(clause: string): string {
  return clause.replaceAll(
    /,\s*(?:before|when|if|after|while|in|at|on|for|under|without|regardless|whatever|however|as|by)\b[^,]*,/gi,
    " ",
  );
}

/** A Japanese clause ends in a verb: "…を使い、". */
const VERB_END = /(?<=[いてしりみきちぎ])、/;

/** The last Japanese or Chinese clause; what stands before an open bracket is not said of what is in it. */
export function cjkClauseBefore(before: string): string {
  const segment = segmentBefore(before);
  const open = /[(（]([^()（）]*)$/.exec(segment)?.[1] ?? segment;
  return open.split(VERB_END).at(-1) ?? "";
}

/** The first Japanese or Chinese clause: "必ず x を使い、y は使わない" says something else of y. */
export function cjkClauseAfter(rest: string): string {
  return /^.*?(?:[，]|(?<=[いてしりみきちぎ])、)/.exec(rest)?.[0] ?? rest;
}
