import { open } from "node:fs/promises";
import { KnackError, pluralize } from "@knack/core/text";
import type {
  SkillContext,
  SkillFunction,
  SkillInput,
  SkillOutput,
  TypedSkill,
} from "../shared/typed-skill.ts";
import { PARSING } from "./parsing.ts";

export interface BuiltinSkill {
  readonly skill: TypedSkill;
  readonly run: SkillFunction;
  readonly parses: boolean;
}

type Work = (context: SkillContext) => Promise<Partial<Pick<SkillOutput, "artifacts" | "evidences">>>;

interface Declaration extends Pick<TypedSkill, "name" | "description" | "inputs"> {
  readonly outputs: Partial<TypedSkill["outputs"]>;
  readonly schema: TypedSkill["params"]["schema"];
  readonly strategy?: TypedSkill["idempotency"]["strategy"];
}

export function builtin(declaration: Declaration, work: Work): BuiltinSkill {
  const { outputs, schema, strategy = "INPUT_HASHES_PLUS_PARAMS", ...stated } = declaration;
  const skill: TypedSkill = {
    ...stated,
    version: "1",
    implementation: `builtin:${stated.name}`,
    outputs: { artifacts: [], evidences: [], ...outputs },
    params: { schema },
    idempotency: { strategy, cache: true },
    env: [],
    timeoutSeconds: null,
    tags: [],
    declared: null,
  };
  return { skill, run: answering(work), parses: PARSING.has(stated.name) };
}

/** Something about the input that keeps a skill from its work: the answer is then FAILED, with this code. */
export function failure(code: string, message: string): KnackError {
  return new KnackError("EXECUTION_ERROR", message, { cause: code });
}

export function encryptedDocument(): KnackError {
  return failure("DOCX_ENCRYPTED", "The document asks for a password; save a copy without one.");
}

/** An abort, a full disk or a mistake of ours passes through: only the caller knows what it means for the run. */
function answering(work: Work): SkillFunction {
  return async (context): Promise<SkillOutput> => {
    try {
      context.signal.throwIfAborted();
      const { artifacts = [], evidences = [] } = await work(context);
      context.signal.throwIfAborted();
      return { status: "SUCCEEDED", artifacts, evidences, error: null };
    } catch (error) {
      if (!(error instanceof KnackError) || context.signal.aborted) throw error;
      const { cause: code, message } = error;
      if (typeof code !== "string") throw error;
      return { status: "FAILED", artifacts: [], evidences: [], error: { code, message } };
    }
  };
}

export function inputsOf(context: SkillContext, role: string): readonly SkillInput[] {
  return context.inputs.filter((input) => input.role === role);
}

export function optionalInput(context: SkillContext, role: string): SkillInput | undefined {
  const [first, second] = inputsOf(context, role);
  if (second) throw failure("SKILL_BAD_INPUT", `Give one file as "${role}"; there are several.`);
  return first;
}

export function theInput(context: SkillContext, role: string): SkillInput {
  const input = optionalInput(context, role);
  if (!input) throw failure("SKILL_BAD_INPUT", `Give a file as "${role}".`);
  return input;
}

export async function readWhole(input: SkillInput, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  await using file = await open(input.path);
  const { size } = await file.stat();
  if (size <= maxBytes) return await file.readFile({ signal });
  throw failure("TOO_LARGE", `The file has ${mebibytes(size)}; at most ${mebibytes(maxBytes)} are read.`);
}

/** What is looked at of a file to tell its type. */
const HEAD_BYTES = 64 * 1024;

export async function readHead(path: string): Promise<{ readonly head: Buffer; readonly size: number }> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return { head: buffer.subarray(0, bytesRead), size: (await file.stat()).size };
}

export function mebibytes(bytes: number): string {
  return bytes < 1 << 20 ? pluralize(bytes, "byte") : `${Math.ceil(bytes / (1 << 20))} MiB`;
}

export function shortMessage(message: string): string {
  return message.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 200);
}
