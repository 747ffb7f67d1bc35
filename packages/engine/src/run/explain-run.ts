import { isDeepStrictEqual } from "node:util";
import { digestAt } from "../artifacts/verify-artifact.ts";
import { runRecord } from "../audit/run-record.ts";
import type { Contents } from "../contents/contents.ts";
import type { Database } from "../store/database.ts";
import { latestSuccess, listRuns } from "../store/runs/runs.ts";
import { type BringArtifact, brokenArtifacts } from "./broken-artifacts.ts";
import { maskSecrets } from "./mask-secrets.ts";
import type { PreparedRun } from "./prepare/prepare-run.ts";

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
  /** One sentence each. */
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
  const differences: string[] = [];
  if (last.skillVersion !== skill.version)
    differences.push(`The version was ${JSON.stringify(last.skillVersion)}.`);
  if (last.implementationDigest !== code.digest) differences.push("The implementation has changed.");
  const before = last.inputs.map(({ role, sha256 }) => `${role}=${sha256.slice(0, 12)}`).join(", ");
  const now = inputs.map(({ role, sha256 }) => `${role}=${sha256.slice(0, 12)}`).join(", ");
  if (before !== now) differences.push(`The inputs were ${before || "none"}; now they are ${now || "none"}.`);
  if (keyParts.strategy !== "INPUT_HASHES" && !isDeepStrictEqual(last.params, params))
    differences.push(`The parameters were ${JSON.stringify(last.params)}.`);
  if (differences.length === 0)
    differences.push(
      "The recorded parts are the same: the entry, a listed environment variable, or the file extension of an input has changed.",
    );
  return { ...base, hit: false, reasons: [`Compared with the last success, ${last.id}:`, ...differences] };
}
