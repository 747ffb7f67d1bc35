import { describe, expect, it } from "vitest";
import { BUILTIN_SKILLS } from "./index.ts";

describe("003 §6: the built-in skills", () => {
  it("are the five of the document, in its order, each implemented by itself", () => {
    expect([...BUILTIN_SKILLS.keys()]).toEqual([
      "file_fingerprint",
      "text_extract",
      "template_render",
      "diff_artifact",
      "validator_basic",
    ]);
    for (const [name, { skill }] of BUILTIN_SKILLS) {
      expect(skill).toMatchObject({ name, implementation: `builtin:${name}`, declared: null });
      expect(skill.version).not.toBe("");
    }
  });

  it("003 §2.1: declare what the document declares", () => {
    expect(BUILTIN_SKILLS.get("file_fingerprint")?.skill).toMatchObject({
      inputs: [{ kind: "FILE", required: true }],
      outputs: {
        artifacts: [],
        evidences: [{ kind: "FILE_HASH", fields: ["sha256", "path", "size_bytes", "mime_type"] }],
      },
      idempotency: { strategy: "INPUT_HASHES", cache: true },
    });
    expect(BUILTIN_SKILLS.get("text_extract")?.skill).toMatchObject({
      inputs: [{ kind: "FILE", required: true }],
      outputs: {
        artifacts: [
          {
            name: "extracted_text",
            format: "txt",
            pathTemplate: "workspace/artifacts/{task_id}/extracted_{input_sha256}.txt",
          },
        ],
        evidences: [],
      },
      params: { schema: { properties: { max_chars: { type: "integer", default: 200_000 } } } },
      idempotency: { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true },
    });
  });
});
