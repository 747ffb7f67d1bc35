import { hash } from "node:crypto";
import type { Approval } from "@knack/core";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { JsonObject } from "../../json/plain-json.ts";
import { entryWords } from "../../registry/entry/entry-words.ts";
import { framed } from "../../registry/implementation/framed.ts";
import type { TypedSkill } from "../../shared/typed-skill.ts";

/** Counted up when it covers other things: then everything is asked for again. */
const FORMAT = "knack-approval-1";

/**
 * What a user approves with a typed skill: its code, and its entry, which says what the code is given (variables, inputs,
 * time) and what is believed of it (outputs, when it need not run). The description is for readers, and tags only choose
 * among workers that trust it; neither is part of it.
 */
export function approvalOf(skill: TypedSkill, code: string): Approval {
  const { name, description: _, tags: __, ...words } = entryWords(skill);
  const stated = { ...words, version: skill.version, env: skill.env, timeout_seconds: skill.timeoutSeconds };
  // As data that a file can keep: the same object after it was written and read.
  const entry: JsonObject = JSON.parse(JSON.stringify(stated));
  return {
    skill: name,
    digest: hash("sha256", framed(FORMAT, name, code, canonicalJson(entry))),
    code,
    entry,
  };
}
