import { span } from "@knack/core/telemetry";
import { type Command, Option } from "commander";
import { type CommandSpec, HELP_COMMAND, type OptionSpec } from "./table/command-spec.ts";
import { type Action, type CommandName, GROUPS } from "./table/table.ts";

/** Loaded when the command is called, so that no command pays for the others. */
const ACTIONS: { readonly [N in CommandName]: () => Promise<Action<N>> } = {
  list: () => import("./skills.ts").then(({ list }) => list),
  search: () => import("./skills.ts").then(({ search }) => search),
  tui: () => import("../tui/tui.ts").then(({ tui }) => tui),
  show: () => import("./skills.ts").then(({ show }) => show),
  load: () => import("./use.ts").then(({ load }) => load),
  context: () => import("./use.ts").then(({ context }) => context),
  new: () => import("./new.ts").then(({ newSkill }) => newSkill),
  validate: () => import("./validate.ts").then(({ validate }) => validate),
  lint: () => import("./lint.ts").then(({ lint }) => lint),
  eval: () => import("./eval.ts").then(({ evaluate }) => evaluate),
  add: () => import("../install/add.ts").then(({ add }) => add),
  update: () => import("../install/update.ts").then(({ update }) => update),
  outdated: () => import("../install/update.ts").then(({ outdated }) => outdated),
  remove: () => import("../install/remove.ts").then(({ remove }) => remove),
  lock: () => import("./lock.ts").then(({ lock }) => lock),
  verify: () => import("./lock.ts").then(({ verify }) => verify),
  diff: () => import("./lock.ts").then(({ diff }) => diff),
  setup: () => import("../setup/setup.ts").then(({ setup }) => setup),
  mcp: () => import("../mcp/stdio.ts").then(({ mcp }) => mcp),
  // With global options in front; usually `program.ts` calls it before any word can be wrong.
  hook: async () => {
    const { hook } = await import("../hook/hook.ts");
    return (event, { client }) => hook([event, "--client", client]);
  },
  serve: () => import("../http/serve.ts").then(({ serve }) => serve),
  open: () => import("../http/open.ts").then(({ open }) => open),
  rpc: () => import("../rpc/serve.ts").then(({ rpc }) => rpc),
  shell: () => import("./use.ts").then(({ shell }) => shell),
  route: () => import("./dispatch.ts").then(({ route }) => route),
  dispatch: () => import("./dispatch.ts").then(({ dispatch }) => dispatch),
  orchestrate: () => import("./dispatch.ts").then(({ orchestrate }) => orchestrate),
  graph: () => import("./graph.ts").then(({ graph }) => graph),
  trust: () => import("./policy.ts").then(({ trust }) => trust),
  allow: () => import("./policy.ts").then(({ allow }) => allow),
  deny: () => import("./policy.ts").then(({ deny }) => deny),
  enable: () => import("./policy.ts").then(({ enable }) => enable),
  disable: () => import("./policy.ts").then(({ disable }) => disable),
  "gate test": () => import("./gate.ts").then(({ testGate }) => testGate),
  "token add": () => import("./policy.ts").then(({ addToken }) => addToken),
  "token list": () => import("./policy.ts").then(({ listTokens }) => listTokens),
  "token revoke": () => import("./policy.ts").then(({ revokeToken }) => revokeToken),
  doctor: () => import("./doctor.ts").then(({ doctor }) => doctor),
  completion: () => import("./completion.ts").then(({ completion }) => completion),
  registry: () => import("./runs.ts").then(({ registry }) => registry),
  run: () => import("./run-with-guest.ts").then(({ runWithGuest }) => runWithGuest),
  runs: () => import("./runs.ts").then(({ runs }) => runs),
  "runs show": () => import("./runs.ts").then(({ showRun }) => showRun),
  "plan apply": () => import("./plan.ts").then(({ planApply }) => planApply),
  "plan status": () => import("./plan.ts").then(({ showPlanStatus }) => showPlanStatus),
  "plan run": () => import("./plan.ts").then(({ planRun }) => planRun),
  worker: () => import("./queue.ts").then(({ worker }) => worker),
  queue: () => import("./queue.ts").then(({ queue }) => queue),
  "queue retry": () => import("./queue.ts").then(({ queueRetry }) => queueRetry),
  "queue cancel": () => import("./queue.ts").then(({ queueCancel }) => queueCancel),
  "evidence add": () => import("./plan.ts").then(({ addEvidence }) => addEvidence),
  log: () => import("./log.ts").then(({ log }) => log),
  audit: () => import("./store.ts").then(({ audit }) => audit),
  "audit verify": () => import("./store.ts").then(({ auditVerify }) => auditVerify),
  "audit export": () => import("./store.ts").then(({ auditExport }) => auditExport),
  "store migrate": () => import("./store.ts").then(({ storeMigrate }) => storeMigrate),
  "store gc": () => import("./store.ts").then(({ storeGc }) => storeGc),
};

