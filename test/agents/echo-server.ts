/**
 * An MCP server on standard input and output that is as simple as can be. Its prompts answer with the arguments that they
 * got, its tool with a text of the wanted size: so each client shows what it passes and where it cuts.
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

const TOOL = {
  name: "skill_text",
  description: "Returns a text.",
  inputSchema: {
    type: "object",
    properties: { size: { type: "number" }, wide: { type: "boolean" } },
  },
  annotations: { readOnlyHint: true },
};

/** Lines of 80 characters, numbered, so many characters in all; `wide` ones have three bytes each. */
export function sizedText(size: number, wide = false): string {
  const fill = (wide ? "漢" : "x").repeat(72);
  const lines = Array.from(
    { length: Math.ceil(size / 80) },
    (_, at) => `${String(at).padStart(6, "0")} ${fill}`,
  );
  return lines.join("\n").slice(0, size);
}

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: { readonly size?: number; readonly wide?: boolean };
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
  if (method === "tools/list") return { tools: [TOOL] };
  if (method === "tools/call")
    return {
      content: [{ type: "text", text: sizedText(params.arguments?.size ?? 0, params.arguments?.wide) }],
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
