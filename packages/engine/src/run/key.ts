import { hash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../json/json.ts";
import { framed } from "../registry/implementation-digest.ts";
import type { Strategy, TypedSkill } from "../shared/typed-skill.ts";

export interface KeyParts {
  readonly name: string;
  readonly version: string;
  /** Of the implementation with everything that it imports and what runs it. */
  readonly digest: string;
  /** In declared order, digests computed from the bytes that the skill sees; of a confirmation, from what was confirmed. */
  readonly inputs: readonly {
    readonly role: string;
    /** Of the file's name, in lower case: functions tell by it what kind of text a text is. */
    readonly ending: string;
    readonly sha256: string;
  }[];
  /** As declared: a result under another declaration has other names, places or fields. */
  readonly outputs: TypedSkill["outputs"];
  readonly params: JsonObject;
  /** The listed variables; `null` where one is not set. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly strategy: Strategy;
}

/** Counted up when the encoding changes: keys of two versions can never meet. */
const FORMAT = "knack-key-1";

/** Every part stands with its length, every list with its count, so that no text in one part can pass for the next. */
export function idempotencyKey(parts: KeyParts): string {
  return hash("sha256", keyText(parts));
}

function keyText(parts: KeyParts): string {
  const { name, version, digest, inputs, outputs, params, env, strategy } = parts;
  const variables = Object.keys(env).sort();
  // The empty text had a use once; without it every key, and so every cached result, would be another.
  const texts = [FORMAT, "", name, version, digest, `inputs ${inputs.length}`];
  for (const { role, ending, sha256 } of inputs) texts.push(role, ending, sha256);
  texts.push(`outputs ${outputs.artifacts.length} ${outputs.evidences.length}`);
  for (const { name, format, pathTemplate } of outputs.artifacts) texts.push(name, format, pathTemplate);
  for (const { kind, fields } of outputs.evidences) texts.push(kind, `fields ${fields.length}`, ...fields);
  texts.push(`env ${variables.length}`);
  for (const variable of variables) {
    const value = env[variable];
    texts.push(variable, value === null || value === undefined ? "unset" : `=${value}`);
  }
  texts.push(strategy === "INPUT_HASHES" ? "no params" : `params ${canonicalJson(params)}`);
  return framed(...texts);
}
