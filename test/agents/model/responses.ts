import {
  type Asked,
  type Body,
  type Dialect,
  type Reply,
  type SentTool,
  sendEvents,
  sendJson,
  takesText,
  textOf,
} from "./dialect.ts";

/** OpenAI Responses: Codex. */
export const responses: Dialect = {
  name: "OpenAI Responses",
  isTurn: (path) => /\/responses(?:\?|$)/.test(path),
  read,
  write: (response, reply, asked) => {
    const item = itemOf(reply, asked);
    const whole = {
      id: "resp_1",
      object: "response",
      status: "completed",
      model: "scripted",
      output: [item],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 20,
      },
    };
    if (!asked.isStreaming) return sendJson(response, whole);
    const started = { ...whole, status: "in_progress", output: [], usage: null };
    const events: { type: string; [key: string]: unknown }[] = [
      { type: "response.created", response: started },
      { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: whole },
    ];
    sendEvents(
      response,
      events.map((data) => ({ event: data.type, data })),
    );
  },
};

function read(body: Body): Asked {
  const input = Array.isArray(body.input) ? body.input : [{ role: "user", content: body.input }];
  const textsOf = (...roles: string[]) =>
    input
      .filter(({ role }: Body) => roles.includes(role))
      .map(({ content }: Body) => textOf(content))
      .join("\n");
  return {
    // What a search found is offered from then on.
    tools: [...(body.tools ?? []), ...input.flatMap((item: Body) => searchedTools(item))].flatMap(toolsOf),
    // A namespace is a server, and its description what the server says of itself.
    system: [
      textOf(body.instructions),
      textsOf("system", "developer"),
      ...(body.tools ?? []).filter(({ type }: Body) => type === "namespace").map(descriptionOf),
    ].join("\n"),
    user: textsOf("user"),
    results: input
      .filter(({ type }: Body) => /_output$/.test(type ?? ""))
      .map((item: Body) => ({ id: item.call_id, text: textOf(item.output ?? item.tools) })),
    isStreaming: body.stream === true,
  };
}

const descriptionOf = ({ description }: Body): string => textOf(description);

const searchedTools = (item: Body): Body[] =>
  item.type === "tool_search_output" && Array.isArray(item.tools) ? item.tools : [];

/** A namespace holds the tools of one server. */
function toolsOf(tool: Body): SentTool[] {
  if (tool.type === "namespace")
    return tool.tools.map((inner: Body) => ({
      name: `${tool.name}/${inner.name}`,
      json: JSON.stringify(inner),
      isDeferred: false,
    }));
  return [{ name: tool.name ?? tool.type, json: JSON.stringify(tool), isDeferred: false }];
}

function itemOf(reply: Reply, { tools }: Asked): Record<string, unknown> {
  if ("text" in reply)
    return {
      type: "message",
      id: "msg_1",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: reply.text, annotations: [] }],
    };
  const { id, tool, args } = reply.call;
  if (tool === "tool_search")
    return {
      type: "tool_search_call",
      call_id: id,
      execution: "client",
      status: "completed",
      arguments: args,
    };
  if (takesText(tools, tool))
    return { type: "custom_tool_call", id: `ctc_${id}`, call_id: id, name: tool, input: args.input };
  const [namespace, name] = tool.includes("/") ? tool.split("/") : [undefined, tool];
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: id,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    arguments: JSON.stringify(args),
    status: "completed",
  };
}
