import {
  GLOBAL_OPTIONS,
  HELP_OPTION,
  type OptionSpec,
} from "../../packages/knack/src/cli/table/command-spec.ts";
import { COMMANDS } from "../../packages/knack/src/cli/table/table.ts";

/** Every `knack …` in the commands and in the inline code of a page, up to what a shell would not pass on. */
export function knackLines(page: string): string[] {
  const blocks = [...page.matchAll(/^```(?:sh|console)\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  const indented = [...page.matchAll(/^ {4}.+$/gm)].map(([line]) => line);
  const inline = [...page.replaceAll(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, code = ""]) => code,
  );
  // `-u knack` is the user.
  return [...blocks, ...indented, ...inline].flatMap((text) =>
    [
      ...text
        .replaceAll(/"?\$\((?!knack )[^)]*\)"?/g, "value")
        .matchAll(/(?<![\w./@:-]|-[ugo] )knack (?=[a-z])([^\n|;&>)]*)/g),
    ].map(([, rest = ""]) => rest.replace(/\s#.*/, "").trim()),
  );
}

/** What is wrong with the arguments of `knack`; `undefined` if the command table has all of them. */
export function faultOf(args: readonly string[]): string | undefined {
  const [name, ...rest] = args;
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) return `there is no command ${name}`;
  const below = command.commands?.find((one) => one.name === rest[0]);
  if (!below && command.commands && !command.options) return `${name} has no subcommand ${rest[0]}`;
  const known = [...(below?.options ?? command.options ?? []), ...GLOBAL_OPTIONS, HELP_OPTION];
  for (const [place, given] of rest.entries()) {
    if (!given.startsWith("-")) continue;
    const [flag = "", value] = given.split("=");
    const option = known.find(({ flags }) => flags.split(/[ ,]+/).includes(flag));
    if (!option) return `${name} has no option ${flag}`;
    if (needsValue(option) && value === undefined && rest[place + 1] === undefined)
      return `${flag} needs a value`;
    const chosen = value ?? rest[place + 1] ?? "";
    if (option.choices && !option.choices.includes(chosen)) return `${flag} cannot be ${chosen}`;
  }
  return undefined;
}

function needsValue({ flags }: OptionSpec): boolean {
  return flags.includes("<");
}
