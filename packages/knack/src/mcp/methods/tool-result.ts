import type { Envelope, ToolDescription } from "@knack/core";
import { escapeWrapperTags, partOf } from "@knack/core/internal";
import type { CallToolResult } from "@modelcontextprotocol/server";

/**
 * What one answer may have. Clients cut longer ones, each at another place: Copilot CLI at 20,480 bytes, Gemini CLI at about
 * 40,000 characters, Codex at about 48,000 (12,000 for models that it does not know), opencode at about 51,000 bytes, Claude
 * Code at 25,000 tokens.
 */
export const MAX_TEXT_BYTES = 19_000;

/** Small facts for programs; several clients forward structured content to the model instead of the text, or both. */
const FACTS = ["sha256", "ref", "offset", "next_offset"] as const;

/** An envelope as the protocol has it: one text for the model. A typed skill also has its run as structured content. */
export function toResult({ typed }: ToolDescription, envelope: Envelope): CallToolResult {
  const { status, data, text, error } = envelope;
  const isRun = typed !== undefined && typeof data.id === "string";
  return {
    content: [{ type: "text", text: textBlock(text) }],
    ...(isRun ? { structuredContent: smallRun(data) } : {}),
    isError: status === "error",
    _meta: { "knack/status": status, ...(error ? { "knack/code": error.code } : {}), ...factsOf(envelope) },
  };
}

function factsOf({ data, context }: Envelope): Record<string, unknown> {
  const facts = FACTS.flatMap((key) => {
    const value = data[key];
    // A text of which there is more is not loaded yet, so that its reference leads nowhere.
    if (key === "ref" && data.next_offset !== undefined) return [];
    return typeof value === "string" || typeof value === "number" ? [[`knack/${key}`, value] as const] : [];
  });
  const path = context.path_resolved;
  return { ...(path === undefined ? {} : { "knack/path": path }), ...Object.fromEntries(facts) };
}

/** Texts that can be had in parts are in bounds; of others the rest is left out. */
export function textBlock(text: string): string {
  const size = Buffer.byteLength(text);
  if (size <= MAX_TEXT_BYTES) return text;
  const room = MAX_TEXT_BYTES - 100;
  const part = partOf(text, 0, room);
  return `${part?.text ?? ""}\n… cut after ${part?.end ?? 0} of ${size} bytes; the rest does not fit into one answer.`;
}

type Run = Readonly<Record<string, unknown>>;

/** The run, without what would make it longer than an answer may be. */
function smallRun(run: Run): Record<string, unknown> {
  const small = JSON.parse(JSON.stringify(run), (_key, value) =>
    typeof value === "string" ? escapeWrapperTags(value) : value,
  );
  if (Buffer.byteLength(JSON.stringify(small)) <= MAX_TEXT_BYTES) return small;
  return { ...small, inputs: [], params: {}, artifacts: [], evidences: [], truncated: true };
}
