import assert from "node:assert/strict";
import { openSkills } from "@knack/core";
import { aiSdk } from "@knack/core/ai-sdk";
import { ToolLoopAgent } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const from = new URL("./skills", import.meta.url);
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
const agent = new ToolLoopAgent({ model: scripted, ...aiSdk(talk) });
const messages = [{ role: "user", content: "Ada is here." }];
const first = await agent.generate({ messages });

const [request] = scripted.doGenerateCalls;
assert.match(JSON.stringify(request.prompt), /- greet: Greet a guest/);
const outputs = first.steps.flatMap((step) => step.toolResults).map(({ output }) => output);
assert.match(outputs[0], /Good evening/);
assert.match(outputs[1], /already loaded/);

// Deploy waits for a person, in the way of the SDK; then the same conversation goes on.
const asked = first.content.find(({ type }) => type === "tool-approval-request");
assert.equal(asked.toolCall.input.name, "deploy");
const answer = { type: "tool-approval-response", approvalId: asked.approvalId, approved: true };
messages.push(...first.response.messages, { role: "tool", content: [answer] });
await agent.generate({ messages });
assert.match(JSON.stringify(scripted.doGenerateCalls.at(-1).prompt), /Run the tests first/);

// A subagent has a context of its own, and gets the text again. This one streams.
const sub = new ToolLoopAgent({ model: model(load("4", "greet"), text), ...aiSdk(talk.child()) });
const { fullStream } = await sub.stream({ prompt: "Greet Ada." });
const parts = await Array.fromAsync(fullStream);
assert.match(parts.find(({ type }) => type === "tool-result").output, /Good evening/);
console.log("ai-sdk: ok");
