/**
 * The smallest agent that uses skills: a system prompt, tools, a loop. The model is scripted, so that nothing leaves this
 * machine and every step can be checked.
 *
 *   npm run build && npx node examples/03-agent-loop.ts
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createRuntime } from "@knack/core";

interface ToolCall {
  readonly tool: string;
  readonly params: unknown;
}
type Turn = { readonly call: ToolCall } | { readonly say: string };
type Message = { readonly role: "system" | "user" | "assistant" | "tool"; readonly content: string };

/** Stands where a model would: it sees every message and answers with a call of a tool or with words. */
function scriptedModel(messages: readonly Message[]): Turn {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  if (results.length === 0)
    return { call: { tool: "skill_search", params: { query: "draft notes for a release" } } };
  if (results.length === 1) return { call: { tool: "skill_load", params: { name: "release-notes" } } };
  if (results.length === 2) return { call: { tool: "skill_load", params: { name: "release-notes" } } };
  return { say: "Here are the notes." };
}

const cwd = join(import.meta.dirname, "..");
const runtime = await createRuntime({ cwd, home: join(cwd, "no-home"), env: {}, cache: false });
const session = runtime.session();

const messages: Message[] = [{ role: "system", content: session.systemPrompt() }];
const reaction = await session.input("Please write the release notes.");
assert.equal(reaction.to, "model");
messages.push({ role: "user", content: reaction.text });

for (let turn = scriptedModel(messages); ; turn = scriptedModel(messages)) {
  if ("say" in turn) {
    messages.push({ role: "assistant", content: turn.say });
    break;
  }
  const { tool, params } = turn.call;
  const envelope = await session.call(tool, params);
  console.log(`${tool} ${JSON.stringify(params)} → ${envelope.status}, ${envelope.text.length} characters`);
  messages.push({ role: "tool", content: envelope.text });
}

const [found = "", loaded = "", again = ""] = messages
  .filter(({ role }) => role === "tool")
  .map(({ content }) => content);
// The list is in the prompt, the text is not: it comes when it is asked for, and once.
assert.match(messages[0]?.content ?? "", /<name>release-notes<\/name>/);
assert.match(found, /release-notes/);
assert.match(loaded, /^<skill_context name="release-notes"/);
assert.match(again, /already loaded/);
assert.ok(again.length < loaded.length);
