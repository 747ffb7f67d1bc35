import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { expect } from "vitest";

export interface Answer {
  readonly status: unknown;
  /** Where the status is `error`. */
  readonly code: unknown;
  readonly text: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly run: CallToolResult["structuredContent"];
}

/** Calls a tool, and checks what holds for each answer (interfaces, MCP): one text block, and nothing else to read. */
export async function call(client: Client, name: string, params: object = {}): Promise<Answer> {
  const result = (await client.callTool({ name, arguments: { ...params } })) as CallToolResult;
  const { content, structuredContent: run, _meta: meta = {} } = result;
  expect(content).toEqual([{ type: "text", text: expect.stringMatching(/./) }]);
  const [block] = content;
  const text = block?.type === "text" ? block.text : "";
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(19_000);
  const { "knack/status": status, "knack/code": code } = meta;
  expect(["success", "partial", "error"]).toContain(status);
  expect(result.isError ?? false).toBe(status === "error");
  expect(code !== undefined).toBe(status === "error");
  // Several clients give a model the structure instead of the text, or both.
  if (/^(?:skill_|Skill$)/.test(name)) expect(run).toBeUndefined();
  return { status, code, text, meta, run };
}
