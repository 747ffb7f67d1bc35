import { builtin, failure, inputsOf } from "./builtin.ts";
import { detectType } from "./detect-type.ts";

export const fileFingerprint = builtin(
  {
    name: "file_fingerprint",
    description: "Compute sha256 and basic metadata of files",
    inputs: [{ role: "input", kind: "FILE", required: true, many: true }],
    outputs: { evidences: [{ kind: "FILE_HASH", fields: ["sha256", "path", "size_bytes", "mime_type"] }] },
    schema: {},
    strategy: "INPUT_HASHES",
  },
  async (context) => {
    const inputs = inputsOf(context, "input");
    if (inputs.length === 0) throw failure("SKILL_BAD_INPUT", 'Give at least one file as "input".');
    const evidences = [];
    for (const { path, sha256, size_bytes } of inputs) {
      context.signal.throwIfAborted();
      // The digest is of these very bytes, computed before the run: they are not read again.
      const data = { sha256, path, size_bytes, mime_type: await detectType(path) };
      evidences.push({ kind: "FILE_HASH", data });
      context.log(`${evidences.length} of ${inputs.length}: ${path}`);
    }
    return { evidences };
  },
);
