import { spawn } from "node:child_process";
import { removeQuietly, writeDurably } from "@knack/core/files";
import type { CommandOptions } from "../cli/table/table.ts";
import { placeAt } from "../host/place.ts";
import { linkFile, serverOn } from "../host/process-files.ts";
import { findOwnProgram } from "../run-program.ts";
import { ownPlace } from "../setup/client-file.ts";
import { findServer } from "../setup/server.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { escapeControl } from "../terminal/visible.ts";
import { originOf } from "./access/address.ts";
import { readPort } from "./access/read-bind.ts";

export async function open(options: CommandOptions<"open">): Promise<void> {
  const env = process.env;
  const port = readPort(options.port);
  const place = ownPlace();
  // Asks only a server of this user, because the request has the token.
  const served = serverOn(place, port);
  const { token, origin } = await findServer(originOf(served?.host ?? "127.0.0.1", port), place);
  const link = `${origin}/#token=${encodeURIComponent(token.text)}`;
  const { projectRoot } = placeAt(options);
  if (served && served.project !== projectRoot)
    note(
      `note: That server shows ${escapeControl(served.project)}. For this folder: knack serve --port 0, and open the link that it prints.`,
    );
  const isOpened = !options.print && token.file !== null && openFile(link, env);
  // Without the token, because output is often logged.
  if (options.json) printJson({ url: origin, opened: isOpened, token_file: token.file });
  else if (isOpened) print(`Opened ${origin} in the browser. If nothing appears: knack open --print`);
  else print(link);
}

/**
 * The browser opens a file that leads to the page: a link among the arguments of a program could be read by other users,
 * with its token. The file is as private as the token's own.
 */
function openFile(link: string, env: NodeJS.ProcessEnv): boolean {
  const file = linkFile(env);
  const html = `<!doctype html><meta charset="utf-8"><title>Knack</title><meta http-equiv="refresh" content="0;url=${link}"><a href="${link}">Open Knack</a>\n`;
  const isOpened = writeDurably(file, 0o600, html) === undefined && openInBrowser(file, env);
  if (!isOpened) removeQuietly(file);
  return isOpened;
}

/** The program that opens a file as a double click does, with its first arguments. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  linux: ["xdg-open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a file in the user's browser and does not wait for it. False where there is no screen or no such program. */
function openInBrowser(file: string, env: NodeJS.ProcessEnv): boolean {
  const { platform } = process;
  if (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  const [name, ...args] = OPENERS[platform] ?? [];
  const program = name && findOwnProgram(name, env);
  if (!program) return false;
  const child = spawn(program, [...args, file], { stdio: "ignore", detached: true });
  // A program that cannot start; the message says what to do if nothing appears.
  child.on("error", () => undefined).unref();
  return true;
}
