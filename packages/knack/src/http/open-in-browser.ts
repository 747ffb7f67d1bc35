import { spawn } from "node:child_process";
import { findProgram } from "@knack/core/internal";

/** The program that opens a file as a double click does, with its first arguments. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  linux: ["xdg-open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a file in the user's browser and does not wait for it. False where there is no screen or no such program. */
export function openInBrowser(file: string, env: NodeJS.ProcessEnv): boolean {
  const { platform } = process;
  if (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  const [name, ...args] = OPENERS[platform] ?? [];
  const program = name && findProgram(name, env);
  if (!program) return false;
  const child = spawn(program, [...args, file], { stdio: "ignore", detached: true });
  // A program that cannot start; the message says what to do if nothing appears.
  child.on("error", () => undefined).unref();
  return true;
}
