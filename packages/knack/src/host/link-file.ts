import { join } from "node:path";
import { homeFolder, knackHome } from "@knack/core/internal";

/** The file with the link to the page that `knack open` hands to the browser; `knack serve` removes it when it ends. */
export function linkFile(env: NodeJS.ProcessEnv): string {
  return join(knackHome(env, homeFolder(env)), "open.html");
}
