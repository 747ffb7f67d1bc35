/**
 * An agent on any endpoint that speaks the chat completions of OpenAI: llama.cpp, vLLM, Ollama, a hosted one.
 *
 *   OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=qwen3 npx node examples/04-openai-compatible.ts
 *
 * Without an address it starts a stand-in on loopback that answers like such an endpoint, and checks what was sent.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createRuntime } from "@knack/core";

interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}
interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
}
interface Completion {
  readonly choices: readonly { readonly message: Message }[];
}

const { OPENAI_BASE_URL, OPENAI_API_KEY = "none", OPENAI_MODEL = "stand-in" } = process.env;
const server = await standIn();
const base = OPENAI_BASE_URL ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

const cwd = join(import.meta.dirname, "..");
const runtime = await createRuntime({ cwd, home: join(cwd, "no-home"), env: {}, cache: false });
const session = runtime.session();

const tools = session.tools.map(({ name, description, inputSchema }) => ({
  type: "function",
  function: { name, description, parameters: inputSchema },
}));
const messages: Message[] = [
  { role: "system", content: `You are a careful engineer.\n\n${session.systemPrompt()}` },
];
const reaction = await session.input(
  process.argv[2] ?? "The import test fails since yesterday. Find out why.",
);
// A slash command is for the person who typed it; the model never sees it.
if (reaction.to === "person") console.log(reaction.text);
else messages.push({ role: "user", content: reaction.text });

for (let turns = 0; reaction.to === "model" && turns < 10; turns++) {
  const message = await complete(messages);
  messages.push(message);
  if (!message.tool_calls?.length) break;
  for (const { id, function: called } of message.tool_calls) {
    const envelope = await session.call(called.name, parse(called.arguments));
    console.log(`${called.name} ${called.arguments} → ${envelope.status}`);
    messages.push({ role: "tool", tool_call_id: id, content: envelope.text });
  }
}
console.log(messages.at(-1)?.content ?? "");
server.close();

if (!OPENAI_BASE_URL) {
  const answers = messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
  assert.match(answers[0] ?? "", /systematic-debugging/);
  assert.match(answers[1] ?? "", /^<skill_context name="systematic-debugging"/);
  assert.equal(messages.at(-1)?.content, "The cause is found.");
}

async function complete(history: readonly Message[]): Promise<Message> {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${OPENAI_API_KEY}` },
    body: JSON.stringify({ model: OPENAI_MODEL, messages: history, tools }),
  });
  if (!response.ok) throw new Error(`${base} answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as Completion;
  const [choice] = choices;
  if (!choice) throw new Error(`${base} answered without a choice.`);
  return choice.message;
}

/** A model may write anything; what is not JSON becomes a refusal that it can read. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Answers as such an endpoint does: first two calls of tools, then words. */
async function standIn(): Promise<Server> {
  const standing = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { messages: history, tools: offered } = JSON.parse(body) as {
      messages: Message[];
      tools: typeof tools;
    };
    assert.equal(request.url, "/v1/chat/completions");
    assert.ok(offered.every((tool) => tool.function.parameters.type === "object"));
    const call = (name: string, args: object): Message => ({
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: `call_${history.length}`,
          type: "function",
          function: { name, arguments: JSON.stringify(args) },
        },
      ],
    });
    const steps = history.filter(({ role }) => role === "tool").length;
    const message =
      steps === 0
        ? call("skill_search", { query: "a test fails, find the cause" })
        : steps === 1
          ? call("skill_load", { name: "systematic-debugging" })
          : { role: "assistant", content: "The cause is found." };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message }] }));
  });
  await new Promise<void>((ready) => standing.listen(0, "127.0.0.1", ready));
  return standing;
}
