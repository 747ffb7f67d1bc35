import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { openSkills } from "@knack/core";
import { anthropic } from "@knack/core/anthropic";

const from = new URL("./skills", import.meta.url);
const skills = await openSkills({ from, permissions: { allow: ["greet"], default: "confirm" } });
const talk = skills.conversation();

// A service that does what it is told, in place of the real one.
const load = (id, name) => ({ type: "tool_use", id, name: "skill_load", input: { name } });
const text = { type: "text", text: "Done." };
const requests = [];
const client = (...answers) =>
  new Anthropic({
    apiKey: "none",
    fetch: async (_url, { body }) => {
      requests.push(JSON.parse(body));
      const content = answers.shift();
      const stop_reason = content === text ? "end_turn" : "tool_use";
      const usage = { input_tokens: 1, output_tokens: 1 };
      const message = { type: "message", role: "assistant", content: [content], stop_reason, usage };
      return requests.at(-1).stream ? streamed(message) : Response.json(message);
    },
  });
const streamed = ({ content: [block], stop_reason, ...message }) => {
  const { input, ...content_block } = block;
  const json = { type: "input_json_delta", partial_json: JSON.stringify(input) };
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    {
      type: "content_block_start",
      index: 0,
      content_block: { ...content_block, ...(input && { input: {} }) },
    },
    ...(input ? [{ type: "content_block_delta", index: 0, delta: json }] : []),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason }, usage: message.usage },
    { type: "message_stop" },
  ];
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
};
const start = { model: "any", max_tokens: 100, messages: [{ role: "user", content: "Ada is here." }] };

// The runner has no way to ask, so the program brings one.
const asked = [];
const ask = async (question) => {
  asked.push(question.text);
  return true;
};
const scripted = client(load("1", "greet"), load("2", "greet"), load("3", "deploy"), text);
await scripted.beta.messages.toolRunner({ ...start, ...anthropic(talk, ask) });

assert.match(requests[0].system, /- greet: Greet a guest/);
const outputs = requests.slice(1).map(({ messages }) => messages.at(-1).content[0].content);
assert.match(outputs[0], /Good evening/);
assert.match(outputs[1], /already loaded/);
assert.match(asked[0], /Load the skill "deploy"\?/);
assert.match(outputs[2], /Run the tests first/);

// A subagent has a context of its own, and gets the text again. This one streams.
const sub = client(load("4", "greet"), text);
const events = [];
for await (const stream of sub.beta.messages.toolRunner({
  ...start,
  stream: true,
  ...anthropic(talk.child()),
}))
  for await (const { type } of stream) events.push(type);
assert.ok(events.includes("content_block_delta"));
assert.match(requests.at(-1).messages.at(-1).content[0].content, /Good evening/);
console.log("anthropic: ok");
