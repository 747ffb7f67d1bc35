import type { Data, Envelope } from "../access/envelope.ts";
import { toolArguments } from "../tools/dispatch-to-tool.ts";
import type { RunnerResult } from "./runner/run-frame.ts";

/** What a skill without a model does: a tool, what it is called with, and its answer. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Data;
  /** `null` where it was not called. */
  readonly result: Envelope | null;
}

/**
 * A task as the arguments of a tool. A typed skill understands a JSON object and no prose, which was written for whoever
 * reads: to it that is nothing. What begins as an object and is none is a mistake, and the tool says so.
 */
export function argumentsFor(task: string, isTyped: boolean): string {
  return isTyped && !task.trimStart().startsWith("{") ? "{}" : task;
}

export function notCalled(name: string, args: string): ToolCall {
  return { name, arguments: toolArguments(args), result: null };
}

/** What a skill's work came to: a runner's end or a tool's answer. */
export interface SkillOutcome {
  readonly runner: RunnerResult | null;
  readonly tool?: ToolCall;
}

/** Why a skill's work failed, in a sentence's end; `undefined` where it did not. */
export function failureOf({ runner, tool }: SkillOutcome): string | undefined {
  const error = tool?.result?.error;
  if (error) return `${error.code}: ${error.message}`;
  if (!runner) return undefined;
  const { exit_code, signal, timed_out } = runner;
  if (runner.error !== undefined) return runner.error;
  if (timed_out) return "it timed out";
  if (signal !== null) return `it was killed by ${signal}`;
  return exit_code === 0 ? undefined : `exit code ${exit_code}`;
}
