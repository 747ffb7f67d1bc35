import { type DispatchRequest, type EdgeType, SkillError } from "@knack/core";
import { newRequestId, quote, ROLES } from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { readPromptFile } from "./read-prompt.ts";

export interface DispatchFlags extends GlobalOptions {
  readonly role: string;
  readonly skill: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly executionMode?: "root" | "delegated";
  readonly depth?: string;
  readonly parentSkill?: string;
  readonly edgeType?: EdgeType;
  readonly visitedSkills?: string;
  readonly skillStack?: string;
  readonly maxDepth?: string;
  readonly allowReentry?: boolean;
  readonly requestId?: string;
  readonly runner?: string;
  readonly runnerCmd?: string;
  readonly timeout?: string;
  readonly outputFile?: string;
  readonly dryRun?: boolean;
}

/** The flags as the dispatcher takes them. Throws `SkillError` with the flag that is wrong. */
export function readRequest(flags: DispatchFlags): DispatchRequest {
  const role = ROLES.find((known) => known === flags.role);
  if (!role) throw wrong(`--role must be one of ${ROLES.join(", ")}, not ${quote(flags.role)}.`);
  if (flags.requestId?.trim() === "") throw wrong("--request-id is empty.");
  return {
    role,
    skill: { name: flags.skill },
    prompt: readPrompt(flags),
    requestId: flags.requestId ?? newRequestId(new Date()),
    mode: flags.executionMode,
    depth: readCount("--depth", flags.depth),
    parent: flags.parentSkill,
    edgeType: flags.edgeType,
    visited: readNames(flags.visitedSkills),
    stack: readNames(flags.skillStack),
    maxDepth: readCount("--max-depth", flags.maxDepth),
    allowReentry: flags.allowReentry,
  };
}

/** How long each runner may take, in milliseconds. */
export function readTimeout({ timeout }: DispatchFlags): number | undefined {
  if (timeout === undefined) return undefined;
  const seconds = /^\d+(?:\.\d+)?$/.test(timeout) ? Number(timeout) : 0;
  if (!(seconds > 0 && seconds <= 2_000_000))
    throw wrong(`--timeout must be a number of seconds above 0, not ${quote(timeout)}.`);
  return seconds * 1000;
}

function readPrompt({ prompt, promptFile, cwd = "." }: DispatchFlags): string | undefined {
  if (promptFile === undefined) return prompt;
  if (prompt !== undefined) throw wrong("Give --prompt or --prompt-file, not both.");
  return readPromptFile(promptFile, cwd);
}

function readCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text))
    throw wrong(`${flag} must be a whole number of at least 0, not ${quote(text)}.`);
  return Number(text);
}

function readNames(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function wrong(message: string): SkillError {
  return new SkillError("INVALID_PARAM", message);
}
