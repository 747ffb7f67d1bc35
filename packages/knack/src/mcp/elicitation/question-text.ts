import type { Question } from "@knack/core";
import { escapeControl } from "../../terminal/visible.ts";

const MAX_SHOWN = 500;

/** The beginning and the end: a long text must not hide what comes after it. */
function shortened(text: string): string {
  const hidden = text.length - MAX_SHOWN;
  if (hidden <= 0) return text;
  const half = MAX_SHOWN / 2;
  return `${text.slice(0, half)} … ${hidden} more characters … ${text.slice(-half)}`;
}

/** What somebody is asked: the tool with its parameters, the skill, and why the policy asks. */
export function questionText({ tool, skill, calledBy, executes, reason }: Question, params: unknown): string {
  const of = calledBy ? ` of the skill ${JSON.stringify(calledBy.name)}` : "";
  const named = skill ? `the skill ${JSON.stringify(skill.name)} (${skill.path})` : "";
  const called = `call ${tool}${of} with ${shortened(JSON.stringify(params))}`;
  const what = !skill ? called : executes ? `${called}, which hands work to ${named}` : `use ${named}`;
  return escapeControl(`A model wants to ${what}. ${reason} Allow it?`);
}
