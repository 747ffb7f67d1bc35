import { isDeepStrictEqual } from "node:util";
import { digestAt } from "../artifacts/verify-artifact.ts";
import { runRecord } from "../audit/run-record.ts";
import type { Contents } from "../contents/contents.ts";
import type { Database } from "../store/database.ts";
import { latestSuccess, listRuns, type SkillRun } from "../store/runs/runs.ts";
import { type BringArtifact, brokenArtifacts } from "./artifact-contents.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { maskSecrets } from "./redact-result.ts";

/** What a key is made of, and what would happen if the run were made now. */
export interface Explanation {
  readonly skill: string;
  readonly key: string;
  readonly parts: {
    readonly version: string;
    readonly implementation: string;
    readonly implementation_digest: string;
    readonly inputs: readonly { readonly role: string; readonly sha256: string; readonly path: string }[];
    readonly params: unknown;
    readonly env: readonly string[];
    readonly strategy: string;
  };
  readonly hit: boolean;
  readonly reasons: readonly string[];
}

/** Says what the key is made of and why it hits or misses, by comparison with the last success of the skill. */
export async function explainRun(
  db: Database,
  prepared: PreparedRun,
  projectRoot: string,
  contents: Contents | null = null,
): Promise<Explanation> {
  const { skill, implementation, code, inputs, keyParts, key, caching } = prepared;
  const params = maskSecrets(prepared.params);
  const parts: Explanation["parts"] = {
    version: skill.version,
    implementation: implementation.stated,
    implementation_digest: code.digest,
    inputs: inputs.map(({ role, sha256, path }) => ({ role, sha256, path })),
    params: keyParts.strategy === "INPUT_HASHES" ? null : params,
    env: skill.env,
    strategy: keyParts.strategy,
  };
  const base = { skill: skill.name, key, parts };
  if (!caching)
    return { ...base, hit: false, reasons: ["Its entry turns the cache off, so it runs each time."] };
  const same = await latestSuccess(db, key);
  if (same) {
    const { doubt } = await runRecord(db, same.id);
    const fetched: string[] = [];
    const bring: BringArtifact = async ({ path, sha256 }) => {
      if (!(await contents?.has(sha256)) || (await digestAt(projectRoot, path)) !== "missing") return null;
      fetched.push(`${path} is not here and would be fetched from ${contents?.shown}.`);
      return [];
    };
    const wrong = doubt ? [doubt] : (await brokenArtifacts(same.artifacts, projectRoot, bring)).broken;
    if (wrong.length === 0)
      return {
        ...base,
        hit: true,
        reasons: [
          `The run ${same.id} of ${same.finishedAt} has the same key, and its artifacts are unchanged.`,
          ...fetched,
        ],
      };
    return {
      ...base,
      hit: false,
      reasons: [`The run ${same.id} has the same key, but its result cannot be used any more:`, ...wrong],
    };
  }
  const [last] = await listRuns(db, { skill: skill.name, status: "SUCCEEDED", limit: 1 });
  if (!last) return { ...base, hit: false, reasons: [`${skill.name} has not succeeded here before.`] };
  const compared = partsOf(last, {
    skillVersion: skill.version,
    implementation: implementation.stated,
    implementationDigest: code.digest,
    inputs,
    params: keyParts.strategy === "INPUT_HASHES" ? last.params : params,
  });
  const changed = compared.filter(({ same }) => !same).map(changeSentence);
  const reasons = changed.length > 0 ? changed : [NOT_RECORDED];
  return { ...base, hit: false, reasons: [`Compared with the last success, ${last.id}:`, ...reasons] };
}

function changeSentence({ part, name, before, now }: KeyPart): string {
  if (part === "implementation") return "The implementation has changed.";
  const short = (text: string | null) =>
    text === null
      ? "absent"
      : part === "input"
        ? text.replaceAll(/[0-9a-f]{64}/g, (all) => all.slice(0, 12))
        : text;
  const what = WORDS[part](name);
  return `${what[0]?.toUpperCase()}${what.slice(1)} was ${short(before)}; now it is ${short(now)}.`;
}

/** Values of environment variables are not recorded, and neither is the declaration of the outputs. */
const NOT_RECORDED =
  "All recorded parts are the same: the entry, a listed environment variable or the file extension of an input has changed.";

export interface KeyPart {
  readonly part: "version" | "implementation" | "input" | "param" | "environment";
  /** The role of an input, the name of a parameter. */
  readonly name: string;
  readonly same: boolean;
  readonly before: string | null;
  readonly now: string | null;
}

