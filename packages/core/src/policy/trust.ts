import { dirname, join } from "node:path";
import { knackHome } from "../config/load.ts";
import { SkillError } from "../errors.ts";
import { withLockBlocking } from "../own/lock.ts";
import { readOwn } from "../own/own-file.ts";
import { writeError } from "../own/write-failure.ts";
import { writeDurably } from "../write-whole.ts";

/**
 * Which projects the user trusts: real paths, kept in the user's folder, so that nothing in a project can say it.
 * `KNACK_TRUST=all` trusts the project for one process, as in CI.
 */
export interface TrustPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

export function isTrusted(projectRoot: string, place: TrustPlace): boolean {
  return place.env.KNACK_TRUST === "all" || readTrust(place).projects.includes(projectRoot);
}

/**
 * Whether code of a trusted project may run: its digest is one that the user trusted the project with. A changed byte
 * makes another digest, so it asks again.
 */
export function isApproved(projectRoot: string, digest: string, place: TrustPlace): boolean {
  if (place.env.KNACK_TRUST === "all") return true;
  const { projects, approved } = readTrust(place);
  return projects.includes(projectRoot) && (approved.get(projectRoot)?.includes(digest) ?? false);
}

/** Trusts a project with the code that it has now, or takes that back. Answers whether anything changed. */
export function setTrusted(
  projectRoot: string,
  trusted: boolean,
  place: TrustPlace,
  digests: readonly string[] = [],
): boolean {
  const file = trustFile(place);
  return withLockBlocking(file, () => {
    const before = readTrust(place);
    const approved = new Map(before.approved);
    const codes = trusted ? [...new Set(digests)].sort() : [];
    const isSameCode = codes.join() === (approved.get(projectRoot) ?? []).join();
    if (before.projects.includes(projectRoot) === trusted && isSameCode) return false;
    if (codes.length > 0) approved.set(projectRoot, codes);
    else approved.delete(projectRoot);
    const others = before.projects.filter((path) => path !== projectRoot);
    const projects = trusted ? [...others, projectRoot].sort() : others;
    const content = {
      version: 1,
      projects,
      ...(approved.size > 0 ? { approved: Object.fromEntries([...approved].sort()) } : {}),
    };
    const failure = writeDurably(file, 0o600, `${JSON.stringify(content, null, 2)}\n`);
    if (failure) throw writeError(file, failure, true);
    return true;
  });
}

interface Trust {
  readonly projects: readonly string[];
  /** By project: digests of the code that may run. */
  readonly approved: ReadonlyMap<string, readonly string[]>;
}

function trustFile({ env, home }: TrustPlace): string {
  return join(knackHome(env, home), "trust.json");
}

/** Room for thousands of projects. */
const MAX_TRUST_BYTES = 1024 * 1024;

function readTrust(place: TrustPlace): Trust {
  const file = trustFile(place);
  const content = readOwn(dirname(file), file, MAX_TRUST_BYTES);
  if ("fault" in content) {
    if (content.detail === "ENOENT" || content.detail === "ENOTDIR")
      return { projects: [], approved: new Map() };
    throw new SkillError(
      "CONFIG_INVALID",
      `${file} cannot be read: ${content.detail}. Repair or remove it; without it no project is trusted.`,
    );
  }
  const trust = parseTrust(content.bytes.toString("utf8"));
  if (trust) return trust;
  // Trusting nothing would be safe, but silently forgetting what the user said is not kind.
  throw new SkillError(
    "CONFIG_INVALID",
    `${file} is not readable as a list of trusted projects; repair or delete it.`,
  );
}

function parseTrust(text: string): Trust | null {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== "object" || data === null || !("projects" in data) || !isTexts(data.projects))
      return null;
    const approved = "approved" in data ? data.approved : {};
    if (typeof approved !== "object" || approved === null || !Object.values(approved).every(isTexts))
      return null;
    return { projects: data.projects, approved: new Map(Object.entries(approved)) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
