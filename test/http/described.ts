import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { Server } from "./server.ts";

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

/** Asks a server, and checks each answer against the server's own description of it. */
export class Described {
  readonly server: Server;
  readonly #description: Description;
  /** The routes that were asked: `GET /api/runs`. */
  readonly seen = new Set<string>();

  private constructor(server: Server, description: Description) {
    this.server = server;
    this.#description = description;
  }

  static async of(server: Server): Promise<Described> {
    return new Described(server, await server.json<Description>("/api/openapi.json"));
  }

  async get<T = Record<string, unknown>>(
    path: string,
    pattern: string,
  ): Promise<{ status: number; data: T }> {
    return this.check(await this.server.get(path), "GET", pattern);
  }

  async post<T = Record<string, unknown>>(
    path: string,
    pattern: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<{ status: number; data: T }> {
    return this.check(await this.server.post(path, body, headers), "POST", pattern);
  }

  /** Reads the answer to a request and checks its shape. */
  async check<T>(response: Response, method: string, pattern: string): Promise<{ status: number; data: T }> {
    const data = await response.json();
    const operation = this.#description.paths[pattern]?.[method.toLowerCase()];
    const described = operation?.responses[response.status];
    expect(
      described,
      `${method} ${pattern} ${response.status} ${JSON.stringify(data).slice(0, 300)}`,
    ).toBeDefined();
    const schema = described?.content["application/json"]?.schema;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const check = ajv.compile({ ...schema, components: this.#description.components });
    expect(check(data) ? [] : check.errors, `${pattern} ${JSON.stringify(data).slice(0, 500)}`).toEqual([]);
    this.seen.add(`${method} ${pattern}`);
    return { status: response.status, data: data as T };
  }
}
