// In each framework: what a function of the host throws is for the host, and no model reads it.

import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { openSkills } from "@knack/core";
import { aiSdk } from "@knack/core/ai-sdk";
import { anthropic } from "@knack/core/anthropic";
import { langchain } from "@knack/core/langchain";
import { openaiAgents } from "@knack/core/openai-agents";
import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Agent, Runner, Usage } from "@openai/agents";
import { ToolLoopAgent } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createAgent, tool } from "langchain";

const broken = new TypeError("the database at 10.0.0.7 is down");
const from = new URL("./skills", import.meta.url);
const observe = () => {
  throw broken;
};
const talk = (await openSkills({ from, observe })).conversation();
const call = { name: "skill_load", arguments: '{"name":"greet"}' };

/** The error, or one of its causes, is the host's own. */
function isBroken(error) {
  for (let one = error; one; one = one.cause ?? one.error) if (one === broken) return true;
  return false;
}

// The OpenAI Agents SDK ends the run with it.
const openai = {
  getResponse: async () => ({
    usage: new Usage(),
    output: [{ type: "function_call", callId: "1", ...call }],
  }),
};
const agent = new Agent({ name: "Host", model: openai, ...openaiAgents(talk) });
await assert.rejects(new Runner({ tracingDisabled: true }).run(agent, "x"), isBroken);

// LangChain goes on with the model.
const request = { content: "", tool_calls: [{ id: "1", name: call.name, args: { name: "greet" } }] };
class Scripted extends FakeListChatModel {
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const message = new AIMessage(messages.length < 4 ? request : "Done.");
    return { generations: [{ text: "", message }] };
  }
}
const graph = createAgent({ model: new Scripted({ responses: [] }), ...langchain(talk, { tool }) });
const { messages } = await graph.invoke({ messages: [{ role: "user", content: "x" }] });
assert.match(messages.at(-2).text, /Go on without the tool/);
assert.doesNotMatch(messages.at(-2).text, /database/);

// The AI SDK hands it on as a `tool-error`, and goes on with the model.
const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const usage = { inputTokens: tokens, outputTokens: tokens };
const answer = (content, unified) => ({ content: [content], finishReason: { unified }, usage, warnings: [] });
const model = new MockLanguageModelV4({
  doGenerate: [
    answer({ type: "tool-call", toolCallId: "1", toolName: call.name, input: call.arguments }, "tool-calls"),
    answer({ type: "text", text: "Done." }, "stop"),
  ],
});
const { steps } = await new ToolLoopAgent({ model, ...aiSdk(talk) }).generate({ prompt: "x" });
assert.ok(isBroken(steps[0].content.find(({ type }) => type === "tool-error").error));
assert.doesNotMatch(JSON.stringify(model.doGenerateCalls), /database/);

// The runner of the Anthropic SDK goes on too, and tells nobody.
const sent = [];
const client = new Anthropic({
  apiKey: "none",
  fetch: async (_url, { body }) => {
    sent.push(body);
    const use = { type: "tool_use", id: "1", name: call.name, input: { name: "greet" } };
    const content = [sent.length === 1 ? use : { type: "text", text: "Done." }];
    const stop_reason = sent.length === 1 ? "tool_use" : "end_turn";
    return Response.json({ type: "message", role: "assistant", content, stop_reason, usage: {} });
  },
});
await client.beta.messages.toolRunner({
  ...{ model: "any", max_tokens: 9, messages: [{ role: "user", content: "x" }] },
  ...anthropic(talk),
});
assert.equal(sent.length, 2);
assert.match(sent[1], /is_error":true/);
assert.doesNotMatch(sent[1], /database/);
console.log("host-errors: ok");
