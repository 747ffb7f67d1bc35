import type { SkillFunction } from "../shared/skill-function.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import { answering, Failure } from "./failure.ts";
import { detectType } from "./formats/detect-type.ts";
import { inputsOf } from "./inputs.ts";

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
  tags: [],
  declared: null,
};

export const fileFingerprint: SkillFunction = answering(async (context) => {
  const inputs = inputsOf(context, "input");
  if (inputs.length === 0) throw new Failure("SKILL_BAD_INPUT", 'Give at least one file as "input".');
  const evidences = [];
  for (const { path, sha256, size_bytes } of inputs) {
    context.signal.throwIfAborted();
    // Whoever runs a skill has computed the digest of these very bytes, and answers for it: they are not read again.
    const data = { sha256, path, size_bytes, mime_type: await detectType(path) };
    evidences.push({ kind: "FILE_HASH", data });
    context.log(`${evidences.length} of ${inputs.length}: ${path}`);
  }
  return { evidences };
});
