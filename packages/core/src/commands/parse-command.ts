/** A line that begins with a slash: the command's name and the rest, as it was written. */
export interface CommandLine {
  readonly name: string;
  readonly args: string;
}

/** `undefined` if the line is not a command. Quotes and inner spaces of the arguments are kept. */
export function parseCommand(input: string): CommandLine | undefined {
  const line = input.trim();
  if (!line.startsWith("/")) return undefined;
  const { first, rest } = splitFirst(line.slice(1));
  return { name: first, args: rest };
}

/** The first word and what follows it. */
export function splitFirst(text: string): { readonly first: string; readonly rest: string } {
  const end = text.search(/\s/);
  return end === -1 ? { first: text, rest: "" } : { first: text.slice(0, end), rest: text.slice(end).trim() };
}
