import { createInterface } from "node:readline";
import type { Envelope, Session } from "@knack/core";
import { renderCatalogBlock } from "@knack/core/session";
import { openHost } from "../host/host.ts";
import { openProject, withProject } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import { isTerminal, note, noteError, paintNote, printJson, printText, remark } from "../terminal/output.ts";
import { pluralize } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

/** Prints a tool's answer: the envelope as JSON, or its text, a refusal to standard error. Answers whether it worked. */
function tellEnvelope(envelope: Envelope, options: GlobalOptions): boolean {
  const { error, text } = envelope;
  if (options.json) printJson(envelope);
  else if (error) noteError(error.message);
  else printText(text);
  return error === undefined;
}

/** Prints what an agent would get. The person who types has decided, so nobody is asked; a deny holds all the same. */
export async function load(given: string, options: CommandOptions<"load">): Promise<void> {
  await withProject(options, async (project) => {
    const runtime = await project.runtime({ offersProject: true });
    const params = { name: given, args: options.args ?? "" };
    const how = { actor: "person", readsOnly: true } as const;
    if (!tellEnvelope(await runtime.session().call("skill_load", params, how), options)) process.exitCode = 1;
  });
}

export async function context(options: GlobalOptions): Promise<void> {
  const runtime = await openProject(options).runtime();
  const session = runtime.session();
  const text = session.systemPrompt();
  const bytes = Buffer.byteLength(text);
  const { initial } = runtime.catalog.config.skills;
  const { shown, total, truncated } = renderCatalogBlock(session.offered, initial);
  if (options.json) return printJson({ context: text, skills: total, listed: shown, truncated, bytes });
  printText(text);
  const cut = truncated ? ", shortened to its budget (skills.initial)" : "";
  remark(`${shown} of ${pluralize(total, "skill")}, ${pluralize(bytes, "byte")}${cut}`);
}

/** A prompt for the slash commands; a pipe is read to its end, and then a command that failed is the exit code. */
export async function shell(options: GlobalOptions): Promise<void> {
  const host = await openHost(options, "shell", { isServer: true });
  const session = host.runtime.session();
  const isPerson = isTerminal(0) && isTerminal(2);
  const lines = createInterface({
    input: process.stdin,
    ...(isPerson ? { output: process.stderr, prompt: paintNote("bold", "knack> ") } : {}),
    completer: (line: string) => complete(line, session),
  });
  let interrupted = false;
  lines.on("SIGINT", () => {
    interrupted = true;
    lines.close();
  });
  if (isPerson) {
    note(
      "Slash commands: /skills, /skill <name> [args], /help [skill], /reload_skills, /agent <role>. Ctrl-D ends.",
    );
    lines.prompt();
  }
  let failed = false;
  for await (const line of lines) {
    if (line.trim() !== "" && !(await run(line, session, options))) failed = true;
    if (isPerson) lines.prompt();
  }
  await host.close();
  if (interrupted) process.exitCode = 130;
  else if (failed && !isPerson) process.exitCode = 1;
}

async function run(line: string, session: Session, options: GlobalOptions): Promise<boolean> {
  const { envelope, text } = await session.input(line);
  if (envelope) return tellEnvelope(envelope, options);
  // There is no model here to give it to.
  if (options.json) printJson({ to: "model", text });
  else note("This is a message for a model, but there is no model here. /skills lists the skills.");
  return true;
}

/** Tab completes a command, and after `/skill` and `/help` a name. */
function complete(line: string, session: Session): [string[], string] {
  const { skills } = session.catalog;
  const named = /^\/(?:skill|help) (\S*)$/.exec(line)?.[1];
  if (named !== undefined)
    return [skills.map(({ name }) => name).filter((name) => name.startsWith(named)), named];
  const own = skills.flatMap(({ command }) => (command === undefined ? [] : [`/${command}`]));
  const commands = ["/skills", "/skill", "/help", "/reload_skills", "/agent", ...own];
  return [commands.filter((command) => command.startsWith(line)), line];
}
