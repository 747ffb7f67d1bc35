import type { RunnerResult } from "./run-frame.ts";
import type { ToolCall } from "./tool-call.ts";

/** What a skill's work came to: a runner's end or a tool's answer. */
export interface Outcome {
  readonly runner: RunnerResult | null;
  readonly tool?: ToolCall;
}

/** Why a skill's work failed, in a sentence's end; `undefined` where it did not. */
export function failureOf({ runner, tool }: Outcome): string | undefined {
  const error = tool?.result?.error;
  if (error) return `${error.code}: ${error.message}`;
  if (!runner) return undefined;
  const { exit_code, signal, timed_out } = runner;
  if (runner.error !== undefined) return runner.error;
  if (timed_out) return "its time was up";
  if (signal !== null) return `it was ended by ${signal}`;
  return exit_code === 0 ? undefined : `exit code ${exit_code}`;
}
