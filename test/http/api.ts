import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import type { ApiTypes } from "../../packages/knack/src/http/api/routes.ts";
import type { Server } from "./server.ts";

/** What a route answers: `AnswerOf<"GET /api/me">`. */
export type AnswerOf<Name extends keyof ApiTypes> = ApiTypes[Name]["answer"];

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly security?: object;
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

interface Answer<T> {
  readonly status: number;
  readonly data: T;
}

/** Sends requests, and checks each answer against the server's own description of it. */
export class Api {
  readonly server: Server;
  readonly description: Description;
  /** The routes that were asked: `GET /api/runs/{id}`. */
  readonly seen = new Set<string>();

  private constructor(server: Server, description: Description) {
    this.server = server;
    this.description = description;
  }

  static async of(server: Server): Promise<Api> {
    return new Api(server, await server.json<Description>("/api/openapi.json"));
  }

  /** The last test of a file: the answers of all these routes were held to their schemas. */
  heldTo(routes: readonly { readonly name: string; readonly answer?: unknown }[]): void {
    it("held the answers of all these routes to their schemas", () => {
      const named = routes.filter(({ answer }) => answer !== undefined).map(({ name }) => name);
      expect(named.filter((name) => !this.seen.has(name))).toEqual([]);
    });
  }

  async get<T = Record<string, unknown>>(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    return this.check(await this.server.get(path, headers), "GET", path);
  }

  async post<T = Record<string, unknown>>(
    path: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    return this.check(await this.server.post(path, body, headers), "POST", path);
  }

  /** Reads the answer to a request and checks its shape. */
  async check<T>(response: Response, method: string, path: string): Promise<Answer<T>> {
    const data = await response.json();
    const pattern = this.#patternOf(path, method);
    const described = this.description.paths[pattern]?.[method.toLowerCase()]?.responses[response.status];
    const told = `${method} ${path} ${response.status} ${JSON.stringify(data).slice(0, 500)}`;
    expect(described, told).toBeDefined();
    const schema = described?.content["application/json"]?.schema;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const check = ajv.compile({ ...schema, components: this.description.components });
    expect(check(data) ? [] : check.errors, told).toEqual([]);
    this.seen.add(`${method} ${pattern}`);
    return { status: response.status, data: data as T };
  }

  /** The described route of a path: of several that fit, the one with the fewest parameters. A last one may have slashes. */
  #patternOf(path: string, method: string): string {
    const [plain = ""] = path.split("?");
    const described = Object.keys(this.description.paths)
      .filter((pattern) => method.toLowerCase() in (this.description.paths[pattern] ?? {}))
      .sort((a, b) => a.split("{").length - b.split("{").length);
    const fits = (pattern: string): boolean =>
      new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(plain);
    const fitsLoosely = (pattern: string): boolean => fits(pattern.replace(/\{\w+\}$/, ".+"));
    return described.find(fits) ?? described.findLast(fitsLoosely) ?? plain;
  }
}
