import { type Stats, statSync } from "node:fs";
import { extname, join, relative, resolve, sep } from "node:path";
import { isInside, tryOr } from "@knack/core/files";
import { fewOf, KnackError, quote, shorten } from "@knack/core/text";
import { pythonHere } from "../isolate/execute.ts";
import type { ImplementationDigest } from "../registry/implementation-digest.ts";
import type { Executable, Registered } from "../registry/typed-skills.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import type { DeclaredInput, InputKind, TypedSkill } from "../shared/typed-skill.ts";
import type { Database } from "../store/database.ts";
import type { SkillRun } from "../store/runs/runs.ts";
import { type Containment, type HashedFile, hashInput } from "./hash-input.ts";
import {
  type Confirmed,
  type ConfirmInput,
  confirmInputs,
  isFileInput,
  refuseUnrecorded,
} from "./input-kinds.ts";
import { idempotencyKey, type KeyParts } from "./key.ts";

/** A file that somebody wants a skill to work on; without a role it takes the next that is free. */
export interface GivenInput {
  readonly role?: string | null | undefined;
  readonly path: string;
}

export type RoleFault =
  /** The input at this index names no role of the skill, or there is none left for it. */
  | { readonly kind: "unknown"; readonly index: number }
  | { readonly kind: "surplus"; readonly index: number }
  /** A file for what only a person can give. */
  | { readonly kind: "confirmation"; readonly index: number; readonly role: string }
  | { readonly kind: "missing"; readonly role: string }
  | { readonly kind: "repeated"; readonly role: string; readonly count: number };

/** Which file plays which part, in declared order; those without a role take the free ones. */
export function assignRoles<T extends { readonly role?: string | null | undefined }>(
  skill: TypedSkill,
  given: readonly T[],
  fail: (fault: RoleFault) => void,
): { readonly declared: DeclaredInput; readonly input: T }[] {
  const inputs = skill.inputs.filter(isFileInput);
  const byRole = new Map<string, T[]>(inputs.map(({ role }) => [role, []]));
  for (const [index, input] of given.entries()) {
    if (!input.role) continue;
    const taken = byRole.get(input.role);
    if (taken) taken.push(input);
    else if (skill.inputs.some(({ role }) => role === input.role))
      fail({ kind: "confirmation", index, role: input.role });
    else fail({ kind: "unknown", index });
  }
  for (const [index, input] of given.entries()) {
    if (input.role) continue;
    const free = inputs.find(({ role }) => byRole.get(role)?.length === 0) ?? inputs.find(({ many }) => many);
    if (free) byRole.get(free.role)?.push(input);
    else fail({ kind: "surplus", index });
  }
  return inputs.flatMap((declared) => {
    const { role, required, many } = declared;
    const taken = byRole.get(role) ?? [];
    const count = taken.length;
    if (count === 0 && required) fail({ kind: "missing", role });
    if (count > 1 && !many) fail({ kind: "repeated", role, count });
    return taken.map((input) => ({ declared, input }));
  });
}

function refuseRoles({ name, inputs }: TypedSkill, given: readonly GivenInput[], fault: RoleFault): never {
  const files = inputs.filter(isFileInput).map(({ role }) => role);
  const takes = `its inputs are ${fewOf(files) || "none"}.`;
  const refuse = (message: string): never => {
    throw new KnackError("INVALID_PARAM", message);
  };
  if (fault.kind === "repeated")
    return refuse(`${name} takes one file as "${fault.role}", found ${fault.count}.`);
  if (fault.kind === "missing")
    return refuse(
      `${name} needs the input "${fault.role}": name a file after the skill, add --input ${fault.role}=PATH, or put {role: "${fault.role}", path} into a tool's inputs.`,
    );
  if (fault.kind === "confirmation")
    return refuse(
      `The input "${fault.role}" of ${name} is a confirmation, and a file is none: leave the file out, and add --confirm ${fault.role}.`,
    );
  const { role, path = "" } = given[fault.index] ?? {};
  if (fault.kind === "unknown") return refuse(`${name} has no input ${quote(role ?? "")}; ${takes}`);
  return refuse(`${shorten(path)} is one input too many for ${name}; ${takes}`);
}

/** `project`: inside it, for a model or an untrusted plan. `named`: anywhere but through a link of an untrusted project. */
export interface Reach {
  readonly kind: "anywhere" | "named" | "project";
  /** Why nothing outside may be named, as the end of a sentence about the file. */
  readonly reason?: string;
}

