import { type Asked, type Body, type Dialect, sendEvents, sendJson, textOf } from "./dialect.ts";

/** Gemini generateContent and streamGenerateContent: Gemini CLI. */
export const gemini: Dialect = {
  name: "Gemini",
  isTurn: (path) => /:(?:streamG|g)enerateContent/.test(path),
  read,
  write: (response, reply, asked) => {
    const part =
      "call" in reply
        ? { functionCall: { id: reply.call.id, name: reply.call.tool, args: reply.call.args } }
        : { text: reply.text };
    const whole = {
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: "scripted",
    };
    if (asked.isStreaming) sendEvents(response, [{ data: whole }]);
    else sendJson(response, whole);
  },
};

function read(body: Body, path: string): Asked {
  const parts = (body.contents ?? []).flatMap((content: Body) =>
    (content.parts ?? []).map((part: Body) => ({ role: content.role, part })),
  );
  return {
    tools: (body.tools ?? [])
      .flatMap((tool: Body) => tool.functionDeclarations ?? [])
      .map((tool: Body) => ({ name: tool.name, json: JSON.stringify(tool), isDeferred: false })),
    system: (body.systemInstruction?.parts ?? []).map(textOf).join("\n"),
    user: parts
      .filter(({ role, part }: Body) => role === "user" && typeof part.text === "string")
      .map(({ part }: Body) => part.text)
      .join("\n"),
    results: parts
      .filter(({ part }: Body) => part.functionResponse)
      .map(({ part }: Body, place: number) => ({
        id: part.functionResponse.id ?? `place-${place}`,
        text: responseText(part.functionResponse.response),
      })),
    isStreaming: path.includes("streamGenerateContent"),
  };
}

/** The answer is an object; a text alone is in its one field. */
function responseText(response: Body): string {
  const values = Object.values(response ?? {});
  return values.length === 1 && typeof values[0] === "string" ? values[0] : JSON.stringify(response);
}
