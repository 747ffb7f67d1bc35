import type { Runtime, RuntimeOptions } from "./runtime.ts";

/**
 * Skills for an agent: sessions with a system prompt, tools, slash commands and permissions. What it is made of is loaded
 * with the first call, because schemas cost more to load than a catalog to open, and not every program needs them.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { makeRuntime } = await import("./runtime.ts");
  return makeRuntime(options);
}