export interface RunSkillRequest {
  readonly inputs?: readonly GivenInput[];
  readonly params?: unknown;
  readonly task?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onLog?: ((line: string) => void) | undefined;
  /** Told where another process runs the same: who, and since when. */
  readonly onWait?: ((line: string) => void) | undefined;
  /** Who the log names for it, where that is not the engine's own. */
  readonly actor?: string | undefined;
  /** A model may name files of the project alone. */
  readonly insideProjectOnly?: boolean | undefined;
  /** Asks a person for each input of kind CONFIRMATION; without it nobody confirms. */
  readonly confirm?: ConfirmInput | undefined;
}

/** A request with what only the engine's own parts may say. */
export interface InnerRequest extends RunSkillRequest {
  readonly reach?: Reach | undefined;
  /** The paths to record for copies of files of another machine, by their own. */
  readonly recordedAs?: ReadonlyMap<string, string> | undefined;
}

/** As far as the caller says; otherwise as far as the project is trusted. */
export function reachOf({ reach, insideProjectOnly }: InnerRequest, isTrusted: boolean): Reach {
  if (reach) return reach;
  if (!insideProjectOnly) return { kind: isTrusted ? "anywhere" : "named" };
  const reason =
    'only files of the project can be used here. Copy the file into the project, or run the skill at the terminal: "knack run".';
  return { kind: "project", reason };
}

/** Where this file must really be; `null` where that does not matter. */
export function containment(reach: Reach, file: string, projectRoot: string): Containment | null {
  if (reach.kind === "anywhere" || (reach.kind === "named" && !isInside(file, projectRoot))) return null;
  const shown = shorten(file);
  const refusal =
    reach.kind === "project"
      ? `${shown} is outside the project; ${reach.reason ?? "only files of the project are read."}`
      : `${shown} is outside the project (through a link), and the project is not trusted. Give the real path of the file, or run "knack trust".`;
  // Its configuration may have the password of the team's database.
  const hidden = reach.kind === "project" ? join(projectRoot, ".knack") : undefined;
  return { root: projectRoot, refusal, hidden };
}

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

export interface PreparedRun {
  readonly skill: TypedSkill;
  readonly implementation: Registered["implementation"];
  /** The code that the key is of, and that alone may run for it. */
  readonly code: ImplementationDigest;
  readonly inputs: readonly PreparedInput[];
  readonly confirmed: readonly Confirmed[];
  readonly params: KeyParts["params"];
  readonly env: Readonly<Record<string, string>>;
  readonly keyParts: KeyParts;
  readonly key: string;
  readonly caching: boolean;
}

export function recordedInputs({
  inputs,
  confirmed,
}: Pick<PreparedRun, "inputs" | "confirmed">): SkillRun["inputs"] {
  return [
    ...inputs.map(({ role, kind, path, sha256, size: size_bytes }) => ({
      role,
      kind,
      path,
      sha256,
      size_bytes,
    })),
    ...confirmed.map(({ role, sha256, text, by, at }) => ({
      ...{ role, kind: "CONFIRMATION", path: "", sha256, size_bytes: Buffer.byteLength(text) },
      ...{ confirmed_by: by, confirmed_at: at },
    })),
  ];
}

/** The roles of inputs that were declared without one. */
const NO_ROLE = /^input(?:_\d+)?$/;

/** Inputs without a role are ordered by digest, also for the function: the same files in another order are the same run. */
function inOrderOfDigests(inputs: readonly PreparedInput[]): readonly PreparedInput[] {
  const isLoose = ({ role, kind }: PreparedInput, as: InputKind): boolean =>
    NO_ROLE.test(role) && kind === as;
  let ordered = [...inputs];
  for (const kind of ["FILE", "ARTIFACT"] as const) {
    const sorted = inputs
      .filter((input) => isLoose(input, kind))
      .sort((a, b) => (sortText(a) < sortText(b) ? -1 : 1));
    ordered = ordered.map((input) => {
      const next = isLoose(input, kind) ? sorted.shift() : undefined;
      return next ? { ...next, role: input.role } : input;
    });
  }
  return ordered;
}

function sortText({ sha256, file }: PreparedInput): string {
  return `${sha256} ${endingOf(file)} ${file}`;
}

function endingOf(file: string): string {
  return extname(file).toLowerCase().toWellFormed();
}

