import { signal } from "@preact/signals";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ApiError, request, visible } from "./client.ts";

/**
 * The events of the server: read by fetch, because EventSource cannot send the token in a header. A lost stream is opened
 * again and continues after the last event.
 */

type Connection =
  | { readonly state: "connecting" | "live" | "paused" }
  | { readonly state: "gone"; readonly since: Date };

export const connection = signal<Connection>({ state: "connecting" });

/** The server writes at least every 15 seconds. */
const SILENT_MS = 40_000;
const RETRY_MS = [300, 700, 1_500, 3_000] as const;
/** Browsers open few connections to one server, so tabs that nobody looks at give theirs back. */
const HIDDEN_MS = 5_000;

type Listener = (data: unknown) => void;
const listeners = new Map<string, Set<Listener>>();
let lastId = "";
let wasLive = false;
let stream: AbortController | undefined;
let hidden: ReturnType<typeof setTimeout> | undefined;
/** Ends the pause before the next try. */
let retryNow: () => void = () => undefined;

/** Calls the listener with each event of this type: "catalog", "log", "clients", "questions", "plans", "locks", or "returned" when a lost stream is back. */
export function onEvent(type: string, listener: Listener): () => void {
  const all = listeners.get(type) ?? new Set();
  listeners.set(type, all.add(listener));
  return () => void all.delete(listener);
}

export function startEvents(): void {
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hidden);
    if (document.visibilityState === "hidden") hidden = setTimeout(pause, HIDDEN_MS);
    else if (connection.value.state === "paused") void follow();
    else retryNow();
  });
  addEventListener("online", () => retryNow());
  void follow();
}

export function retryConnection(): void {
  retryNow();
}

function pause(): void {
  connection.value = { state: "paused" };
  stream?.abort();
}

async function follow(): Promise<void> {
  connection.value = { state: "connecting" };
  for (let tries = 0; connection.value.state !== "paused"; tries++) {
    const own = new AbortController();
    stream = own;
    try {
      await readStream(own);
    } catch (error) {
      // With a wrong token there is nothing to wait for.
      if (error instanceof ApiError && error.status === 401) return;
    }
    if (isPaused()) return;
    if (connection.value.state === "live") tries = 0;
    if (connection.value.state !== "gone") connection.value = { state: "gone", since: new Date() };
    await new Promise<void>((done) => {
      retryNow = done;
      setTimeout(done, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    });
  }
}

const isPaused = (): boolean => connection.value.state === "paused";

async function readStream(own: AbortController): Promise<void> {
  let timer = setTimeout(() => own.abort(), SILENT_MS);
  try {
    const response = await request("/api/events?answers=true", {
      signal: own.signal,
      headers: { Accept: "text/event-stream", ...(lastId ? { "Last-Event-ID": lastId } : {}) },
    });
    connection.value = { state: "live" };
    if (wasLive) tell({ event: "returned", data: "{}" });
    wasLive = true;
    const parser = createParser({ onEvent: tell });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => own.abort(), SILENT_MS);
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
    own.abort();
  }
}

function tell({ event = "", id, data }: EventSourceMessage): void {
  lastId = id ?? lastId;
  const value: unknown = JSON.parse(data, visible);
  for (const listener of listeners.get(event) ?? []) listener(value);
}
