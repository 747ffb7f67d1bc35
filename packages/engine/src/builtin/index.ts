import type { SkillFunction } from "../skill-function.ts";
import type { TypedSkill } from "../typed-skill.ts";
import { diffArtifact, diffArtifactSkill } from "./diff-artifact.ts";
import { fileFingerprint, fileFingerprintSkill } from "./file-fingerprint.ts";
import { templateRender, templateRenderSkill } from "./template-render.ts";
import { textExtract, textExtractSkill } from "./text-extract.ts";
import { validatorBasic, validatorBasicSkill } from "./validator-basic.ts";

export interface BuiltinSkill {
  readonly skill: TypedSkill;
  readonly run: SkillFunction;
  /** Whether it does more than hash its inputs and look at their first bytes: a parser can be kept busy, or made to grow. */
  readonly parses: boolean;
}

/** The skills that are there without being declared (document 003 §6), in its order. */
export const BUILTIN_SKILLS: ReadonlyMap<string, BuiltinSkill> = new Map(
  [
    { skill: fileFingerprintSkill, run: fileFingerprint, parses: false },
    { skill: textExtractSkill, run: textExtract, parses: true },
    { skill: templateRenderSkill, run: templateRender, parses: true },
    { skill: diffArtifactSkill, run: diffArtifact, parses: true },
    { skill: validatorBasicSkill, run: validatorBasic, parses: true },
  ].map((builtin) => [builtin.skill.name, builtin]),
);