/** These serve until they are stopped: each of their requests is a trace, not all of them together. */
const LASTING = new Set(["mcp", "rpc", "serve", "shell", "tui", "worker"]);

/** A command as a span, by its name in the table: its arguments could be anything. */
async function tracedCommand(name: string, work: () => Promise<unknown>): Promise<unknown> {
  if (LASTING.has(name)) return work();
  return span(`knack ${name}`, { "knack.command": name }, async (traced) => {
    await work();
    const code = Number(process.exitCode ?? 0);
    traced.set({ "process.exit.code": code });
    if (code !== 0) traced.fail(`EXIT_${code}`);
  });
}

export function addCommand(program: Command, spec: CommandSpec): Command {
  const command = declare(program, spec).addHelpText("after", `\nExamples:${spec.examples}`);
  for (const subcommand of spec.commands ?? []) declare(command, subcommand);
  return command;
}

function declare(parent: Command, spec: CommandSpec): Command {
  const command = parent.command(spec.name).description(spec.description);
  for (const [name, description] of spec.arguments ?? []) command.argument(name, description);
  for (const option of spec.options ?? []) command.addOption(optionOf(option));
  const name = parent.parent ? `${parent.name()} ${spec.name}` : spec.name;
  return Object.hasOwn(ACTIONS, name) ? command.action(actionOf(name as CommandName)) : command;
}

export function optionOf(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.description);
  if (spec.choices) option.choices(spec.choices);
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.isList) option.argParser(collect);
  const { parse } = spec;
  if (parse) option.argParser((given) => parse(given, option.long ?? spec.flags));
  return option.makeOptionMandatory(spec.isRequired === true);
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

function actionOf(name: CommandName): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const self = given.at(-1) as Command;
    const action = (await ACTIONS[name]()) as (...given: unknown[]) => unknown;
    await tracedCommand(name, async () => action(...given.slice(0, -2), self.optsWithGlobals()));
  };
}

const STARTS = `
Start here:
  knack list                         # the skills here
  knack setup claude                 # set up your agent
  knack help <command>               # options and examples`;

/** Adds every command, in its group for `knack --help`, and `knack help` to the last group. */
export function addAllCommands(program: Command): void {
  for (const { title, commands } of GROUPS)
    for (const spec of commands) addCommand(program, spec).helpGroup(title).summary(spec.summary);
  program
    .helpCommand(false)
    .command(`${HELP_COMMAND.name} ${HELP_COMMAND.argument[0]}`)
    .summary(HELP_COMMAND.summary)
    .helpGroup(GROUPS.at(-1)?.title ?? "")
    .action(async (name: string | undefined) => {
      const named = program.commands.find((command) => command.name() === name);
      // An unknown name gets the same message as without "help", with the nearest command.
      if (name !== undefined && !named) await program.parseAsync([name], { from: "user" });
      (named ?? program).help();
    });
  program.configureHelp({ ...program.configureHelp(), subcommandTerm: termOf }).addHelpText("after", STARTS);
}

/** A command with its arguments. "[options]" is omitted: nearly all have some. */
function termOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? "…" : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(" ");
}
