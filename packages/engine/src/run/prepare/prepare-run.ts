import { extname, relative, resolve, sep } from "node:path";
import { fewOf, isInside } from "@knack/core/internal/engine";
import type { ImplementationDigest } from "../../registry/implementation/implementation-digest.ts";
import type { Registered } from "../../registry/registered.ts";
import { EngineError } from "../../shared/engine-error.ts";
import type { InputKind } from "../../shared/skill-function.ts";
import type { TypedSkill } from "../../shared/typed-skill.ts";
import { assignRoles, type GivenInput } from "./assign-roles.ts";
import { type Containment, type HashedFile, hashInput } from "./hash-input.ts";
import { idempotencyKey, type KeyParts } from "./key.ts";
import { containment, type Reach } from "./reach.ts";

/** An input with the digest of its bytes. */
export interface PreparedInput extends HashedFile {
  readonly role: string;
  readonly kind: InputKind;
  /** As it is recorded: relative to the project where it is inside. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  /** Where it must really be, each time it is opened. */
  readonly within: Containment | null;
}

/** A run that could be made: everything that its key is made of. */
export interface PreparedRun {
  readonly skill: TypedSkill;
  readonly implementation: Registered["implementation"];
  /** The code that the key is of, and that alone may run for it. */
  readonly code: ImplementationDigest;
  readonly inputs: readonly PreparedInput[];
  readonly params: KeyParts["params"];
  readonly env: Readonly<Record<string, string>>;
  readonly keyParts: KeyParts;
  readonly key: string;
  /** Whether an earlier success may be served. */
  readonly caching: boolean;
}

export interface RunRequest {
  readonly inputs: readonly GivenInput[];
  readonly params: unknown;
}

export interface PrepareOptions {
  readonly projectRoot: string;
  /** What relative paths of inputs are relative to. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How far away inputs may be. */
  readonly reach: Reach;
  /** The paths to record for copies of files of another machine, by their own. */
  readonly recordedAs?: ReadonlyMap<string, string> | undefined;
  readonly signal: AbortSignal;
}

/** Checks a request against the skill's contract and computes its key. Digests are computed, never believed. */
export async function prepareRun(
  { skill, implementation, checkParams }: Registered,
  code: ImplementationDigest,
  request: RunRequest,
  options: PrepareOptions,
): Promise<PreparedRun> {
  const checked = checkParams(request.params);
  if ("problems" in checked)
    throw new EngineError("INVALID_PARAM", `${skill.name}: ${fewOf(checked.problems, { separator: "; " })}`);
  const { params } = checked;
  const inputs: PreparedInput[] = [];
  for (const { declared, path } of assignRoles(skill, request.inputs)) {
    const file = resolve(options.cwd, path);
    const shown = isInside(file, options.projectRoot)
      ? relative(options.projectRoot, file).split(sep).join("/")
      : (options.recordedAs?.get(file) ?? file);
    const within = containment(options.reach, file, options.projectRoot);
    inputs.push({
      role: declared.role,
      kind: declared.kind,
      path: shown,
      file,
      within,
      ...(await hashInput(file, { signal: options.signal, within })),
    });
  }
  const env = Object.fromEntries(
    skill.env.flatMap((name) =>
      options.env[name] === undefined ? [] : [[name, options.env[name] as string]],
    ),
  );
  const keyParts: KeyParts = {
    name: skill.name,
    version: skill.version,
    digest: code.digest,
    inputs: inputs.map(({ role, file, sha256 }) => ({
      role,
      ending: extname(file).toLowerCase().toWellFormed(),
      sha256,
    })),
    outputs: skill.outputs,
    params,
    env: Object.fromEntries(skill.env.map((name) => [name, env[name] ?? null])),
    strategy: skill.idempotency.strategy,
  };
  const { strategy, cache } = skill.idempotency;
  const caching = cache && strategy !== "DISABLED";
  return {
    skill,
    implementation,
    code,
    inputs,
    params,
    env,
    keyParts,
    key: idempotencyKey(keyParts),
    caching,
  };
}
