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
});
