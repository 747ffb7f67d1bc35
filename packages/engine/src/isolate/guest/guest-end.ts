import { constants } from "node:os";
import { GUEST_MEMORY_MB } from "./guest-command.ts";

export interface GuestFailure {
  readonly code: string;
  readonly message: string;
}

export function overMemory(skill: string): GuestFailure {
  return {
    code: "TOO_LARGE",
    message: `${skill} needed more than ${GUEST_MEMORY_MB} MB of memory, the limit of a built-in skill. Split the file, or save it again from the program that created it.`,
  };
}

/** What it means if a guest exits without an answer. */
export function guestEnd(
  skill: string,
  code: number | null,
  signal: NodeJS.Signals | null,
  errors: string,
  failure: Error | undefined,
): GuestFailure {
  if (failure)
    return {
      code: "SKILL_FAILED",
      message: `The process for ${skill} could not be started: ${failure.message}`,
    };
  if (/out of memory|allocation failed|bad_alloc|OOM error/i.test(errors)) return overMemory(skill);
  const named = signal ?? Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  if (named === "SIGKILL")
    return {
      code: "SKILL_FAILED",
      message: `The process for ${skill} was killed by the system, probably because the machine ran out of memory. Free some memory and run it again.`,
    };
  const last = errors.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  const how = named ? `crashed (${named})` : `exited with code ${code}`;
  return {
    code: "SKILL_FAILED",
    message: `The process for ${skill} ${how} before it answered${last === "" ? "" : `: ${last}`}`,
  };
}
