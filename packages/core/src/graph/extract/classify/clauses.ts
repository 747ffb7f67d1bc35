/** Where a clause begins and ends around a name. */

const CLAUSE_END =
  /[;|；(（]|—|–|\s-\s|→|[:：](?=\s)|[，]|,\s+(?=(?:but|instead|use|run|invoke|load|call|see|always|never|do not|don't|you must)\b)/gi;

/** From the last start of a clause. A list with commas is one clause. */
export function clauseBefore(before: string): string {
  let from = 0;
  for (const { index, 0: end } of before.matchAll(CLAUSE_END)) from = index + end.length;
  return before.slice(from);
}

/** From the last end of a clause, not counting commas and colons. */
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

/** Removes asides between commas: "must, when in doubt, use". */
export function withoutAsides(clause: string): string {
  return clause.replaceAll(
    /,\s*(?:before|when|if|after|while|in|at|on|for|under|without|regardless|whatever|however|as|by)\b[^,]*,/gi,
    " ",
  );
}

/** A Japanese clause ends in a verb: "…を使い、". */
const VERB_END = /(?<=[いてしりみきちぎ])、/;

/** The last Japanese or Chinese clause; text before an open bracket does not apply to what is in it. */
export function cjkClauseBefore(before: string): string {
  const segment = segmentBefore(before);
  const open = /[(（]([^()（）]*)$/.exec(segment)?.[1] ?? segment;
  return open.split(VERB_END).at(-1) ?? "";
}

/** The first Japanese or Chinese clause: in "必ず x を使い、y は使わない" the second clause is only about y. */
export function cjkClauseAfter(rest: string): string {
  return /^.*?(?:[，]|(?<=[いてしりみきちぎ])、)/.exec(rest)?.[0] ?? rest;
}
