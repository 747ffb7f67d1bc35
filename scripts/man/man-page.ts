import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ArgumentSpec,
  type CommandSpec,
  GLOBAL_OPTIONS,
  HELP_OPTION,
  type OptionSpec,
  VERSION_OPTION,
} from "../../packages/knack/src/cli/table/command-spec.ts";
import { GROUPS } from "../../packages/knack/src/cli/table/table.ts";
import { version } from "../../packages/knack/src/version.ts";

/** Beside the commands: what no help text says. */
const EXIT_CODES = [
  ["0", "Done."],
  ["1", "It failed, or it found problems."],
  ["2", "Wrong usage."],
  ["130", "Interrupted."],
] as const;

const ENVIRONMENT = [
  ["KNACK_ROOT", "Root of the project; must be above the working directory."],
  ["KNACK_HOME", "Folder for your own configuration and state instead of ~/.knack."],
  ["KNACK_TRUST", "With the value all: trust the project for this process."],
  ["KNACK_TOKEN", "Token for knack serve and its clients."],
  ["NO_COLOR", "Print without colors."],
] as const;

const FILES = [
  [".agents/skills/, skills/, ~/.agents/skills/", "Skills, each a folder with a SKILL.md."],
  [".knack/config.yaml, ~/.knack/config.yaml", "Configuration of the project and of the user."],
  ["~/.knack/projects/*/state.db", "Runs, artifacts, evidence, tasks and the log of each project."],
] as const;

/** The manual page, from the same table as `knack --help`. */
export function manPage(): string {
  return `${[
    '.\\" Made by "npm run man" from the help texts; do not edit.',
    `.TH KNACK 1 "" "knack ${version}" "Knack Manual"`,
    ".SH NAME",
    "knack \\- the skill runtime for AI agents",
    ".SH SYNOPSIS",
    ".B knack",
    "[\\fIoptions\\fR] \\fIcommand\\fR [\\fIargument\\fR ...]",
    ".SH DESCRIPTION",
    text("Knack finds the skills on a machine, checks them, and gives them to AI agents."),
    text("Data goes to standard output, everything else to standard error."),
    ".SH OPTIONS",
    text("Every command has these options."),
    ...[...GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION].flatMap(optionLines),
    ".SH COMMANDS",
    ...GROUPS.flatMap(({ title, commands }) => [
      `.SS "${text(title.replace(/:$/, ""))}"`,
      ...commands.flatMap(commandLines),
    ]),
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(definition),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(definition),
    ".SH FILES",
    ...FILES.flatMap(definition),
  ].join("\n")}\n`;
}

function commandLines(spec: CommandSpec): string[] {
  const examples = spec.examples.replace(/^\n/, "").split("\n");
  return [
    ...usageLines(`knack ${spec.name}`, spec),
    ...(spec.commands ?? []).flatMap((inner) => usageLines(`knack ${spec.name} ${inner.name}`, inner)),
    ".RS",
    ".PP",
    "Examples:",
    ".PP",
    ".nf",
    ...examples.map((line) => text(line.replace(/^ {2}/, ""))),
    ".fi",
    ".RE",
  ];
}

function usageLines(name: string, spec: CommandSpec): string[] {
  const words = (spec.arguments ?? []).map(([word]) => ` \\fI${text(word)}\\fR`).join("");
  const inner = [...(spec.arguments ?? []).map(argumentLines), ...(spec.options ?? []).map(optionLines)];
  return [
    ".TP",
    `\\fB${text(name)}\\fR${words}${spec.options ? " [\\fIoptions\\fR]" : ""}`,
    text(spec.description),
    ...(inner.length > 0 ? [".RS", ...inner.flat(), ".RE"] : []),
  ];
}

const argumentLines = ([name, description]: ArgumentSpec): string[] => [
  ".TP",
  `\\fI${text(name)}\\fR`,
  text(description),
];

function optionLines({ flags, description, choices, default: value }: OptionSpec): string[] {
  const notes = [
    ...(choices ? [` (choices: ${choices.join(", ")})`] : []),
    ...(value === undefined ? [] : [` (default: ${value})`]),
  ];
  return [".TP", `\\fB${text(flags)}\\fR`, text(description + notes.join(""))];
}

const definition = ([name, description]: readonly [string, string]): string[] => [
  ".TP",
  `\\fB${text(name)}\\fR`,
  text(description),
];

/** Text for roff: its own signs are written out, and no line of text is read as a request. */
function text(line: string): string {
  return line
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replace(/^\./, "\\&.");
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, "../../packages/knack/man/knack.1"), manPage());
