import { randomUUID } from "node:crypto";
import type { Confirm, Confirmation, Question } from "@knack/core";
import * as z from "zod";
import { namedCaller } from "../host/access.ts";
import { denied } from "../options.ts";
import { escapeControl } from "../terminal/visible.ts";

/** A question that waits for somebody at the page. */
export const openQuestionSchema = z.strictObject({
  id: z.string(),
  client: z.string(),
  tool: z.string(),
  skill: z.string().nullable(),
  path: z.string().nullable(),
  /** It runs code or starts a program. */
  executes: z.boolean(),
  /** Why the policy asks. */
  reason: z.string(),
  text: z.string(),
  /** What the person confirms with their own word, which is recorded with their name; null where they only allow it. */
  confirms: z.string().nullable().default(null),
  /** Whether the answer can be kept for good. */
  can_last: z.boolean(),
  asked_at: z.iso.datetime(),
  /** After this moment nobody waits for the answer. */
  until: z.iso.datetime(),
});
export type OpenQuestion = z.infer<typeof openQuestionSchema>;

/** A dismissed question is not a refusal. `always` counts only where it was offered. */
export const questionAnswerSchema = z.strictObject({
  answer: z.enum(["allow", "deny", "dismiss"]),
  always: z.boolean("must be true or false").default(false),
});
/** `by`: who answered. */
export type QuestionAnswer = z.infer<typeof questionAnswerSchema> & { readonly by?: string | undefined };

interface Waiting {
  readonly question: OpenQuestion;
  /** The named token that asked. */
  readonly asker: string | undefined;
  readonly answer: (answer: Confirmation) => void;
  readonly answeredBy: ((name: string) => void) | undefined;
}

const MAX_OPEN = 100;
/** How long a question waits: less than the minute after which most clients end a call. */
export const QUESTION_MS = 50_000;

/**
 * Asks a person on the page what a client cannot ask its user. The call waits for a bounded time: a client ends calls that take
 * longer, and its model would never learn why. A question without an answer is dismissed, which is not a refusal.
 */
export class PageQuestions {
  readonly #waitMs: number;
  readonly #open = new Map<string, Waiting>();
  /** Whether a page is open that shows questions, to somebody else than the named token that asks. */
  canAsk: (asker: string | undefined) => boolean = () => false;
  /** Called when a question was asked or ended. */
  onChange: () => void = () => {};

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Asks for one call, until its signal ends it; `undefined` where nobody is there to answer. */
  confirmFor(client: string, params: unknown, signal: AbortSignal): Confirm | undefined {
    if (!this.canAsk(namedCaller()?.id)) return undefined;
    return (question) => this.#ask(question, client, params, signal);
  }

  list(): OpenQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** False where the question is not open any more. */
  answer(id: string, { answer, always, by }: QuestionAnswer): boolean {
    const waiting = this.#open.get(id);
    if (!waiting) return false;
    if (waiting.asker !== undefined && waiting.asker === namedCaller()?.id)
      throw denied("Your own token asks this. Somebody else has to answer it.");
    if (by !== undefined) waiting.answeredBy?.(by);
    const allowed = always && waiting.question.can_last ? "remember" : "yes";
    waiting.answer(answer === "allow" ? allowed : answer === "deny" ? "no" : "dismissed");
    return true;
  }

  close(): void {
    for (const { answer } of [...this.#open.values()]) answer("dismissed");
  }

  async #ask(asked: Question, client: string, params: unknown, signal: AbortSignal): Promise<Confirmation> {
    if (this.#open.size >= MAX_OPEN || signal.aborted) return "dismissed";
    const { promise, resolve } = Promise.withResolvers<Confirmation>();
    const now = Date.now();
    const question: OpenQuestion = {
      id: randomUUID(),
      client,
      tool: asked.tool,
      skill: (asked.skill ?? asked.calledBy)?.name ?? null,
      path: (asked.skill ?? asked.calledBy)?.path ?? null,
      executes: asked.executes ?? false,
      reason: asked.reason,
      text: questionText(asked, params),
      confirms: asked.confirms?.role ?? null,
      can_last: asked.skill !== undefined,
      asked_at: new Date(now).toISOString(),
      until: new Date(now + this.#waitMs).toISOString(),
    };
    const dismiss = (): void => resolve("dismissed");
    const timer = setTimeout(dismiss, this.#waitMs);
    signal.addEventListener("abort", dismiss, { once: true });
    const { answeredBy } = asked.confirms ?? {};
    this.#open.set(question.id, { question, asker: namedCaller()?.id, answer: resolve, answeredBy });
    this.onChange();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", dismiss);
      this.#open.delete(question.id);
      this.onChange();
    }
  }
}

const MAX_SHOWN = 500;

/** The beginning and the end: a long text must not hide what comes after it. */
function shortened(text: string): string {
  const hidden = text.length - MAX_SHOWN;
  if (hidden <= 0) return text;
  const half = MAX_SHOWN / 2;
  return `${text.slice(0, half)} … ${hidden} more characters … ${text.slice(-half)}`;
}

/** What somebody is asked: the tool with its parameters, the skill, and why the policy asks. */
export function questionText(question: Question, params: unknown): string {
  const { tool, skill, calledBy, executes, reason, confirms } = question;
  if (confirms) return escapeControl(`A model asks for this run: ${reason} Do you confirm it?`);
  const of = calledBy ? ` of the skill ${JSON.stringify(calledBy.name)}` : "";
  const named = skill ? `the skill ${JSON.stringify(skill.name)} (${skill.path})` : "";
  const called = `call ${tool}${of} with ${shortened(JSON.stringify(question.params ?? params))}`;
  const what = !skill ? called : executes ? `${called}, which hands work to ${named}` : `use ${named}`;
  return escapeControl(`A model wants to ${what}. ${reason} Allow it?`);
}
