import type { Command } from "commander";

/** The commands as `knack --help` lists them: by what a person wants, and a few words for each. */
const OVERVIEW: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Find and read skills:": {
    list: "every skill that can be used here",
    search: "the skills that fit some words, best first",
    tui: "pick one at the terminal: search as you type, preview",
    show: "one skill: metadata, files, edges, what is wrong",
    load: "the text of a skill, as an agent would get it",
    context: "the list of skills for a model's system prompt",
  },
  "Give them to an agent:": {
    mcp: "an MCP server; --print-config says what to paste where",
    serve: "HTTP on this machine: MCP at /mcp, a JSON API at /api",
    rpc: "JSON-RPC on standard input and output",
    shell: "a prompt for the slash commands",
  },
  "Hand work to a skill:": {
    route: "which role and skill a request goes to, and why",
    dispatch: "hand a task to a skill in a role, to a runner",
    orchestrate: "route a request, then dispatch it",
    graph: "which skill needs which; cycles, missing skills",
  },
  "Write skills:": {
    new: "start a valid skill",
    validate: "check skills; exit code 1 if one is invalid",
    eval: "do the prompts that authors wrote find their skills?",
  },
  "Say what may be used:": {
    trust: "let agents have this project's skills, its code run",
    allow: "let models load a skill without a question",
    deny: "let nobody load a skill",
    enable: "switch a skill on again",
    disable: "switch a skill off: in no list and no search",
  },
  "Run typed skills:": {
    registry: "the typed skills and their contracts",
    run: "run one, once per input",
    runs: "what was run; runs show <id>",
    plan: "tasks that wait for each other: apply, status, run",
    evidence: "give a file or your word for a task's requirement",
    audit: "the log of what was done: verify, export",
  },
  "See what is wrong:": {
    doctor: "what is where, what is wrong, and what to do",
    help: "what a command does, with examples",
  },
};

const STARTS = `
Start here:
  knack list                         # what there is
  knack mcp --print-config claude    # all of it for your agent
  knack help <command>               # options and examples`;

/** Puts the commands into their order and groups for `knack --help`, and adds `knack help`. */
export function addOverview(program: Command): void {
  program
    .helpCommand(false)
    .command("help [command]")
    .action(async (name: string | undefined) => {
      const named = program.commands.find((command) => command.name() === name);
      // What is no command is told as it is without "help", with the nearest one.
      if (name !== undefined && !named) await program.parseAsync([name], { from: "user" });
      (named ?? program).help();
    });
  const places = Object.entries(OVERVIEW).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, summary]) => ({ name, group, summary })),
  );
  const placeOf = (command: Command): number => places.findIndex(({ name }) => name === command.name());
  for (const command of program.commands) {
    const place = places[placeOf(command)];
    if (place) command.helpGroup(place.group).summary(place.summary);
  }
  // Groups stand in the order of their first commands, which are declared in another.
  (program.commands as Command[]).sort((a, b) => placeOf(a) - placeOf(b));
  program.configureHelp({ ...program.configureHelp(), subcommandTerm: termOf }).addHelpText("after", STARTS);
}

/** A command with its arguments; that most have options says nothing. */
function termOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? "…" : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(" ");
}
