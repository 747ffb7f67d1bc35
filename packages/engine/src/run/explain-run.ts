import { isDeepStrictEqual } from "node:util";
import { digestAt } from "../artifacts/verify-artifact.ts";
import { runRecord } from "../audit/run-record.ts";
import type { Contents } from "../contents/contents.ts";
import type { Database } from "../store/database.ts";
import { latestSuccess, listRuns, type SkillRun } from "../store/runs/runs.ts";
import { type BringArtifact, brokenArtifacts } from "./artifact-contents.ts";
import { type PreparedRun, recordedInputs } from "./prepare-run.ts";
import { maskSecrets } from "./redact-result.ts";

/** Says what the key is made of and why it hits or misses, by comparison with the last success of the skill. */
export async function explainRun(
  db: Database,
  prepared: PreparedRun,
  projectRoot: string,
  contents: Contents | null = null,
) {
  const { skill, code, keyParts, key } = prepared;
  const parts = {
    version: skill.version,
    implementation: skill.implementation,
    implementation_digest: code.digest,
    inputs: recordedInputs(prepared).map(({ role, sha256, path }) => ({ role, sha256, path })),
    params: keyParts.strategy === "INPUT_HASHES" ? null : maskSecrets(prepared.params),
    env: skill.env,
    strategy: keyParts.strategy,
  };
  return { skill: skill.name, key, parts, ...(await wouldHit(db, prepared, projectRoot, contents)) };
}

async function wouldHit(db: Database, prepared: PreparedRun, projectRoot: string, contents: Contents | null) {
  const { skill, code, params, keyParts, key, caching } = prepared;
  const miss = (...reasons: string[]) => ({ hit: false, reasons });
  if (!caching) return miss("Its entry turns the cache off, so it runs each time.");
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
    if (wrong.length > 0)
      return miss(`The run ${same.id} has the same key, but its result cannot be used any more:`, ...wrong);
    const reason = `The run ${same.id} of ${same.finishedAt} has the same key, and its artifacts are unchanged.`;
    return { hit: true, reasons: [reason, ...fetched] };
  }
  const [last] = await listRuns(db, { skill: skill.name, status: "SUCCEEDED", limit: 1 });
  if (!last) return miss(`${skill.name} has not succeeded here before.`);
  const compared = partsOf(last, {
    skillVersion: skill.version,
    implementation: skill.implementation,
    implementationDigest: code.digest,
    inputs: recordedInputs(prepared),
    params: keyParts.strategy === "INPUT_HASHES" ? last.params : maskSecrets(params),
  });
  const changed = changedOf(compared).map(changeSentence);
  const reasons = changed.length > 0 ? changed : [NOT_RECORDED];
  return miss(`Compared with the last success, ${last.id}:`, ...reasons);
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

interface KeyPart {
  readonly part: "version" | "implementation" | "input" | "param" | "environment";
  /** The role of an input, the name of a parameter. */
  readonly name: string;
  readonly same: boolean;
  readonly before: string | null;
  readonly now: string | null;
}

const NEAREST_OF = 50;

/** Why a recorded run was executed, compared with the earlier run of the skill that has the most parts in common. */
export async function keyHistory(db: Database, run: SkillRun) {
  const after = { at: run.startedAt, seq: 0, id: run.id };
  const earlier = await listRuns(db, { skill: run.skill, after, limit: NEAREST_OF });
  const compared = (before: SkillRun) => ({
    compared_with: { id: before.id, started_at: before.startedAt },
    parts: partsOf(before, run),
  });
  const same = earlier.find(({ key }) => key === run.key);
  if (same) return { reason: whyAgain(same), ...compared(same) };
  const [nearest] = earlier
    .filter(({ status }) => status === "SUCCEEDED")
    .map(compared)
    .sort((a, b) => changedOf(a.parts).length - changedOf(b.parts).length);
  if (!nearest) {
    const reason = `No earlier run of ${run.skill} had succeeded.`;
    return { reason, compared_with: null, parts: partsOf(null, run) };
  }
  const changed = changedOf(nearest.parts);
  if (changed.length > 0) return { reason: sentence(changed), ...nearest };
  const rest: KeyPart = { part: "environment", name: "", same: false, before: null, now: null };
  return { reason: NOT_RECORDED, ...nearest, parts: [...nearest.parts, rest] };
}

function changedOf(parts: readonly KeyPart[]): readonly KeyPart[] {
  return parts.filter(({ same }) => !same);
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

type Recorded = Pick<SkillRun, "skillVersion" | "implementation" | "implementationDigest" | "params"> & {
  readonly inputs: readonly { readonly role: string; readonly sha256: string }[];
};

/** Every recorded part of the key; `before` is `null` for the first run of a skill. */
function partsOf(before: Recorded | null, now: Recorded): KeyPart[] {
  const compare = (part: KeyPart["part"], valuesOf: (run: Recorded) => Iterable<[string, unknown]>) => {
    const [was, is] = [new Map(before && valuesOf(before)), new Map(valuesOf(now))];
    return [...new Set([...was.keys(), ...is.keys()])].map((name): KeyPart => {
      const same = before !== null && isDeepStrictEqual(was.get(name), is.get(name));
      return { part, name, same, before: shown(part, was.get(name)), now: shown(part, is.get(name)) };
    });
  };
  return [
    ...compare("version", ({ skillVersion }) => [["", skillVersion]]),
    ...compare("implementation", ({ implementationDigest }) => [[now.implementation, implementationDigest]]),
    // A role can have several files.
    ...compare("input", ({ inputs }) => {
      const roles = Map.groupBy(inputs, ({ role }) => role);
      return [...roles].map(([role, files]) => [role, files.map(({ sha256 }) => sha256).join(" ")]);
    }),
    ...compare("param", ({ params }) => Object.entries(params)),
  ];
}

const MAX_SHOWN = 500;

function shown(part: KeyPart["part"], value: unknown): string | null {
  if (value === undefined) return null;
  return part === "param" ? JSON.stringify(value).slice(0, MAX_SHOWN) : String(value);
}
