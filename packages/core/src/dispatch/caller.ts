import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Catalog } from "../open-catalog.ts";
import { ToolError } from "../tools/envelope.ts";
import { findSkill, type SkillWanted } from "../tools/find-skill.ts";
import type { Caller, Target } from "./guards.ts";
import type { ExecutionMode, Policy, RuntimeHeader } from "./header.ts";

/** Where a request says that it comes from. Its words are names, paths or ids; what counts is which skills they mean. */
export interface Origin {
  readonly requestId: string;
  readonly mode: ExecutionMode;
  readonly depth: number;
  readonly parent: string | undefined;
  readonly visited: readonly string[];
  readonly stack: readonly string[];
  readonly policy: Policy;
}

export function callerOf(origin: Origin, catalog: Catalog, rootSkills: readonly string[]): Caller {
  const { requestId, mode, depth, parent, policy } = origin;
  const knownBy = (word: string): Known => recognise(catalog, word);
  const top = parent === undefined ? undefined : knownBy(parent);
  const given = origin.visited.map(knownBy);
  const isTop = ({ key }: Known): boolean => key === top?.key;
  // Without a stack it is made of what was visited, the caller last.
  const stack = origin.stack.length > 0 ? origin.stack.map(knownBy) : given.filter((one) => !isTop(one));
  if (top && !stack.some(isTop)) stack.push(top);
  const visited = unique([...given, ...stack]);
  return {
    requestId,
    skill: top?.name ?? null,
    depth: mode === "root" ? null : depth,
    stack: stack.map(({ name }) => name),
    visitedNames: visited.map(({ name }) => name),
    visited: new Set(visited.flatMap(({ paths }) => paths)),
    rootLoaded: mode === "delegated",
    policy,
    rootSkills,
  };
}

/** The caller that a dispatched skill is for those below it. */
export function callerBelow(caller: Caller, header: RuntimeHeader, target: Target): Caller {
  const { trace } = header;
  return {
    ...caller,
    skill: target.name,
    depth: trace.depth,
    stack: trace.skill_stack,
    visitedNames: [...trace.visited_skills, target.name],
    visited: new Set([...caller.visited, target.path]),
    rootLoaded: true,
  };
}

interface Known {
  readonly key: string;
  readonly name: string;
  /** Every skill that the word could mean: what may have been visited counts as visited. */
  readonly paths: readonly string[];
}

/** Which skill a word means, however it is written; where it could mean several, all of them. */
export function recognise(catalog: Catalog, word: string): Known {
  const meant = skillsMeant(catalog, word);
  const [first] = meant;
  if (!first) return { key: `word ${fold(word)}`, name: word, paths: [] };
  return { key: first.path, name: first.name, paths: meant.map(({ path }) => path) };
}

function skillsMeant(catalog: Catalog, word: string): readonly Target[] {
  const exact =
    exactly(catalog, { name: word }) ?? (isPath(catalog, word) && exactly(catalog, { path: word }));
  if (exact) return [exact];
  // Another case or form of letters, an id, a command, a name with its plugin before it.
  const wanted = fold(word).replace(/^[/$]/, "");
  const bare = wanted.slice(wanted.lastIndexOf(":") + 1);
  return catalog.entries
    .map(({ skill }) => skill)
    .filter(({ name, id, command }) => {
      const own = fold(name);
      return own === wanted || own === bare || id === word || (command !== undefined && command === wanted);
    });
}

function isPath(catalog: Catalog, word: string): boolean {
  return /[/\\]/.test(word) || existsSync(resolve(catalog.cwd, word));
}

function exactly(catalog: Catalog, wanted: SkillWanted): Target | undefined {
  try {
    return findSkill(catalog, wanted).skill;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function fold(word: string): string {
  return word.normalize("NFKC").trim().toUpperCase().toLowerCase().normalize("NFC");
}

function unique(list: readonly Known[]): Known[] {
  return list.filter((one, at) => list.findIndex(({ key }) => key === one.key) === at);
}
