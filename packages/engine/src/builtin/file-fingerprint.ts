import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { extname } from "node:path";
import type { SkillFunction, SkillInput } from "../skill-function.ts";
import type { TypedSkill } from "../typed-skill.ts";
import { typeOf } from "./detect-type.ts";
import { answering, Failure } from "./failure.ts";
import { HEAD_BYTES, inputsOf } from "./inputs.ts";

export const fileFingerprintSkill: TypedSkill = {
  name: "file_fingerprint",
  description: "Compute sha256 and basic metadata of files",
  version: "1",
  implementation: "builtin:file_fingerprint",
  inputs: [{ role: "input", kind: "FILE", required: true, many: true }],
  outputs: {
    artifacts: [],
    evidences: [{ kind: "FILE_HASH", fields: ["sha256", "path", "size_bytes", "mime_type"] }],
  },
  params: { schema: {} },
  idempotency: { strategy: "INPUT_HASHES", cache: true },
  env: [],
  timeoutSeconds: null,
  declared: null,
};

/** Large enough that a read costs little beside hashing it, small enough for the processor's cache. */
const CHUNK_BYTES = 1 << 20;

export const fileFingerprint: SkillFunction = answering(async (context) => {
  const inputs = inputsOf(context, "input");
  if (inputs.length === 0) throw new Failure("SKILL_BAD_INPUT", 'Give at least one file as "input".');
  const buffers = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] as const;
  const evidences = [];
  for (const input of inputs) {
    evidences.push({ kind: "FILE_HASH", data: await fingerprint(input, buffers, context.signal) });
    context.log(`${evidences.length} of ${inputs.length}: ${input.path}`);
  }
  return { evidences };
});

/** One chunk is hashed while the next is being read. */
async function fingerprint(
  { path }: SkillInput,
  buffers: readonly [Buffer, Buffer],
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  await using file = await open(path);
  const hash = createHash("sha256");
  let [current, other] = buffers;
  let head: Buffer | undefined;
  let size = 0;
  let { bytesRead } = await file.read(current, 0, CHUNK_BYTES, 0);
  while (bytesRead > 0) {
    signal.throwIfAborted();
    size += bytesRead;
    const next = file.read(other, 0, CHUNK_BYTES, size);
    const bytes = current.subarray(0, bytesRead);
    hash.update(bytes);
    head ??= Buffer.from(bytes.subarray(0, HEAD_BYTES));
    ({ bytesRead } = await next);
    [current, other] = [other, current];
  }
  const mime_type = await typeOf(file, head ?? Buffer.alloc(0), size, extname(path).slice(1).toLowerCase());
  return { sha256: hash.digest("hex"), path, size_bytes: size, mime_type };
}
