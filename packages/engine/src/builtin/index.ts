import type { SkillFunction } from "../shared/skill-function.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import { diffArtifact, diffArtifactSkill } from "./diff-artifact.ts";
import { fileFingerprint, fileFingerprintSkill } from "./file-fingerprint.ts";
import { PARSING } from "./parsing.ts";
import { templateRender, templateRenderSkill } from "./template-render.ts";
import { textExtract, textExtractSkill } from "./text-extract.ts";
import { validatorBasic, validatorBasicSkill } from "./validator-basic.ts";

export interface BuiltinSkill {
  readonly skill: TypedSkill;
  readonly run: SkillFunction;
  /** Whether it has a process of its own. */
  readonly parses: boolean;
}

/** The skills that are there without being declared (document 003 §6), in its order. */
export const BUILTIN_SKILLS: ReadonlyMap<string, BuiltinSkill> = new Map(
  [
    { skill: fileFingerprintSkill, run: fileFingerprint },
    { skill: textExtractSkill, run: textExtract },
    { skill: templateRenderSkill, run: templateRender },
    { skill: diffArtifactSkill, run: diffArtifact },
    { skill: validatorBasicSkill, run: validatorBasic },
  ].map((builtin) => [builtin.skill.name, { ...builtin, parses: PARSING.has(builtin.skill.name) }]),
);
