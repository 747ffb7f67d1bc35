import { realpathSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { findProgram } from "@knack/core/internal";
import type { Words } from "./client.ts";

/** The words with which a client starts the server; with a folder, for the skills of that folder wherever it is started. */
export function serverCommand(cwd: string | undefined): Words {
  const [program, ...rest] = ownCommand(process.argv[1] ?? "");
  return [program, ...rest, "mcp", ...(cwd === undefined ? [] : ["--cwd", resolve(cwd)])];
}

/**
 * The words that start this very program from anywhere. `knack` where a search path that lasts leads to it; the folders that
 * npx and npm scripts put there are gone when a client looks. Elsewhere Node and the launcher by their paths: a client that
 * was started from a desktop often finds neither. On Windows always, where `knack` is a script that only a shell starts.
 */
function ownCommand(
  launcher: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Words {
  const own = realpathSync(launcher);
  const lasting = (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder));
  const found = findProgram("knack", { PATH: lasting.join(delimiter) });
  const isOwn = platform !== "win32" && found !== undefined && realpathSync(found) === own;
  return isOwn ? ["knack"] : [process.execPath, own];
}
