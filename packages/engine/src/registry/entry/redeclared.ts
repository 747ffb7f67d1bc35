import { isDeepStrictEqual } from "node:util";
import type { TypedSkill } from "../../shared/typed-skill.ts";

/** The keys in which an entry with the name of a built-in skill differs from it. Description and position do not affect a run. */
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

/** The example of document 003 declares a parameter of `text_extract` with type and default, without its bounds. */
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

/**
 * Whether this is a subset of the built-in's schema for a parameter. The default must be included: it decides if no value is
 * given.
 */
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

/** YAML data has no prototype, which a comparison would notice. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
