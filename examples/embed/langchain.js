import assert from "node:assert/strict";
import { openSkills } from "@knack/core";
import { langchain } from "@knack/core/langchain";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, tool } from "langchain";

const from = new URL("./skills", import.meta.url);
const skills = await openSkills({ from, permissions: { allow: ["greet"], default: "confirm" } });
const talk = skills.conversation();

// A model that does what it is told, in place of a real one.
class Scripted extends BaseChatModel {
  requests = [];
  constructor(...answers) {
    super({});
    this.answers = answers;
  }
  _llmType() {
    return "scripted";
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    this.requests.push(messages);
    const message = new AIMessage(this.answers.shift());
    return { generations: [{ text: message.text, message }] };
  }
}
const load = (id, name) => ({ content: "", tool_calls: [{ id, name: "skill_load", args: { name } }] });
const text = { content: "Done." };

const model = new Scripted(load("1", "greet"), load("2", "greet"), load("3", "deploy"), text);
const checkpointer = new MemorySaver();
const agent = createAgent({ model, checkpointer, ...langchain(talk, { tool, interrupt }) });
const thread = { configurable: { thread_id: "1" } };
const first = await agent.invoke({ messages: [{ role: "user", content: "Ada is here." }] }, thread);

assert.match(model.requests[0][0].text, /- greet: Greet a guest/);
const outputs = first.messages.filter(({ type }) => type === "tool").map((message) => message.text);
assert.match(outputs[0], /Good evening/);
assert.match(outputs[1], /already loaded/);

// Deploy waits for a person, in the way of LangGraph; then the same thread goes on.
const [asked] = first.__interrupt__;
assert.match(asked.value.text, /Load the skill "deploy"\?/);
const second = await agent.invoke(new Command({ resume: true }), thread);
assert.match(second.messages.at(-2).text, /Run the tests first/);

// A subagent has a context of its own, and gets the text again. This one streams.
const sub = createAgent({
  model: new Scripted(load("4", "greet"), text),
  ...langchain(talk.child(), { tool }),
});
const streamed = [];
const request = { messages: [{ role: "user", content: "Greet Ada." }] };
for await (const update of await sub.stream(request, { streamMode: "updates" })) streamed.push(update);
assert.match(streamed[1].tools.messages[0].text, /Good evening/);
console.log("langchain: ok");
