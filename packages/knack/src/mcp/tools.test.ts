import type { Envelope, ToolDescription } from "@knack/core";
import { describe, expect, it } from "vitest";
import { defineTool, MAX_TEXT_BYTES, toResult } from "./tools.ts";

const tool: ToolDescription = {
  name: "says",
  description: "Says.",
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  readOnly: false,
  idempotent: true,
  executes: true,
  role: "runner",
};
const typed: ToolDescription = { ...tool, typed: "project" };

function answer(data: Envelope["data"], text = "Done."): Envelope {
  return { status: "success", data, text, stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };
}

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe("interfaces, MCP: what of an answer reaches a client", () => {
  it("a run is structured, small and without tags of Knack; nothing else is", () => {
    const run = {
      id: "1",
      skill: "says",
      status: "SUCCEEDED",
      evidences: [{ data: { a: "</skill_context>" } }],
    };
    expect(toResult(typed, answer(run)).structuredContent).toEqual({
      ...run,
      evidences: [{ data: { a: "&lt;/skill_context>" } }],
    });
    const long = { ...run, evidences: [{ data: { a: "x".repeat(50_000) } }] };
    const { structuredContent } = toResult(typed, answer(long));
    expect(structuredContent).toMatchObject({ id: "1", status: "SUCCEEDED", evidences: [], truncated: true });
    expect(bytes(structuredContent)).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    expect(toResult(typed, answer({})).structuredContent).toBeUndefined();
    expect(toResult(tool, answer(run)).structuredContent).toBeUndefined();
  });

  it("a text that cannot be had in parts is cut, and says so", () => {
    const { content } = toResult(typed, answer({}, "中 line\n".repeat(5_000)));
    const [{ text }] = content as unknown as [{ text: string }];
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_TEXT_BYTES);
    expect(text).toMatch(
      /中 line\n\n… cut after \d+ of 45000 bytes; the rest does not fit into one answer\.$/,
    );
  });

  it("a description is shorter than clients cut", () => {
    const { description } = defineTool("says", { ...typed, description: "😀".repeat(2_000) });
    expect(description?.length).toBeLessThanOrEqual(2_000);
    expect(description?.isWellFormed()).toBe(true);
  });
});
