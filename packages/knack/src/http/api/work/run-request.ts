import { HttpError } from "../../server/http-error.ts";

interface GivenInput {
  readonly role?: string;
  readonly path: string;
}

/** Reads the inputs and the parameters of a run from a body. */
export function readRunRequest(body: Readonly<Record<string, unknown>>): {
  readonly inputs: readonly GivenInput[];
  readonly params: unknown;
} {
  const { inputs = [], params = {}, ...others } = body;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong("Only inputs and params are allowed");
  if (!Array.isArray(inputs)) throw wrong('"inputs" must be a list of {role?, path}');
  return { inputs: (inputs as unknown[]).map(readInput), params };
}

function readInput(input: unknown): GivenInput {
  const { role, path } = (typeof input === "object" && input !== null ? input : {}) as Record<
    string,
    unknown
  >;
  if (typeof path !== "string" || (role !== undefined && typeof role !== "string"))
    throw wrong("An input must be {role?, path}");
  return role === undefined ? { path } : { role, path };
}

function wrong(what: string): HttpError {
  return new HttpError(400, "INVALID_PARAM", `${what}.`);
}
