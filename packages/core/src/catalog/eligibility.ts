import { fewOf } from "../shared/few-of.ts";
import { findProgram } from "../shared/process/find-program.ts";
import type { SkillFacts } from "../skill/schema.ts";

/** The machine and the host as skills may ask about them (document 002 §3.5, §3.6). */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Tools that a `command_tool` can name; they count for `requires_tools` too. */
  readonly commandTools: ReadonlySet<string>;
  hasBinary(name: string): boolean;
}

/** Why a skill cannot be used here, one reason for each condition that fails. */
export function ineligibility(facts: SkillFacts, machine: Machine, offered: readonly string[]): string[] {
  const reasons: string[] = [];
  const { os = [], env = [], binaries = [] } = facts.eligibility ?? {};
  if (os.length > 0 && !os.includes(machine.platform)) {
    reasons.push(`it supports only ${fewOf(os)}, and this is ${machine.platform}`);
  }
  const unset = env.filter((name) => !isSetIn(machine.env, name));
  if (unset.length > 0) reasons.push(`it needs the environment variable ${fewOf(unset)}`);
  const missing = binaries.filter((name) => !machine.hasBinary(name));
  if (missing.length > 0) reasons.push(`it needs ${fewOf(missing)} on the PATH`);
  const tools = (facts.requiresTools ?? []).filter(
    (tool) => !offered.includes(tool) && !machine.commandTools.has(tool),
  );
  if (tools.length > 0) reasons.push(`it requires the tool ${fewOf(tools)}, which the host does not offer`);
  return reasons;
}

export function isSetIn(env: NodeJS.ProcessEnv, name: string): boolean {
  return Object.hasOwn(env, name) && env[name] !== "";
}

/** Looks each name up once: a thousand skills that need `git` ask the disk one time. */
export function binaryLookup(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name) ?? findProgram(name, env, platform) !== undefined;
    known.set(name, found);
    return found;
  };
}
