import { constants } from "node:os";
import type { Limits } from "../limits.ts";

export type Stage = "starting" | "loading" | "running";

/** What it means that a process ended before a result was there. */
export function endMessage(
  stage: Stage,
  code: number | null,
  signal: NodeJS.Signals | null,
  log: string,
  limits: Limits,
): string {
  const last = log.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  if (/out of memory/i.test(log) && code !== 0) return `ran out of memory (limit: ${limits.memoryMb} MB)`;
  if (stage === "starting") return `could not be started${last === "" ? "" : `: ${last}`}`;
  // A shell and bubblewrap tell of a signal by 128 and its number.
  const named = signal ?? Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  const how = named ? `crashed (${named})` : `exited with code ${code}`;
  return `${how} ${stage === "loading" ? "while it was loading" : "before it returned a result"}`;
}
