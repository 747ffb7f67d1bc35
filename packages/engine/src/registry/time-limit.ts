import { type Context, createContext, Script } from "node:vm";

const LIMIT_MS = 1_000;
const call = new Script("run()");
let context: Context | undefined;

/**
 * Runs synchronous work that may never end, such as a check against a schema that refers to itself; `undefined` where
 * it was stopped or ran out of stack. The virtual machine's watch is the only way to stop it from outside; it costs a
 * thread, so it is for work that needs it.
 */
export function withTimeLimit<T>(run: () => T): T | undefined {
  context ??= createContext({});
  context.run = run;
  try {
    return call.runInContext(context, { timeout: LIMIT_MS }) as T;
  } catch (error) {
    // By their marks: an error of the context is of no class of this side.
    const { name, code } = error as { name?: unknown; code?: unknown };
    if (name === "RangeError" || code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  } finally {
    context.run = undefined;
  }
}