/** Why a recorded run was executed, and what its key has in common with an earlier run. */
export interface KeyHistory {
  readonly reason: string;
  /** The earlier run of the same skill with the most parts in common. */
  readonly compared_with: { readonly id: string; readonly started_at: string } | null;
  readonly parts: readonly KeyPart[];
}

const NEAREST_OF = 50;

export async function keyHistory(db: Database, run: SkillRun): Promise<KeyHistory> {
  const after = { at: run.startedAt, seq: 0, id: run.id };
  const earlier = await listRuns(db, { skill: run.skill, after, limit: NEAREST_OF });
  const same = earlier.find(({ key }) => key === run.key);
  if (same)
    return {
      reason: whyAgain(same),
      compared_with: { id: same.id, started_at: same.startedAt },
      parts: partsOf(same, run),
    };
  const nearest = earlier
    .filter(({ status }) => status === "SUCCEEDED")
    .map((before) => ({ before, parts: partsOf(before, run) }))
    .sort((a, b) => differences(a.parts) - differences(b.parts))[0];
  if (!nearest)
    return {
      reason: `No earlier run of ${run.skill} had succeeded.`,
      compared_with: null,
      parts: partsOf(null, run),
    };
  const { before, parts } = nearest;
  const compared_with = { id: before.id, started_at: before.startedAt };
  const changed = parts.filter((part) => !part.same);
  if (changed.length > 0) return { reason: sentence(changed), compared_with, parts };
  const rest: KeyPart = { part: "environment", name: "", same: false, before: null, now: null };
  return { reason: NOT_RECORDED, compared_with, parts: [...parts, rest] };
}

function whyAgain({ status, error }: SkillRun): string {
  if (status === "FAILED")
    return `An earlier run had the same key, but it failed (${error?.code ?? "SKILL_FAILED"}), so there was no result to return.`;
  if (status === "RUNNING") return "An earlier run with the same key is still in progress.";
  return "An earlier run had the same key, but its result could not be returned: the cache is off for this skill, or an artifact was changed or removed.";
}

const WORDS: Readonly<Record<KeyPart["part"], (name: string) => string>> = {
  version: () => "the version of the skill",
  implementation: () => "its code",
  input: (name) => `the input ${name}`,
  param: (name) => `the parameter ${name}`,
  environment: () => "the environment",
};

function sentence(changed: readonly KeyPart[]): string {
  const words = changed.map(({ part, name }) => WORDS[part](name));
  const shown = words.length > 4 ? [...words.slice(0, 3), `${words.length - 3} more parts`] : words;
  const last = shown.pop() ?? "";
  const list = shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
  return `Compared with the nearest earlier run, ${list} changed.`;
}

function differences(parts: readonly KeyPart[]): number {
  return parts.filter(({ same }) => !same).length;
}

type Recorded = Pick<SkillRun, "skillVersion" | "implementation" | "implementationDigest" | "params"> & {
  readonly inputs: readonly { readonly role: string; readonly sha256: string }[];
};

/** Every recorded part of the key; `before` is `null` for the first run of a skill. */
function partsOf(before: Recorded | null, now: Recorded): KeyPart[] {
  const part = (kind: KeyPart["part"], name: string, was: string | null, is: string | null): KeyPart => ({
    part: kind,
    name,
    same: before !== null && was === is,
    before: was,
    now: is,
  });
  const inputs = pairs(byRole(before), byRole(now));
  const params = pairs(new Map(Object.entries(before?.params ?? {})), new Map(Object.entries(now.params)));
  return [
    part("version", "", before?.skillVersion ?? null, now.skillVersion),
    part(
      "implementation",
      now.implementation,
      before?.implementationDigest ?? null,
      now.implementationDigest,
    ),
    ...inputs.map(([role, was, is]) => part("input", role, was ?? null, is ?? null)),
    ...params.map(([name, was, is]) => ({
      ...part("param", name, shown(was), shown(is)),
      same: before !== null && isDeepStrictEqual(was, is),
    })),
  ];
}

/** The digests of each role; a role can have several files. */
function byRole(run: Recorded | null): Map<string, string> {
  const roles = Map.groupBy(run?.inputs ?? [], ({ role }) => role);
  return new Map([...roles].map(([role, files]) => [role, files.map(({ sha256 }) => sha256).join(" ")]));
}

function pairs<T>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
): [string, T | undefined, T | undefined][] {
  return [...new Set([...before.keys(), ...now.keys()])].map((name) => [
    name,
    before.get(name),
    now.get(name),
  ]);
}

const MAX_SHOWN = 500;

function shown(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value).slice(0, MAX_SHOWN);
}
