import type { Folder } from "../../packages/core/src/testing/files.ts";
import { TerminalWindow, type WindowOptions } from "./terminal-window.ts";

/** A window in which the picker has listed its skills. */
export async function picker(
  folder: Folder,
  command = "told knack tui",
  options: WindowOptions = {},
): Promise<TerminalWindow> {
  const window = new TerminalWindow(folder, options);
  window.run(command);
  await window.shows(/^>.*\n[^\n]*\[(?:all|repo|user|bundled)\][^\n]*\n> \S/m);
  return window;
}

export const RESTORED = { alternate_on: "0", cursor_flag: "1", wrap_flag: "1" };
export function restored(window: TerminalWindow): Record<string, string> {
  return Object.fromEntries(Object.keys(RESTORED).map((name) => [name, window.state(name)]));
}
