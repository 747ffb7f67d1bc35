import { type Context, createContext, Script } from "node:vm";

/** How long an untrusted template, schema or text may keep this process busy. */
export const MAX_BUSY_MS = 2_000;

const call = new Script("work()");
let context: Context | undefined;

/** Ends synchronous work after so long: `undefined` then. Libraries count steps, and one step can take very long. */
export function withinTime<T>(work: () => T, ms = MAX_BUSY_MS): { readonly value: T } | undefined {
  context ??= createContext({});
  const before = context.work;
  context.work = () => ({ value: work() });
  try {
    return call.runInContext(context, { timeout: ms }) as { value: T };
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  } finally {
    context.work = before;
  }
}
