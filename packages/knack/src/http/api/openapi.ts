import { jsonSchemaOf } from "@knack/core/internal/engine";
import { version } from "../../version.ts";
import type { Parameter, Route } from "./route.ts";
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

/** The OpenAPI document, generated from the routes. */
export function describeApi(routes: readonly Route[], origin: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace("...}", "}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
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
  const failures = [...COMMON, ...(route.body || route.upload ? CHANGE : []), ...(route.failures ?? [])];
  const statuses = [...new Set(failures)].sort((a, b) => a - b);
  const failure = { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } };
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.parameters ? { parameters: route.parameters.map(parameter) } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchemaOf(route.body) } },
          },
        }
      : {}),
    ...(route.upload
      ? {
          requestBody: {
            required: true,
            content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
          },
        }
      : {}),
    security: route.isOpen ? [] : [{ token: [] }],
    responses: {
      200: {
        description: "Done.",
        content: route.answer
          ? { "application/json": { schema: jsonSchemaOf(route.answer) } }
          : { [route.type ?? "text/plain"]: { schema: jsonSchemaOf(schema.text) } },
      },
      ...Object.fromEntries(
        statuses.map((status) => [status, { description: MEANING[status], content: failure }]),
      ),
    },
  };
}

function parameter({ schema: shape, ...rest }: Parameter): object {
  return { ...rest, schema: jsonSchemaOf(shape) };
}

/** The operation id for generated clients: `getSkillsByIdFilesByPath`. */
function operationId({ method, path }: Route): string {
  const words = path
    .split(/[/.]+/)
    .filter((part) => part !== "" && part !== "api" && part !== "}")
    .map((part) => part.replace(/^\{(\w+)\}?$/, "by-$1"))
    .flatMap((part) => part.split("-"));
  const named = words.length === 0 ? ["page"] : words;
  return method.toLowerCase() + named.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}
