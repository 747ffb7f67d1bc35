import { isRecord, shorten } from "@knack/core/text";
import { parseJsonStrict } from "@knack/engine";
import * as z from "zod";
import { invalid } from "../../options.ts";
import type { Route } from "./route.ts";

/** The route for a path with its parameters; `methods` lists the methods that the path supports. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  segments: readonly string[],
): { readonly route?: Route; readonly params: Record<string, string>; readonly methods: readonly string[] } {
  const methods = new Set<string>();
  let found: { route: Route; params: Record<string, string> } | undefined;
  for (const route of routes) {
    const params = match(route.path, segments);
    if (!params) continue;
    methods.add(route.method);
    if (route.method === (method === "HEAD" ? "GET" : method)) found ??= { route, params };
  }
  return { params: {}, ...found, methods: [...methods] };
}

function match(path: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = path === "/" ? [] : path.slice(1).split("/");
  const params: Record<string, string> = Object.create(null);
  for (const [place, part] of parts.entries()) {
    if (part === "{path}") {
      params.path = segments.slice(place).join("/");
      return params.path === "" ? undefined : params;
    }
    const segment = segments[place];
    if (segment === undefined || segment.includes("/")) return undefined;
    if (part.startsWith("{")) params[part.slice(1, -1)] = segment;
    else if (segment !== part) return undefined;
  }
  return parts.length === segments.length ? params : undefined;
}

const SWITCH: Readonly<Record<string, boolean>> = { "": true, true: true, 1: true, false: false, 0: false };

/** Reads what the row names; an empty number or choice counts as absent. Throws `KnackError`. */
export function readQuery(fields: Readonly<Record<string, z.ZodType>>, query: URLSearchParams) {
  const given: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const kind = kindOf(field);
    const text = query.get(name);
    if (kind === "array") given[name] = query.getAll(name);
    else if (text === null) continue;
    else if (kind === "boolean") given[name] = SWITCH[text] ?? text;
    else if (kind === "string") given[name] = text;
    else if (text !== "")
      given[name] =
        kind === "number" && /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : text;
  }
  return parse(z.object(fields), given);
}

function kindOf(field: z.core.$ZodType): string {
  const { def } = field._zod;
  return "innerType" in def ? kindOf(def.innerType as z.core.$ZodType) : def.type;
}

export function readJson(schema: z.ZodType, bytes: Buffer): unknown {
  const read = parseJsonStrict(bytes.toString("utf8"));
  if ("problem" in read) throw invalid("The body is not JSON, or has a duplicate key.");
  if (!isRecord(read.value))
    throw invalid("The body must be a JSON object as described in /api/openapi.json.");
  return parse(schema, read.value);
}

/** The value as the schema has it; a wrong one is refused with the first thing that is wrong. */
function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join(".");
  const isMissing = issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
  const what = isMissing ? "is missing" : (issue?.message ?? "is wrong");
  const joined = what.startsWith("must") || isMissing ? " " : ": ";
  const place = where ? `"${shorten(where)}"${joined}` : "";
  throw invalid(`${place}${shorten(what)}.`);
}
