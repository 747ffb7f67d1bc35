import type { BuiltinSkill } from "./builtin.ts";
import { diffArtifact } from "./diff-artifact.ts";
import { fileFingerprint } from "./file-fingerprint.ts";
import { templateRender } from "./template-render.ts";
import { textExtract } from "./text-extract.ts";
import { validatorBasic } from "./validator-basic.ts";

/** In the order of the documentation. */
export const BUILTIN_SKILLS: ReadonlyMap<string, BuiltinSkill> = new Map(
  [fileFingerprint, textExtract, templateRender, diffArtifact, validatorBasic].map((one) => [
    one.skill.name,
    one,
  ]),
);
