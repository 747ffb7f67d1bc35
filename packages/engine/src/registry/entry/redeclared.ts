import { isDeepStrictEqual } from "node:util";
import type { TypedSkill } from "../../shared/typed-skill.ts";

/**
 * What an entry with the name of a built-in skill would change about it: keys of the entry, none where it says the same.
 * Description and place are no part of what a run does.
 */
export function redeclared(entry: TypedSkill, builtin: TypedSkill, isBuiltin: boolean): string[] {
  const { outputs, idempotency, env, version } = builtin;
  const inputsOf = ({ inputs }: TypedSkill): unknown => inputs.map(({ schema: _, ...input }) => input);
  const same: Readonly<Record<string, boolean>> = {
    implementation: isBuiltin,
    version: entry.version === version,
    inputs: isDeepStrictEqual(inputsOf(entry), inputsOf(builtin)),
    outputs: isDeepStrictEqual(entry.outputs, outputs),
    params: asksTheSame(entry.params.schema, builtin.params.schema),
    idempotency: isDeepStrictEqual(entry.idempotency, idempotency),
    env: isDeepStrictEqual(entry.env, env),
    timeout_seconds: entry.timeoutSeconds === builtin.timeoutSeconds,
  };
  return Object.keys(same).filter((key) => !same[key]);
}

type Schema = Readonly<Record<string, unknown>>;

/** The example of document 003 names a parameter of `text_extract` with type and default, and leaves its bounds out. */
function asksTheSame(entry: Schema, builtin: Schema): boolean {
  if (isDeepStrictEqual(plain(entry), plain(builtin))) return true;
  const { type = "object", properties, additionalProperties = false, ...others } = entry;
  const known = builtin.properties as Readonly<Record<string, Schema>> | undefined;
  return (
    Object.keys(others).length === 0 &&
    type === "object" &&
    additionalProperties === (builtin.additionalProperties ?? false) &&
    isSchema(properties) &&
    Object.entries(properties).every(([name, property]) => says(known?.[name], property))
  );
}

/** A part of what the built-in says of a parameter, its default among it: that decides where nothing is given. */
function says(known: Schema | undefined, property: unknown): boolean {
  if (!known || !isSchema(property)) return false;
  const isPart = Object.entries(property).every(([key, value]) =>
    isDeepStrictEqual(plain(value), plain(known[key])),
  );
  return isPart && isDeepStrictEqual(plain(property.default), plain(known.default));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Data of YAML has no prototype, which counts for a comparison. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
