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

/** Sends requests, and checks each answer against the schema that the server describes it by. */
export class Asker {
  readonly #server: Server;
  readonly #description: Description;
  /** The routes that were asked. */
  readonly seen = new Set<string>();

  private constructor(server: Server, description: Description) {
    this.#server = server;
    this.#description = description;
  }

  static async of(server: Server): Promise<Asker> {
    return new Asker(server, await server.json<Description>("/api/openapi.json"));
  }

  async get<T>(pattern: string, path = pattern): Promise<{ readonly status: number; readonly data: T }> {
    return this.#check<T>("get", pattern, await this.#server.get(path));
  }

  async post<T>(
    pattern: string,
    body: unknown,
    path = pattern,
  ): Promise<{ readonly status: number; readonly data: T }> {
    return this.#check<T>("post", pattern, await this.#server.post(path, body));
  }

  async #check<T>(method: "get" | "post", pattern: string, response: Response) {
    const data = (await response.json()) as T;
    const described = this.#description.paths[pattern]?.[method]?.responses[response.status];
    expect(described, `${method} ${pattern} ${response.status} ${JSON.stringify(data)}`).toBeDefined();
    const schema = described?.content["application/json"]?.schema;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const check = ajv.compile({ ...schema, components: this.#description.components });
    expect(check(data) ? [] : check.errors, JSON.stringify(data).slice(0, 500)).toEqual([]);
    this.seen.add(`${method.toUpperCase()} ${pattern}`);
    return { status: response.status, data };
  }
}
