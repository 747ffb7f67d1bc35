import { randomBytes } from "node:crypto";
import type { Role } from "../context/guides/role-guide.ts";

export type ExecutionMode = "root" | "delegated";

/** What a dispatched agent learns about itself. It is created once and frozen: a child cannot change it. */
export interface RuntimeHeader {
  readonly execution_mode: ExecutionMode;
  readonly identity: {
    readonly role: Role;
    readonly current_skill: string;
    /** Who called; `null` at the outermost request. */
    readonly origin_skill: string | null;
    readonly root_loaded: boolean;
  };
  readonly policy: {
    readonly forbid_root_reload: boolean;
    readonly max_depth: number;
    readonly allow_reentry: boolean;
  };
  readonly trace: {
    readonly request_id: string;
    readonly depth: number;
    /** From the outermost skill to this one. */
    readonly skill_stack: readonly string[];
    /** Without this one. */
    readonly visited_skills: readonly string[];
  };
}

export function freezeHeader(header: RuntimeHeader): RuntimeHeader {
  const { execution_mode, identity, policy, trace } = header;
  return Object.freeze({
    execution_mode,
    identity: Object.freeze({ ...identity }),
    policy: Object.freeze({ ...policy }),
    trace: Object.freeze({
      ...trace,
      skill_stack: Object.freeze([...trace.skill_stack]),
      visited_skills: Object.freeze([...trace.visited_skills]),
    }),
  });
}

/** The header as YAML, laid out as in the document. No value can be read as anything but itself. */
export function renderHeader({ execution_mode, identity, policy, trace }: RuntimeHeader): string {
  return [
    `execution_mode: ${execution_mode}`,
    "identity:",
    `  role: ${identity.role}`,
    `  current_skill: ${scalar(identity.current_skill)}`,
    `  origin_skill: ${identity.origin_skill === null ? "null" : scalar(identity.origin_skill)}`,
    `  root_loaded: ${identity.root_loaded}`,
    "policy:",
    `  forbid_root_reload: ${policy.forbid_root_reload}`,
    `  max_depth: ${policy.max_depth}`,
    `  allow_reentry: ${policy.allow_reentry}`,
    "trace:",
    `  request_id: ${scalar(trace.request_id)}`,
    `  depth: ${trace.depth}`,
    ...list("skill_stack", trace.skill_stack),
    ...list("visited_skills", trace.visited_skills),
    "",
  ].join("\n");
}

function list(key: string, names: readonly string[]): string[] {
  if (names.length === 0) return [`  ${key}: []`];
  return [`  ${key}:`, ...names.map((name) => `    - ${scalar(name)}`)];
}

/** Words that no YAML of any version takes for something else; all others are quoted. */
const PLAIN = /^[A-Za-z][\w-]*$/;
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** JSON leaves these as they are; readers of YAML, and people, would not see them. */
const UNSEEN = /[^\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

function scalar(text: string): string {
  if (PLAIN.test(text) && !WORDS.test(text)) return text;
  return JSON.stringify(text).replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

export function newRequestId(now: Date): string {
  return `req-${now.toISOString().slice(0, 10)}-${randomBytes(4).toString("hex")}`;
}
