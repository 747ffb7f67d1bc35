import { expect } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, program, type RunOptions } from "../cli/run.ts";
import type { Way } from "../mcp/ways.ts";

export const WAY: Way = { transport: "stdio", revision: "2025-11-25" };
export const NOTES = skillText(
  "release-notes",
  "Writes release notes from the history of a repository. Use when asked what changed.",
);
export const BAKE = skillText(
  "bake-bread",
  "Bakes sourdough bread. Use when asked for a loaf, a starter or proofing dough.",
);
/** On a busy machine too. */
export const env = { KNACK_HOOK_LIMIT_MS: "120000" };
export const RELEASE = "write the release notes for the new version";

export function makeHome(more: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({
    "repo/.git/": "",
    [`${HOME}/release-notes/SKILL.md`]: `${NOTES}FIX THE RANGE\n`,
    [`${HOME}/bake-bread/SKILL.md`]: `${BAKE}FEED THE STARTER\n`,
    ...more,
  });
}

/** What the client reads: the process ends with 0 and without a word on standard error, whatever happens. */
export function hook(
  folder: Folder,
  event: string,
  client: string,
  given: object | string,
  options: RunOptions = {},
): string {
  const input =
    typeof given === "string"
      ? given
      : JSON.stringify({ session_id: "s1", cwd: folder.at("repo"), ...given });
  const { code, stdout, stderr } = program(folder, ["hook", event, "--client", client], {
    ...options,
    env: { ...env, ...options.env },
    input,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

export interface Answered {
  readonly hookSpecificOutput?: {
    readonly hookEventName?: string;
    readonly additionalContext?: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
  };
}

export function said(
  folder: Folder,
  given: object,
  { event = "prompt", client = "claude", ...options }: RunOptions & { event?: string; client?: string } = {},
): string {
  const out = hook(folder, event, client, given, options);
  return out === "" ? "" : ((JSON.parse(out) as Answered).hookSpecificOutput?.additionalContext ?? "");
}

export function refusal(folder: Folder, given: object): string {
  const out = hook(folder, "tool", "claude", given);
  return out === "" ? "" : ((JSON.parse(out) as Answered).hookSpecificOutput?.permissionDecisionReason ?? "");
}
