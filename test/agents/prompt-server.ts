/**
 * An MCP server on standard input and output whose prompts answer with the arguments that they got.
 * It shows what each client makes of the same text for different declarations.
 */
import { createInterface } from "node:readline";

const argument = (name: string, required: boolean) => ({ name, description: `The ${name}.`, required });

const words = (count: number) => Array.from({ length: count }, (_, at) => argument(`word${at + 1}`, false));

/** Prompts by name: the declarations that Knack could choose. */
export const DECLARATIONS = {
  none: [],
  optional: [argument("arguments", false)],
  required: [argument("arguments", true)],
  "two-optional": [argument("arguments", false), argument("more", false)],
  "required-then-optional": [argument("arguments", true), argument("more", false)],
  "eight-optional": words(8),
  "required-then-seven": [argument("arguments", true), ...words(7)],
} as const;

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: object;
    readonly protocolVersion?: string;
  };
}

function answer({ method, params = {} }: Request): object | undefined {
  if (method === "initialize")
    return {
      protocolVersion: params.protocolVersion ?? "2025-06-18",
      capabilities: { prompts: {}, tools: {} },
      serverInfo: { name: "knack", version: "1.0.0" },
    };
  if (method === "prompts/list")
    return {
      prompts: Object.entries(DECLARATIONS).map(([name, args]) => ({
        name,
        description: `Declares ${name}.`,
        arguments: args,
      })),
    };
  if (method === "prompts/get") {
    const text = `GOT ${JSON.stringify(params.arguments ?? null)} TOG`;
    return { messages: [{ role: "user", content: { type: "text", text } }] };
  }
  if (method === "tools/list")
    return {
      tools: [{ name: "skill_search", description: "Finds skills.", inputSchema: { type: "object" } }],
    };
  return method === "ping" ? {} : undefined;
}

if (import.meta.main)
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    if (request.id === undefined) continue;
    const result = answer(request);
    const outcome = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...outcome })}\n`);
  }
