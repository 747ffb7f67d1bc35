import assert from "node:assert/strict";
import { openSkills } from "@knack/core";
import { aiSdk } from "@knack/core/ai-sdk";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { MockLanguageModelV4 } from "ai/test";

const from = new URL("../skills", import.meta.url);
const skills = await openSkills({ from, permissions: { allow: ["greet"], default: "confirm" } });
const talk = skills.conversation();

// A model that does what it is told, in place of a real one.
const load = (toolCallId, name) => ({
  type: "tool-call",
  toolCallId,
  toolName: "skill_load",
  input: JSON.stringify({ name }),
});
const text = { type: "text", text: "Done." };
const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const endOf = (content) => ({
  finishReason: { unified: content === text ? "stop" : "tool-calls", raw: undefined },
  usage: { inputTokens: tokens, outputTokens: tokens },
});
const model = (...answers) =>
  new MockLanguageModelV4({
    doGenerate: answers.map((content) => ({ content: [content], ...endOf(content), warnings: [] })),
    doStream: answers.map((content) => ({
      stream: ReadableStream.from([
        { type: "stream-start", warnings: [] },
        ...(content === text ? [] : [content]),
        { type: "finish", ...endOf(content) },
      ]),
    })),
  });

const scripted = model(load("1", "greet"), load("2", "greet"), load("3", "deploy"), text);
const host = new Agent({ id: "host", name: "Host", model: scripted, ...aiSdk(talk) });
const sub = new Agent({
  id: "sub",
  name: "Sub",
  model: model(load("4", "greet"), text),
  ...aiSdk(talk.child()),
});
const mastra = new Mastra({ agents: { host, sub }, storage: new InMemoryStore(), logger: false });
const agent = mastra.getAgent("host");
const first = await agent.generate("Ada is here.");

const [request] = scripted.doGenerateCalls;
assert.match(JSON.stringify(request.prompt), /- greet: Greet a guest/);
const outputs = first.toolResults.map(({ payload }) => payload.result);
assert.match(outputs[0], /Good evening/);
assert.match(outputs[1], /already loaded/);

// Deploy waits for a person, in the way of Mastra; then the same run goes on.
assert.equal(first.finishReason, "suspended");
const { toolCallId, args } = first.suspendPayload;
assert.equal(args.name, "deploy");
const second = await agent.approveToolCallGenerate({ runId: first.runId, toolCallId });
assert.match(second.toolResults.at(-1).payload.result, /Run the tests first/);

// A subagent has a context of its own, and gets the text again. This one streams.
const { fullStream } = await mastra.getAgent("sub").stream("Greet Ada.");
const parts = await Array.fromAsync(fullStream);
assert.match(parts.find(({ type }) => type === "tool-result").payload.result, /Good evening/);
console.log("mastra: ok");
