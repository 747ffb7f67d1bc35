import { type FileHandle, open } from "node:fs/promises";
import type { SkillContext, SkillInput } from "../shared/skill-function.ts";
import { Failure } from "./failure.ts";

/** What is looked at of a file to tell its type; of an archive its directory too. */
export const HEAD_BYTES = 64 * 1024;

export function inputsOf(context: SkillContext, role: string): readonly SkillInput[] {
  return context.inputs.filter((input) => input.role === role);
}

/** The one input of a role; `undefined` where an optional one was not given. */
export function optionalInput(context: SkillContext, role: string): SkillInput | undefined {
  const [first, second] = inputsOf(context, role);
  if (second) throw new Failure("SKILL_BAD_INPUT", `Give one file as "${role}"; there are several.`);
  return first;
}

export function theInput(context: SkillContext, role: string): SkillInput {
  const input = optionalInput(context, role);
  if (!input) throw new Failure("SKILL_BAD_INPUT", `Give a file as "${role}".`);
  return input;
}

/** The bytes of an input that has to be in memory as a whole. */
export async function readWhole(input: SkillInput, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  await using file = await open(input.path);
  const { size } = await file.stat();
  if (size > maxBytes) {
    throw new Failure(
      "TOO_LARGE",
      `The file has ${mebibytes(size)}; at most ${mebibytes(maxBytes)} are read.`,
    );
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  const length = await readFully(file, bytes, 0, signal);
  return bytes.subarray(0, length);
}

/** The first bytes of a file: enough to tell what it is. */
export async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path);
  const head = Buffer.alloc(HEAD_BYTES);
  return head.subarray(0, await readFully(file, head, 0));
}

/** Fills the buffer from a place in the file; answers how much there was. */
export async function readFully(
  file: FileHandle,
  into: Buffer,
  from: number,
  signal?: AbortSignal,
): Promise<number> {
  let length = 0;
  while (length < into.length) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(
      into,
      length,
      Math.min(into.length - length, 1 << 24),
      from + length,
    );
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

export function mebibytes(bytes: number): string {
  return bytes < 1 << 20 ? `${bytes} bytes` : `${Math.ceil(bytes / (1 << 20))} MiB`;
}
