import { join } from "node:path";
import { homeFolder, knackHome } from "@knack/core/config";
import { lookAtOwn, readOwn, realBase, removeQuietly, writeWhole } from "@knack/core/files";
import { isGone, ownProcess } from "@knack/core/process";
import { parseJson } from "@knack/core/text";
import * as z from "zod";

/**
 * Files in the user's own folder by which the processes of a user know of each other; only the user can read them. Each names
 * its process, so that a file whose process is gone counts for nothing.
 */
export interface UserHome {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

const markSchema = z.object({
  boot: z.string(),
  space: z.string(),
  pid: z.int().min(1),
  started: z.string(),
});

const MAX_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;

/** Writes what this process says of itself; answers whether that worked. No link below the user's folder is followed. */
export function writeProcessFile(home: UserHome, name: string, content: object): boolean {
  const { base, file } = placeOf(home, name);
  const { boot, space, pid, started } = ownProcess();
  if (lookAtOwn(base, file).kind === "refused") return false;
  return (
    writeWhole(file, JSON.stringify({ process: { boot, space, pid, started }, ...content })) === undefined
  );
}

export function removeProcessFile(home: UserHome, name: string): void {
  removeQuietly(placeOf(home, name).file);
}

/** What a process says; `undefined` where it is gone. `isNear`: its number means the same here, so that it surely lives. */
export function readProcessFile<T extends z.ZodRawShape>(
  home: UserHome,
  name: string,
  shape: T,
): { readonly content: z.output<z.ZodObject<T>>; readonly isNear: boolean } | undefined {
  const { base, file } = placeOf(home, name);
  const found = readOwn(base, file, MAX_BYTES);
  if ("fault" in found) return undefined;
  const value = parseJson(found.bytes.toString("utf8"));
  const content = z.object(shape).safeParse(value);
  const mark = z.object({ process: markSchema }).safeParse(value);
  if (!content.success || !mark.success) return undefined;
  const { boot, space, pid, started } = mark.data.process;
  const own = ownProcess();
  // Process numbers of another container mean nothing here; of an earlier start of the machine they are gone.
  const isNear = boot === own.boot && space === own.space;
  if (boot === own.boot && !(isNear && isGone({ pid, started }))) return { content: content.data, isNear };
  // A home folder may be shared with another machine, whose start is another one too.
  if (isNear || Date.now() - found.stats.mtimeMs > DAY_MS) removeQuietly(file);
  return undefined;
}

function placeOf({ env, home }: UserHome, name: string): { base: string; file: string } {
  const base = realBase(knackHome(env, home));
  return { base, file: join(base, name) };
}

const serverFile = (port: number): string => join("servers", `${port}.json`);

const served = { project: z.string(), host: z.string() };

/**
 * Says that this process serves a project at an address; answers how to take that back. The token is sent only to such a server,
 * because on a port, and on each other loopback address of it, anybody on the machine can listen.
 */
export function announceServer(
  home: UserHome,
  port: number,
  content: z.infer<z.ZodObject<typeof served>>,
): () => void {
  if (!writeProcessFile(home, serverFile(port), content)) return () => {};
  return () => removeProcessFile(home, serverFile(port));
}

/** What a process of this user serves on the port, and at which address; `undefined` if there is none. */
export function serverOn(home: UserHome, port: number): z.infer<z.ZodObject<typeof served>> | undefined {
  const found = readProcessFile(home, serverFile(port), served);
  return found?.isNear ? found.content : undefined;
}

/** The file with the link to the page that `knack open` hands to the browser; `knack serve` removes it when it ends. */
export function linkFile(env: NodeJS.ProcessEnv): string {
  return join(knackHome(env, homeFolder(env)), "open.html");
}
