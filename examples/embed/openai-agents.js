import assert from "node:assert/strict";
import { openSkills } from "@knack/core";
import { openaiAgents } from "@knack/core/openai-agents";
import { Agent, Runner, Usage } from "@openai/agents";

const from = new URL("./skills", import.meta.url);
const skills = await openSkills({ from, permissions: { allow: ["greet"], default: "confirm" } });
const talk = skills.conversation();

// A model that does what it is told, in place of a real one. In strict mode models fill in every parameter.
const filled = { path: "", ref: null, force: false, args: "", offset: 0 };
const load = (callId, name) => ({
  type: "function_call",
  callId,
  name: "skill_load",
  status: "completed",
  arguments: JSON.stringify({ name, ...filled }),
});
const text = {
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Done." }],
};
const requests = [];
const model = (...answers) => ({
  getResponse: async (request) => {
    requests.push(request);
    return { usage: new Usage(), output: [answers.shift()] };
  },
  async *getStreamedResponse() {
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    yield { type: "response_done", response: { id: "any", usage, output: [answers.shift()] } };
  },
});

const runner = new Runner({ tracingDisabled: true });
const scripted = model(load("1", "greet"), load("2", "greet"), load("3", "deploy"), text);
const agent = new Agent({ name: "Host", model: scripted, ...openaiAgents(talk) });
const first = await runner.run(agent, "Ada is here.");

assert.match(requests[0].systemInstructions, /- greet: Greet a guest/);
const outputsOf = ({ newItems }) => newItems.filter(({ type }) => type === "tool_call_output_item");
const [given, again] = outputsOf(first).map(({ output }) => output);
assert.match(given, /Good evening/);
assert.match(again, /already loaded/);

// Deploy waits for a person, in the way of the SDK; then the same run goes on.
const [asked] = first.interruptions;
assert.match(asked.rawItem.arguments, /deploy/);
first.state.approve(asked);
const second = await runner.run(agent, first.state);
assert.match(outputsOf(second).at(-1).output, /Run the tests first/);

// A subagent has a context of its own, and gets the text again. This one streams.
const sub = new Agent({ name: "Sub", model: model(load("4", "greet"), text), ...openaiAgents(talk.child()) });
const streamed = await runner.run(sub, "Greet Ada.", { stream: true });
await streamed.completed;
assert.match(outputsOf(streamed)[0].output, /Good evening/);
console.log("openai-agents: ok");
