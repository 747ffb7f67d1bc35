import type { Confirm, Confirmation, Question } from "@knack/core";
import type { ServerContext } from "@modelcontextprotocol/server";

/**
 * A call that may stop for a question and goes on from there with the answer. To begin again would do what was done a
 * second time: a dispatch asks for each skill of its tree, when others have run already.
 */
export class PausedCall<Result> {
  readonly #ended = new AbortController();
  readonly #result: Promise<Result>;
  #asked = Promise.withResolvers<Question>();
  #answer: ((answer: Confirmation) => void) | undefined;
  /** One question at a time. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(start: (confirm: Confirm, signal: AbortSignal) => Promise<Result>) {
    this.#result = Promise.resolve().then(() => start((one) => this.#ask(one), this.#ended.signal));
    this.#result.catch(() => {}); // `next` tells it, if anybody still waits.
  }

  /** What the call came to, or what it asks. It ends with the signal, of whoever waits now. */
  async next(signal: AbortSignal): Promise<{ readonly result: Result } | { readonly question: Question }> {
    const end = (): void => this.#ended.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([
        this.#result.then((result) => ({ result })),
        this.#asked.promise.then((question) => ({ question })),
      ]);
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  answer(answer: Confirmation): void {
    this.#asked = Promise.withResolvers();
    this.#answer?.(answer);
  }

  giveUp(): void {
    this.#ended.abort();
    this.answer("dismissed");
  }

  #ask(question: Question): Promise<Confirmation> {
    const answered = this.#before.then(() => {
      const { promise, resolve } = Promise.withResolvers<Confirmation>();
      this.#answer = resolve;
      this.#asked.resolve(question);
      return promise;
    });
    this.#before = answered;
    return answered;
  }
}

/** How long a question stays open, as long as its seal holds, and how many: whoever never answers keeps nothing for ever. */
const OPEN_MS = 10 * 60 * 1_000;
const MAX_OPEN = 1_000;

/** The calls of a process that wait for an answer, each by the id of its question. */
export class PausedCalls<Call extends { giveUp(): void }> {
  readonly #calls = new Map<string, { readonly call: Call; readonly timer: NodeJS.Timeout }>();

  keep(id: string, call: Call): void {
    const [oldest] = this.#calls.keys();
    if (this.#calls.size >= MAX_OPEN && oldest !== undefined) this.take(oldest)?.giveUp();
    const timer = setTimeout(() => this.take(id)?.giveUp(), OPEN_MS).unref();
    this.#calls.set(id, { call, timer });
  }

  /** Each question is for one answer. */
  take(id: string): Call | undefined {
    const kept = this.#calls.get(id);
    clearTimeout(kept?.timer);
    this.#calls.delete(id);
    return kept?.call;
  }

  giveUp(): void {
    for (const id of [...this.#calls.keys()]) this.take(id)?.giveUp();
  }
}

/** A call under way, with the question that it waits for and whoever wants to hear how it goes on. */
export class AskingCall extends PausedCall<unknown> {
  progress: Progress | undefined;
}

/** What a question needs to be taken up again by the next request: it travels through the client, sealed. */
export interface AskState {
  readonly id: string;
  /** Digest of the call that it belongs to. */
  readonly call: string;
  /** Whether the user was offered to answer for good: only then is such an answer one. */
  readonly canLast: boolean;
}

const EVERY_MS = 1_000;

interface Progress {
  tell(message: string): void;
  end(): void;
}

/** Tells a client that wants to know it that a call goes on: at once, then each second, with the last that was heard. */
export function startProgress(ctx: ServerContext, what: string): Progress {
  const token = ctx.mcpReq._meta?.progressToken;
  if (token === undefined) return { tell: () => {}, end: () => {} };
  let message = `${what} is running`;
  let progress = 0;
  const send = (): void => {
    const params = { progressToken: token, progress: progress++, message };
    // Whoever does not hear it any more gets no answer either.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  send();
  const timer = setInterval(send, EVERY_MS);
  return {
    tell: (heard) => {
      message = heard.trim().slice(0, 500) || message;
    },
    end: () => clearInterval(timer),
  };
}
