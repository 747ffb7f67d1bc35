import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";

/** Tests use built guests, as users do: from source each takes seven times as long to start, and tests start hundreds. */
const BUILT = pathToFileURL(
  join(import.meta.dirname, "../packages/engine/dist/isolate/guest/guest-command.js"),
).href;

const isGuestCommand = (id: string): boolean => id.endsWith("/isolate/guest/guest-command.ts");

/** The code by which the engine starts a guest, as if it were in the build. */
export function withBuiltGuest(id: string, code: string): string | undefined {
  return isGuestCommand(id) ? code.replaceAll("import.meta.url", JSON.stringify(BUILT)) : undefined;
}

export const builtGuest: Plugin = {
  name: "built-guest",
  enforce: "pre",
  transform: (code, id) => withBuiltGuest(id, code),
};
