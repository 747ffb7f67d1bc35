import type { Command } from "commander";

/** The commands as `knack --help` lists them: by what a person wants, and a few words for each. */
const OVERVIEW: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Find and read skills:": {
    list: "List the skills that can be used here",
    search: "Search skills, best match first",
    tui: "Pick a skill in the terminal: search as you type",
    show: "Show one skill: metadata, files, edges, problems",
    load: "Print the text of a skill, as an agent gets it",
    context: "Print the skill list for a system prompt",
  },
  "Give skills to an agent:": {
    mcp: "Serve MCP; --print-config shows how to set it up",
    serve: "Serve HTTP: MCP at /mcp, a JSON API at /api",
    rpc: "Serve JSON-RPC on standard input and output",
    shell: "Run slash commands at a prompt",
  },
  "Give work to a skill:": {
    route: "Show which role and skill a request goes to, and why",
    dispatch: "Dispatch a task to a skill in a role",
    orchestrate: "Route a request, then dispatch it",
    graph: "Show which skill needs which, cycles, missing skills",
  },
  "Write skills:": {
    new: "Create a valid skill",
    validate: "Check skills; exit code 1 if one is invalid",
    eval: "Run trigger tests: do prompts find the right skill?",
  },
  "Control what may be used:": {
    trust: "Let agents use this project's skills, let its code run",
    allow: "Let models load a skill without asking",
    deny: "Forbid everyone to load a skill",
    enable: "Enable a disabled skill",
    disable: "Disable a skill: hide it from lists and searches",
  },
  "Run typed skills:": {
    registry: "Show the typed skills and their contracts",
    run: "Run a typed skill, or return its cached result",
    runs: "Show the history of runs; runs show <id>",
    plan: "Apply, inspect and run a plan of tasks",
    evidence: "Attach a file or a confirmation to a task requirement",
    audit: "Show the event log; audit verify, audit export",
  },
  "Find problems:": {
    doctor: "Check the setup and show how to fix problems",
    help: "Show what a command does, with examples",
  },
};

const STARTS = `
Start here:
  knack list                         # the skills here
  knack mcp --print-config claude    # set up your agent
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
