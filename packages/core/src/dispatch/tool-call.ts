import { toolArguments } from "../tools/dispatch-to-tool.ts";
import type { Data, Envelope } from "../tools/envelope.ts";

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
