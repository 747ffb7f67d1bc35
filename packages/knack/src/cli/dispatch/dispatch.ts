import { resolve } from "node:path";
import { type Runner, SkillError } from "@knack/core";
import { findRunner, isRefusal, writeWhole } from "@knack/core/internal";
import { type Host, openHost } from "../../host/host.ts";
import { interruptible } from "../../host/interruptible.ts";
import { openProject, type Project } from "../../host/open-project.ts";
import { note, passOn, print, terminalWidth } from "../../terminal/output.ts";
import { escapeControlInText } from "../../terminal/visible.ts";
import { type DispatchFlags, readRequest, readTimeout } from "./dispatch-request.ts";
import { lineOf, tellFrame, tellRefusal, tellTree } from "./tell-dispatch.ts";

/** One dispatch. What a runner prints is passed on as it comes; under `--json` to standard error. */
export async function dispatch(
  flags: DispatchFlags,
  { project = openProject(flags), ...more }: { readonly route?: object; readonly project?: Project } = {},
): Promise<void> {
  const runnerMs = readTimeout(flags);
  const runner = await runnerOf(flags, project);
  // A person reads what they like; a runner gets an untrusted project's skills never.
  const host = await openHost(project, "cli", runner ? {} : { offersProject: true });
  try {
    await dispatchWith(host, runner, runnerMs, flags, more);
  } finally {
    await host.close();
  }
}

async function dispatchWith(
  { runtime }: Host,
  runner: Runner | undefined,
  runnerMs: number | undefined,
  flags: DispatchFlags,
  more: { readonly route?: object },
): Promise<void> {
  const request = readRequest(flags);
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
      onFrame: onceFor(flags),
      onOutput: (stream, bytes) => {
        if (!passOn(stream === "stderr" || flags.json ? 2 : 1, bytes)) unread.abort();
      },
      onAnswer: ({ error, text }) => {
        if (!error && !flags.json) print(terminalWidth() === undefined ? text : escapeControlInText(text));
      },
    })
    .catch((error: unknown) => {
      if (interrupted.aborted) {
        process.exitCode = 130;
        throw interrupted.reason;
      }
      if (unread.signal.aborted) return null;
      throw error;
    });
  if (outcome === null) return;
  if (isRefusal(outcome)) {
    tellRefusal(outcome, flags);
    return;
  }
  for (const refusal of outcome.refusals) note(`refused: ${lineOf(refusal)}`);
  if (runner === undefined) tellFrame(outcome, flags, more);
  else tellTree(outcome, flags, more);
}

async function runnerOf(flags: DispatchFlags, project: Project): Promise<Runner | undefined> {
  const { config } = await project.config();
  const runner = findRunner({ name: flags.runner, command: flags.runnerCmd }, config.runners);
  return flags.dryRun ? undefined : runner;
}

/** The first frame is the one that was asked for; it is written before a runner could work for an hour in vain. */
function onceFor({ outputFile, cwd = "." }: DispatchFlags): (frame: string) => void {
  let isWritten = outputFile === undefined;
  return (frame) => {
    if (!isWritten) writeFrame(frame, resolve(cwd, outputFile ?? ""));
    isWritten = true;
  };
}

function writeFrame(frame: string, file: string): void {
  const code = writeWhole(file, frame);
  if (code !== undefined)
    throw new SkillError("CONFLICT", `The frame cannot be written to ${file} (${code}).`);
}
