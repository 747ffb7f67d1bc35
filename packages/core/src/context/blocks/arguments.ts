import { SkillError } from "../../shared/errors.ts";

/**
 * `$ARGUMENTS`, and neither a longer name (`$ARGUMENTS_FILE`) nor one argument of several (`$ARGUMENTS[0]`, which other
 * agents know). Letters beyond ASCII do not make a longer name: `$ARGUMENTSを読む` has no space after it.
 */
const PLACEHOLDER = /\$ARGUMENTS(?![A-Za-z0-9_]|\[[0-9])/g;

/** A body full of placeholders and long arguments would be more than memory holds; no model reads as much as this. */
const MAX_ADDED = 8 * 1024 * 1024;

/**
 * A skill's body with its arguments, document 001: literally in place of every `$ARGUMENTS`, else as a last section. One
 * pass, so that nothing in the arguments is read as a placeholder. `$1`, `$0` and the like belong to the code they are in.
 */
export function applyArguments(body: string, args: string): string {
  const places = body.match(PLACEHOLDER)?.length ?? 0;
  if (places > 0) {
    if (places * args.length > MAX_ADDED) throw tooLong(places, args);
    return body.replace(PLACEHOLDER, () => args);
  }
  if (args === "") return body;
  const text = withoutLastLineEnds(body);
  return `${text}${text === "" ? "" : "\n\n"}ARGUMENTS: ${args}`;
}

function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end--;
  return text.slice(0, end);
}

function tooLong(places: number, args: string): SkillError {
  return new SkillError(
    "INVALID_PARAM",
    `The skill has $ARGUMENTS in ${places} places, too many for arguments of ${args.length} characters; give shorter arguments.`,
  );
}