/** Checks a request against the skill's contract and computes its key. Digests are computed, never believed. */
export async function prepareRun(
  { skill, implementation, checkParams }: Registered,
  code: ImplementationDigest,
  request: InnerRequest,
  { projectRoot, cwd, isTrusted, env: variables }: EngineProject,
  /** Where artifacts are recorded. */
  history: () => Promise<Database>,
): Promise<PreparedRun> {
  const { inputs: given = [], params: asked = {}, recordedAs, confirm, signal } = request;
  const reach = reachOf(request, isTrusted);
  const { params, faults } = checkParams(asked);
  const problems = faults.map(({ message }) => message);
  if (problems.length > 0)
    throw new KnackError("INVALID_PARAM", `${skill.name}: ${fewOf(problems, { separator: "; " })}`);
  const found: PreparedInput[] = [];
  const assigned = assignRoles(skill, given, (fault) => refuseRoles(skill, given, fault));
  for (const { declared, input } of assigned) {
    const { role, kind } = declared;
    const file = resolve(cwd, input.path);
    const path = isInside(file, projectRoot)
      ? relative(projectRoot, file).split(sep).join("/")
      : (recordedAs?.get(file) ?? file);
    const within = containment(reach, file, projectRoot);
    const hashed = { role, kind, path, file, within, ...(await hashInput(file, { signal, within })) };
    if (kind === "ARTIFACT") await refuseUnrecorded(await history(), skill.name, hashed);
    found.push(hashed);
  }
  const inputs = inOrderOfDigests(found);
  // Last: nobody is asked about a run that would be refused.
  const confirmed = await confirmInputs(skill, inputs, params, confirm);
  const env = Object.fromEntries(
    skill.env.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const keyParts: KeyParts = {
    name: skill.name,
    version: skill.version,
    digest: code.digest,
    inputs: [
      ...inputs.map(({ role, file, sha256 }) => ({ role, ending: endingOf(file), sha256 })),
      ...confirmed.map(({ role, sha256 }) => ({ role, ending: "", sha256 })),
    ],
    outputs: skill.outputs,
    params,
    env: Object.fromEntries(skill.env.map((name) => [name, env[name] ?? null])),
    strategy: skill.idempotency.strategy,
  };
  const { strategy, cache } = skill.idempotency;
  const caching = cache && strategy !== "DISABLED";
  const key = idempotencyKey(keyParts);
  return { skill, implementation, code, inputs, confirmed, params, env, keyParts, key, caching };
}

/** Counted up when a built-in skill may give other results than before: then nothing of before is served. */
const BUILTIN_VERSION = "knack builtin 2";

/** The code of a skill as it is now, not as it was when the registry was read: an engine may be open for days. */
export async function digestCode({
  skill,
  implementation,
}: Pick<Registered, "skill" | "implementation">): Promise<ImplementationDigest> {
  const covered = implementation.cover(await runtimeOf(implementation.executable));
  if ("problem" in covered) throw new KnackError("EXECUTION_ERROR", `${skill.name}: ${covered.problem}`);
  return covered;
}

/** To the version that can change results: of Node the major one. */
async function runtimeOf(executable: Executable): Promise<string> {
  if (executable.kind === "builtin") return BUILTIN_VERSION;
  if (executable.language !== "python") return `node ${process.versions.node.split(".")[0]}`;
  const python = await pythonHere();
  return python.found ? `python ${python.version}` : "no python";
}

/** What is wrong with a request, and where: `["params", "sections", "0"]`, `["inputs", "template"]`. */
export interface RequestFault {
  readonly at: readonly string[];
  readonly message: string;
}

/** Every fault of a request that can be seen without reading the files, for a form that shows them all. */
export function requestFaults(
  { skill, checkParams }: Registered,
  request: { readonly inputs: readonly GivenInput[]; readonly params: unknown },
  cwd: string,
): RequestFault[] {
  const params = checkParams(request.params).faults.map(({ at, message }) => placed(at, message));
  const missing: RequestFault[] = [];
  assignRoles(skill, request.inputs, (fault) => {
    if (fault.kind === "missing") missing.push({ at: ["inputs", fault.role], message: "Name a file." });
  });
  return [
    ...missing,
    ...request.inputs.flatMap(({ role, path }) => {
      const message = fileFault(resolve(cwd, path), path);
      return message === undefined ? [] : [{ at: ["inputs", role ?? ""], message }];
    }),
    ...params,
  ];
}

/** The place is said by `at`, also that of a property that is missing. */
function placed(at: readonly string[], said: string): RequestFault {
  const message = said.replace(/^params[^:]*: /, "");
  const missing = /^must have required property '(.*)'\.$/.exec(message)?.[1];
  if (missing !== undefined) return { at: ["params", ...at, missing], message: "It is required." };
  return { at: ["params", ...at], message };
}

function fileFault(file: string, path: string): string | undefined {
  const stats = statOf(file);
  if (!stats) return `There is no file ${shorten(path)}.`;
  return stats.isFile() ? undefined : `${shorten(path)} is not a file.`;
}

/** A path that cannot be one, with a NUL or of thousands of letters, is no file either. */
function statOf(file: string): Stats | undefined {
  return tryOr(() => statSync(file, { throwIfNoEntry: false }), undefined);
}
