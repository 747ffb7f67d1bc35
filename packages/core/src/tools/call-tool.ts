import { relative } from "node:path";
import {
  answered,
  type CallFrame,
  type Envelope,
  refused,
  ToolError,
  type ToolResult,
  toToolError,
} from "../access/envelope.ts";
import type { Tool, ToolContext } from "../access/tool.ts";
import type { Catalog } from "../open-catalog.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { checkRefusal, checkResult } from "./check-result.ts";

/**
 * Calls a tool and answers its envelope, whatever happens: a model gets an answer to every call. `calledBy` is the skill
 * whose tool it is, where one is.
 */
export function callTool(
  tool: Tool,
  params: unknown,
  context: ToolContext,
  calledBy?: SkillMetadata,
): Promise<Envelope> {
  return answer(params, context.catalog, async () => {
    if (!isParameters(params))
      throw new ToolError("INVALID_PARAM", `${tool.name}: the parameters must be an object, such as {}.`);
    const { name, executes = false } = tool;
    const { signal } = context;
    const request = { tool: name, executes, ...(calledBy ? { calledBy } : {}) };
    await tool.ready?.();
    if (!tool.asksItself) await orCancelled(context.permit(request), signal);
    const work = tool.run(params, context);
    context.begun(work);
    return checkResult(name, await (tool.endsItself ? orEnded(work, signal) : orCancelled(work, signal)));
  });
}

/** An error that a cancelled call caused is reported as the cancellation. */
async function orEnded<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal?.aborted ? cancelled() : error;
  }
}

/** A tool or a person may never answer: a cancelled call is answered all the same. */
export async function orCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let cancel = (): void => {};
  const end = new Promise<never>((_done, fail) => {
    cancel = () => fail(cancelled());
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

function cancelled(): ToolError {
  return new ToolError(
    "TIMEOUT",
    "The call was cancelled before the tool finished; call it again, with more time if it needs it.",
  );
}

/** The envelope of some work: its result, or its refusal. */
export async function answer(
  params: unknown,
  catalog: Catalog,
  work: () => Promise<ToolResult | Envelope>,
): Promise<Envelope> {
  const started = performance.now();
  const frame = (): CallFrame => ({
    cwd: relative(catalog.projectRoot, catalog.cwd) || ".",
    params,
    timeMs: Math.round((performance.now() - started) * 100) / 100,
  });
  try {
    const result = await work();
    return "status" in result ? result : answered(result, frame());
  } catch (error) {
    return refused(checkRefusal(toToolError(error)), frame());
  }
}

function isParameters(params: unknown): params is Readonly<Record<string, unknown>> {
  return typeof params === "object" && params !== null && !Array.isArray(params);
}
