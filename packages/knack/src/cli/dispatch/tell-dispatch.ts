import type { Dispatched, Refusal } from "@knack/core";
import { allOf, failureOf } from "@knack/core/internal";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { escapeControl, escapeControlInText } from "../../terminal/visible.ts";
import type { DispatchFlags } from "./dispatch-request.ts";

export function tellRefusal(refusal: Refusal, flags: DispatchFlags): void {
  process.exitCode = 1;
  if (flags.json) printJson({ error: refusal });
  else note(`${painter(flags, 2)("red", "error:")} ${lineOf(refusal)}`);
}

export function lineOf({
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
  return escapeControl(`${code}: ${message} (${where})`);
}

/** What would be given to a runner, or be called. */
export function tellFrame(
  { header, frame, files, tool }: Dispatched,
  flags: DispatchFlags,
  more: object,
): void {
  if (flags.json) printJson({ ...more, header, frame, files, ...(tool ? { tool } : {}) });
  else if (flags.outputFile !== undefined) note(`The frame is in ${escapeControl(flags.outputFile)}.`);
  // A program gets the bytes that a model would get; a terminal gets nothing that steers it.
  else print(terminalWidth() === undefined ? frame : escapeControlInText(frame));
}

/** How it went: what failed, then the tree where it is one. */
export function tellTree(tree: Dispatched, flags: DispatchFlags, more: object): void {
  const all = allOf(tree);
  const paint = painter(flags, 2);
  for (const one of all) {
    const why = failureOf(one);
    if (why === undefined) continue;
    process.exitCode = 1;
    note(`${paint("red", "failed:")} ${escapeControl(`${one.header.identity.current_skill}: ${why}`)}`);
  }
  if (flags.json) printJson({ ...more, ...reportOf(tree) });
  else if (all.length > 1) note(all.map((one) => branch(one, tree)).join("\n"));
}

function branch(one: Dispatched, root: Dispatched): string {
  const { header, tool } = one;
  const indent = "  ".repeat(header.trace.depth - root.header.trace.depth);
  const done = tool ? `${tool.name} called` : "done";
  const how = failureOf(one) === undefined ? done : "failed";
  return `${indent}${escapeControl(`${header.identity.current_skill}: ${how}`)}`;
}

function reportOf({ header, runner, tool, children, refusals }: Dispatched): object {
  return { header, runner, ...(tool ? { tool } : {}), children: children.map(reportOf), refusals };
}
