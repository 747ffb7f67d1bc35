import type { Question } from "@knack/core";
import { escapeControl } from "../../terminal/visible.ts";

const MAX_SHOWN = 500;

/** What somebody is asked: the tool with its parameters, the skill, and why the policy asks. */
export function questionText({ tool, skill, calledBy, executes, reason }: Question, params: unknown): string {
  const of = calledBy ? ` of the skill ${JSON.stringify(calledBy.name)}` : "";
  const named = skill ? `the skill ${JSON.stringify(skill.name)} (${skill.path})` : "";
  const called = `call ${tool}${of} with ${JSON.stringify(params).slice(0, MAX_SHOWN)}`;
  const what = !skill ? called : executes ? `${called}, which hands work to ${named}` : `use ${named}`;
  return escapeControl(`A model wants to ${what}. ${reason} Allow it?`);
}
