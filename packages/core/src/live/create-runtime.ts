import type { Runtime, RuntimeOptions } from "./runtime.ts";

/** Skills for an agent: sessions with tools, commands and permissions. Loaded with the first call, because schemas are slow. */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { makeRuntime } = await import("./runtime.ts");
  return makeRuntime(options);
}
