import { jsonSchemaOf } from "@knack/core/schemas";
import type * as z from "zod";
import { version } from "../../version.ts";
import type { Route } from "./route.ts";
import * as schema from "./schemas.ts";

/** Statuses that every route can return: invalid request, wrong token, wrong Host or Origin, internal error, stopping. */
const COMMON = [400, 401, 403, 429, 500, 503] as const;
const CHANGE = [408, 413, 415] as const;

const MEANING: Readonly<Record<number, string>> = {
  400: "Invalid request.",
  401: "The token is missing or wrong.",
  403: "Host or Origin not allowed, denied by policy, or the role of the token is not enough.",
  404: "Not found.",
  406: "Not available in this format.",
  408: "The request timed out.",
  409: "Conflict with the current state.",
  413: "The body is too large.",
  415: "The body has the wrong type.",
  422: "The file is not text.",
  429: "Too many wrong tokens, or too many requests of one token.",
  500: "An error of the server or its configuration.",
  503: "The server is too busy, or stopping.",
};

const PATH_PARTS: Readonly<Record<string, string>> = {
  "skills/{id}": "The id of a skill, or its name or scope:name if only one skill has it.",
  "files/{path}": "Path relative to the skill's folder; may contain slashes.",
  "registry/{name}": "The name of a typed skill.",
  "runs/{id}": "The id of a run.",
  "artifacts/{name}": "The name of an artifact of the run.",
  "plans/{id}": "The id of a plan.",
  "tasks/{task}": "The id of a task of the plan.",
  "queue/{id}": "The id of a queued run.",
  "questions/{id}": "The id of a question.",
  "connect/{client}": "A client, by the name that knack setup has for it.",
  "tokens/{name}": "The name of the token.",
};

export function describeApi(routes: readonly Route[], origin: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Knack",
      version,
      description: "Every request needs a token, except for the page's own files. MCP is at /mcp.",
    },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Failure: jsonSchemaOf(schema.failure) },
    },
  };
}

function operation(route: Route): object {
  const statuses = [
    ...COMMON,
    ...(route.body || route.upload ? CHANGE : []),
    ...(route.path.includes("{") ? [404] : []),
    // Several skills may have the name.
    ...(route.path.includes("skills/{id}") ? [409] : []),
    ...(route.failures ?? []),
  ];
  const failure = { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } };
  const body = route.body
    ? { "application/json": { schema: jsonSchemaOf(route.body) } }
    : route.upload && { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  const all = parameters(route);
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    security: route.isOpen ? [] : [{ token: [] }],
    responses: {
      200: {
        description: "Done.",
        content: route.answer
          ? { "application/json": { schema: jsonSchemaOf(route.answer) } }
          : { [route.type ?? "text/plain"]: { schema: { type: "string" } } },
      },
      ...Object.fromEntries(
        statuses.map((status) => [status, { description: MEANING[status], content: failure }]),
      ),
    },
  };
}

function parameters({ path, query = {}, headers = {} }: Route): object[] {
  const text = { type: "string" };
  return [
    ...[...path.matchAll(/[\w-]+\/\{(\w+)\}/g)].map(([part, name]) => {
      return { name, in: "path", description: PATH_PARTS[part], required: true, schema: text };
    }),
    ...Object.entries(query).map(([name, field]) => ({ name, in: "query", ...described(field) })),
    ...Object.entries(headers).map(([name, description]) => {
      return { name, in: "header", description, schema: text };
    }),
  ];
}

function described(field: z.ZodType): object {
  const { description, default: usual, ...shape } = jsonSchemaOf(field);
  const required = field.safeParse(undefined).success ? {} : { required: true };
  return { description, ...required, schema: usual === undefined ? shape : { ...shape, default: usual } };
}

function operationId({ method, path }: Route): string {
  const words = path
    .split(/[/.]+/)
    .filter((part) => part !== "" && part !== "api")
    .map((part) => part.replace(/^\{(\w+)\}$/, "by-$1"))
    .flatMap((part) => part.split("-"));
  const named = words.length === 0 ? ["page"] : words;
  return method.toLowerCase() + named.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}
