import { randomUUID } from "node:crypto";
import { type Asked, type Body, type Dialect, type Reply, sendEvents, sendJson, textOf } from "./dialect.ts";

/** Anthropic Messages: Claude Code. */
export const anthropic: Dialect = {
  name: "Anthropic Messages",
  isTurn: (path) => /\/v1\/messages(?:\?|$)/.test(path),
  read,
  write: (response, reply, asked) => {
    const message = {
      // Claude Code joins messages that have one id.
      id: `msg_${randomUUID()}`,
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [] as object[],
      stop_reason: null as string | null,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 10 },
    };
    const block = blockOf(reply);
    const stop_reason = "call" in reply ? "tool_use" : "end_turn";
    if (!asked.isStreaming) return sendJson(response, { ...message, content: [block.whole], stop_reason });
    const events: { type: string; [key: string]: unknown }[] = [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block.empty },
      { type: "content_block_delta", index: 0, delta: block.delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
      { type: "message_stop" },
    ];
    sendEvents(
      response,
      events.map((data) => ({ event: data.type, data })),
    );
  },
};

function read(body: Body): Asked {
  const blocks = (body.messages ?? []).flatMap((message: Body) =>
    (Array.isArray(message.content) ? message.content : [{ type: "text", text: message.content }]).map(
      (block: Body) => ({ role: message.role, block }),
    ),
  );
  return {
    tools: (body.tools ?? []).map((tool: Body) => ({
      name: tool.name ?? tool.type,
      json: JSON.stringify(tool),
      isDeferred: tool.defer_loading === true,
    })),
    system: [textOf(body.system), ...blocks.filter(({ role }: Body) => role === "system").map(text)].join(
      "\n",
    ),
    user: blocks
      .filter(({ role, block }: Body) => role === "user" && block.type === "text")
      .map(text)
      .join("\n"),
    results: blocks
      .filter(({ block }: Body) => block.type === "tool_result")
      .map(({ block }: Body) => ({ id: block.tool_use_id, text: textOf(block.content) })),
    isStreaming: body.stream === true,
  };
}

const text = ({ block }: Body): string => textOf(block);

function blockOf(reply: Reply) {
  if ("text" in reply)
    return {
      whole: { type: "text", text: reply.text },
      empty: { type: "text", text: "" },
      delta: { type: "text_delta", text: reply.text },
    };
  const { id, tool: name, args: input } = reply.call;
  return {
    whole: { type: "tool_use", id, name, input },
    empty: { type: "tool_use", id, name, input: {} },
    delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
  };
}
