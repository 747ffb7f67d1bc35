import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Widening } from "../config/config.ts";
import { knackHome } from "../config/load.ts";
import { KnackError } from "../shared/errors.ts";
import { StampCache } from "../shared/file-stamp.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { withLock } from "../shared/lock.ts";
import { readOwnText } from "../shared/own-file.ts";
import { writeDurably, writeError } from "../shared/write-whole.ts";

/** Real paths in the user's folder, so that no project trusts itself. `KNACK_TRUST=all` trusts for one process, as in CI. */
export interface TrustPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

export function isTrusted(projectRoot: string, place: TrustPlace): boolean {
  return trustOf(projectRoot, place).trusted;
}

/** `accepted` is undefined where the whole configuration counts. */
export function trustOf(projectRoot: string, place: TrustPlace) {
  if (place.env.KNACK_TRUST === "all") return { trusted: true, accepted: undefined };
  const { projects, accepted } = readTrust(place);
  return { trusted: projects.includes(projectRoot), accepted: accepted[projectRoot] ?? {} };
}

/** A typed skill as the user trusted it. */
export interface Approval {
  readonly skill: string;
  /** Of code and entry: what is compared. */
  readonly digest: string;
  /** Of the code alone. */
  readonly code: string;
  /** To show a change; `null` where it is too long to keep. */
  readonly entry: Readonly<Record<string, unknown>> | null;
}

/** Whether the user trusted this digest: a changed byte of code or registry entry makes another, and asks again. */
export function isApproved(projectRoot: string, digest: string, place: TrustPlace): boolean {
  if (place.env.KNACK_TRUST === "all") return true;
  return approvalsOf(projectRoot, place).some((approval) => approval.digest === digest);
}

export function approvalsOf(projectRoot: string, place: TrustPlace): readonly Approval[] {
  const { projects, approved } = readTrust(place);
  return projects.includes(projectRoot) ? (approved[projectRoot] ?? []) : [];
}

/** Trusts a project as it is now, or takes that back; answers whether anything changed. */
export function setTrusted(
  projectRoot: string,
  trusted: boolean,
  place: TrustPlace,
  approvals: readonly Approval[] = [],
  widening: Widening = {},
): Promise<boolean> {
  const file = trustFile(place);
  return withLock(dirname(file), file, () => {
    const { projects, approved, accepted } = readTrust(place);
    const { [projectRoot]: had = [], ...ofOthers } = approved;
    const { [projectRoot]: knew = {}, ...others } = accepted;
    const wide = trusted ? widening : {};
    const now = trusted ? approvals.toSorted((a, b) => (a.skill < b.skill ? -1 : 1)).map(bounded) : [];
    const digestsOf = (list: readonly Approval[]): string => list.map(({ digest }) => digest).join();
    const isSame = digestsOf(now) === digestsOf(had) && isDeepStrictEqual(wide, knew);
    if (projects.includes(projectRoot) === trusted && isSame) return false;
    const otherProjects = projects.filter((path) => path !== projectRoot);
    const content = {
      version: 1,
      projects: trusted ? [...otherProjects, projectRoot].sort() : otherProjects,
      ...filed("approved", now.length > 0 ? { ...ofOthers, [projectRoot]: now } : ofOthers),
      ...filed("accepted", Object.keys(wide).length > 0 ? { ...others, [projectRoot]: wide } : others),
    };
    const failure = writeDurably(file, 0o600, `${JSON.stringify(content, null, 2)}\n`);
    if (failure) throw writeError(file, failure, true);
    return true;
  });
}

/** Sorted by project; no key where there is nothing. */
function filed(key: string, byProject: object): object {
  const entries = Object.entries(byProject).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length > 0 ? { [key]: Object.fromEntries(entries) } : {};
}

interface Trust {
  readonly projects: readonly string[];
  /** By project: the typed skills that may run. */
  readonly approved: Readonly<Record<string, readonly Approval[]>>;
  /** By project: what of its configuration may widen anything. */
  readonly accepted: Readonly<Record<string, Widening>>;
}

/** An entry this long is a schema that nobody reads as a difference. */
const MAX_ENTRY = 32 * 1024;

function bounded(approval: Approval): Approval {
  return JSON.stringify(approval.entry).length > MAX_ENTRY ? { ...approval, entry: null } : approval;
}

function trustFile({ env, home }: TrustPlace): string {
  return join(knackHome(env, home), "trust.json");
}

const MAX_TRUST_BYTES = 16 * 1024 * 1024;

/** Every call asks for the trust as it is now. */
const known = new StampCache<Trust>();

function readTrust(place: TrustPlace): Trust {
  const file = trustFile(place);
  return known.get(file, () => readTrustFile(file));
}

function readTrustFile(file: string): Trust {
  const next = "Fix or remove it; without it no project is trusted.";
  const text = readOwnText(dirname(file), file, MAX_TRUST_BYTES, next);
  if (text === undefined) return { projects: [], approved: {}, accepted: {} };
  const trust = parseTrust(text);
  if (trust) return trust;
  // Trusting nothing would be safe, but would silently forget what the user said.
  throw new KnackError(
    "CONFIG_INVALID",
    `${file} is not a valid list of trusted projects; fix or remove it.`,
  );
}

function parseTrust(text: string): Trust | null {
  const data = parseJson(text);
  if (!isRecord(data) || !Array.isArray(data.projects)) return null;
  const { projects, approved = {}, accepted = {} } = data;
  if (!projects.every((path) => typeof path === "string")) return null;
  if (!isRecord(approved) || !isRecord(accepted) || !Object.values(accepted).every(isRecord)) return null;
  const isGood = Object.values(approved).every((list) => Array.isArray(list) && list.every(isApproval));
  return isGood ? ({ projects, approved, accepted } as unknown as Trust) : null;
}

function isApproval(value: unknown): value is Approval {
  if (!isRecord(value)) return false;
  const { skill, digest, code, entry } = value;
  return [skill, digest, code].every((text) => typeof text === "string") && typeof entry === "object";
}
