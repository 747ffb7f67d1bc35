// In each framework one line, also for a strict compiler; nothing here is run.

import Anthropic from "@anthropic-ai/sdk";
import { openSkills } from "@knack/core";
import { aiSdk } from "@knack/core/ai-sdk";
import { anthropic } from "@knack/core/anthropic";
import { langchain } from "@knack/core/langchain";
import { openaiAgents } from "@knack/core/openai-agents";
import { interrupt } from "@langchain/langgraph";
import { Agent } from "@openai/agents";
import { generateText, type LanguageModel, ToolLoopAgent } from "ai";
import { createAgent, tool } from "langchain";

const talk = (await openSkills({ from: "./skills" })).conversation();
declare const model: LanguageModel;
export const a = new ToolLoopAgent({ model, ...aiSdk(talk) });
export const b = await generateText({ model, prompt: "x", ...aiSdk(talk) });
export const c = new Agent({ name: "x", ...openaiAgents(talk) });
export const d = createAgent({ model: "x", ...langchain(talk, { tool, interrupt }) });
export const e = await new Anthropic().beta.messages.toolRunner({
  model: "x",
  max_tokens: 1,
  messages: [],
  ...anthropic(talk),
});
