import { resolve } from "node:path";
import { type Dispatched, isTrusted, type Refusal, type Runner, SkillError, ToolError } from "@knack/core";
import { findProject, homeFolder, loadConfig, writeWhole } from "@knack/core/internal";
import { findRunner, hasFailed, isRefusal } from "@knack/core/internal/dispatch";
import { type DispatchFlags, readRequest, readTimeout } from "./dispatch-request.ts";
import { interruptible } from "./interruptible.ts";
import { openRuntime } from "./open-runtime.ts";
import { note, painter, passOn, print, printJson, terminalWidth } from "./output.ts";
import { visible, visibleText } from "./visible.ts";

/** One dispatch. What a runner prints is passed on as it comes; under `--json` to standard error. */
export async function dispatch(flags: DispatchFlags, more: { readonly route?: object } = {}): Promise<void> {
  const runnerMs = readTimeout(flags);
  const runner = await runnerOf(flags);
  // A person reads what they like; a runner gets an untrusted project's skills never.
  const runtime = await openRuntime(flags, runner ? {} : { offersProject: true });
  const request = readRequest(flags, runtime.catalog);
  const unread = new AbortController();
  const interrupted = interruptible();
  const signal = AbortSignal.any([interrupted, unread.signal]);
  const outcome = await runtime
    .session()
    .dispatch(request, {
      actor: "person",
      signal,
      runner,
      limits: runnerMs === undefined ? {} : { runnerMs },
      onOutput: (stream, bytes) => {
        if (!passOn(stream === "stderr" || flags.json ? 2 : 1, bytes)) unread.abort();
      },
    })
    .catch((error: unknown) => {
      if (unread.signal.aborted || interrupted.aborted) return null;
      throw toSkillError(error);
    });
  if (outcome === null) {
    process.exitCode = interrupted.aborted ? 130 : 0;
    return;
  }
  if (isRefusal(outcome)) {
    tellRefusal(outcome, flags);
    return;
  }
  if (flags.outputFile !== undefined) writeFrame(outcome.frame, resolve(flags.cwd ?? ".", flags.outputFile));
  for (const refusal of outcome.refusals) note(`refused: ${lineOf(refusal)}`);
  if (outcome.runner === null) tellFrame(outcome, flags, more);
  else tellTree(outcome, flags, more);
}

async function runnerOf(flags: DispatchFlags): Promise<Runner | undefined> {
  const env = process.env;
  const home = homeFolder(env);
  const projectRoot = findProject({ cwd: flags.cwd ?? process.cwd(), home, env });
  const trusted = isTrusted(projectRoot, { env, home });
  const { config } = await loadConfig({ projectRoot, home, env, trusted });
  const runner = findRunner({ name: flags.runner, command: flags.runnerCmd }, config.runners);
  return flags.dryRun ? undefined : runner;
}

function tellRefusal(refusal: Refusal, flags: DispatchFlags): void {
  process.exitCode = 1;
  if (flags.json) printJson({ error: refusal });
  else note(`${painter(flags, 2)("red", "error:")} ${lineOf(refusal)}`);
}

function lineOf({
  code,
  message,
  current_skill,
  target_skill,
  depth,
  skill_stack,
  request_id,
}: Refusal): string {
  const from = current_skill === null ? "the outermost request" : current_skill;
  const where = `${from} → ${target_skill}, depth ${depth}, stack ${skill_stack.join(" > ") || "empty"}, ${request_id}`;
  return visible(`${code}: ${message} (${where})`);
}

function tellFrame({ header, frame, files }: Dispatched, flags: DispatchFlags, more: object): void {
  if (flags.json) printJson({ ...more, header, frame, files });
  else if (flags.outputFile !== undefined) note(`The frame is in ${visible(flags.outputFile)}.`);
  // A program gets the bytes that a model would get; a terminal gets nothing that steers it.
  else print(terminalWidth() === undefined ? frame : visibleText(frame));
}

function tellTree(tree: Dispatched, flags: DispatchFlags, more: object): void {
  for (const { header, runner } of flatten(tree)) {
    if (!runner || !hasFailed(runner)) continue;
    process.exitCode = 1;
    const { exit_code, signal, timed_out, error } = runner;
    const why =
      error ??
      (timed_out ? "its time was up" : signal ? `it was ended by ${signal}` : `exit code ${exit_code}`);
    note(`${painter(flags, 2)("red", "failed:")} ${visible(`${header.identity.current_skill}: ${why}`)}`);
  }
  if (flags.json) printJson({ ...more, ...reportOf(tree) });
}

function flatten(tree: Dispatched): Dispatched[] {
  return [tree, ...tree.children.flatMap(flatten)];
}

function reportOf({ header, runner, children, refusals }: Dispatched): object {
  return { header, runner, children: children.map(reportOf), refusals };
}

function writeFrame(frame: string, file: string): void {
  const code = writeWhole(file, frame);
  if (code !== undefined)
    throw new SkillError("CONFLICT", `The frame cannot be written to ${file} (${code}).`);
}

/** A tool's refusal in the words that every command fails with. */
function toSkillError(error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  const candidates = Array.isArray(error.data.candidates) ? error.data.candidates : undefined;
  return new SkillError((candidates ? "AMBIGUOUS" : error.code) as never, error.message, candidates);
}
