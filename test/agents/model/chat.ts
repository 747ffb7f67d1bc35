import {
  type Asked,
  type Body,
  type Dialect,
  type Reply,
  sendEvents,
  sendJson,
  takesText,
  textOf,
} from "./dialect.ts";

/** OpenAI Chat Completions: opencode, Copilot CLI, Qwen Code. */
export const chat: Dialect = {
  name: "OpenAI Chat Completions",
  isTurn: (path) => /\/chat\/completions(?:\?|$)/.test(path),
  read,
  write: (response, reply, asked) => {
    const finish_reason = "call" in reply ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const base = { id: "chatcmpl-1", created: 1, model: "scripted" };
    const message = { role: "assistant", ...messageOf(reply, asked) };
    if (!asked.isStreaming)
      return sendJson(response, {
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason }],
        usage,
      });
    const chunk = (delta: object, finish: string | null) => ({
      data: {
        ...base,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    });
    sendEvents(response, [
      chunk(message, null),
      chunk({}, finish_reason),
      { data: { ...base, object: "chat.completion.chunk", choices: [], usage } },
      { data: "[DONE]" },
    ]);
  },
};

function read(body: Body): Asked {
  const messages = body.messages ?? [];
  const textsOf = (...roles: string[]) =>
    messages
      .filter(({ role }: Body) => roles.includes(role))
      .map(({ content }: Body) => textOf(content))
      .join("\n");
  return {
    tools: (body.tools ?? []).map((tool: Body) => ({
      name: tool.function?.name ?? tool.custom?.name ?? tool.name ?? tool.type,
      json: JSON.stringify(tool),
      isDeferred: false,
    })),
    system: textsOf("system", "developer"),
    user: textsOf("user"),
    results: messages
      .filter(({ role }: Body) => role === "tool")
      .map((message: Body) => ({ id: message.tool_call_id, text: textOf(message.content) })),
    isStreaming: body.stream === true,
  };
}

function messageOf(reply: Reply, { tools }: Asked): object {
  if ("text" in reply) return { content: reply.text };
  const { id, tool: name, args } = reply.call;
  const call = takesText(tools, name)
    ? { type: "custom", custom: { name, input: args.input } }
    : { type: "function", function: { name, arguments: JSON.stringify(args) } };
  return { content: null, tool_calls: [{ index: 0, id, ...call }] };
}
