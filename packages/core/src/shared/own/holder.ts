import { hostname } from "node:os";
import { isGone, ownProcess, type ProcessMark } from "./process-mark.ts";

/** Who holds a lock, in words that a clock has no part in: the machine, its start, and the process. */
export interface Holder extends Omit<ProcessMark, "clock"> {
  readonly host: string;
}

export function ownHolder(): Holder {
  const { boot, space, pid, started } = ownProcess();
  return { host: hostname(), boot, space, pid, started };
}

/** Whether the holder lives. "unknown": it is of another machine or container, where nobody here can look. */
export function lifeOf(holder: Holder, self = ownHolder()): "alive" | "dead" | "unknown" {
  if (holder.host !== self.host) return "unknown";
  // The machine was restarted since.
  if (holder.boot !== self.boot) return "dead";
  if (holder.space !== self.space) return "unknown";
  return isGone(holder) ? "dead" : "alive";
}

export function readHolder(text: string): Holder | undefined {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== "object" || data === null) return undefined;
    const { host, boot, space, pid, started } = data as Record<string, unknown>;
    const areTexts = [host, boot, space, started].every((value) => typeof value === "string");
    const isNumber = typeof pid === "number" && Number.isInteger(pid) && pid > 0 && pid < 2 ** 31;
    return areTexts && isNumber ? (data as Holder) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
