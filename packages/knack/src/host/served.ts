import { join } from "node:path";
import { homeFolder, knackHome } from "@knack/core/config";
import { lookAtOwn, readOwn, realBase, removeQuietly, writeWhole } from "@knack/core/files";
import { isGone, ownProcess } from "@knack/core/process";
import * as z from "zod";

/**
 * Which servers of this user run: a private file for each port. `knack open` sends the token only to such a server, because on a
 * port anybody on the machine can listen.
 */
const servedSchema = z.object({
  process: z.object({ boot: z.string(), space: z.string(), pid: z.int().min(1), started: z.string() }),
  project: z.string(),
});
const MAX_BYTES = 64 * 1024;

interface Home {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

function fileOf({ env, home }: Home, port: number): { base: string; file: string } {
  const base = realBase(knackHome(env, home));
  return { base, file: join(base, "servers", `${port}.json`) };
}

/** Says that this process serves a project; answers how to take that back. */
export function announceServer(home: Home, port: number, project: string): () => void {
  const { base, file } = fileOf(home, port);
  const { boot, space, pid, started } = ownProcess();
  const content = JSON.stringify({ process: { boot, space, pid, started }, project });
  if (lookAtOwn(base, file).kind === "refused" || writeWhole(file, content) !== undefined) return () => {};
  return () => removeQuietly(file);
}

/** The project that a process of this user serves on the port; `undefined` if there is none. */
export function projectServedOn(home: Home, port: number): string | undefined {
  const { base, file } = fileOf(home, port);
  const content = readOwn(base, file, MAX_BYTES);
  if ("fault" in content) return undefined;
  const read = servedSchema.safeParse(parsed(content.bytes.toString("utf8")));
  if (!read.success) return undefined;
  const { process: mark, project } = read.data;
  const own = ownProcess();
  const isHere = mark.boot === own.boot && mark.space === own.space;
  return isHere && !isGone(mark) ? project : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The file with the link to the page that `knack open` hands to the browser; `knack serve` removes it when it ends. */
export function linkFile(env: NodeJS.ProcessEnv): string {
  return join(knackHome(env, homeFolder(env)), "open.html");
}
