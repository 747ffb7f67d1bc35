import { QUESTION_MS } from "../../mcp/page-questions.ts";

/** How often something may happen: `perSecond` for long, and `atOnce` after a pause. */
export interface Rate {
  readonly perSecond: number;
  readonly atOnce: number;
}

/** What one client can use; docs/http.md promises each limit. */
export interface ServerLimits {
  /** Time limits for the headers and for the complete request. Answers may take longer. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long an idle connection stays open. */
  readonly keepAliveMs: number;
  readonly connections: number;
  readonly headers: number;
  readonly headerBytes: number;
  readonly pathBytes: number;
  readonly bodyBytes: number;
  /** Size of an uploaded file, which is not kept in memory. */
  readonly uploadBytes: number;
  /** How long a client may leave an answer unread. */
  readonly stalledMs: number;
  /** Maximum number of streams (server-sent events) of all kinds; less than `connections`, so that others can connect. */
  readonly streams: number;
  /** Maximum number of `/api/events` streams. */
  readonly eventStreams: number;
  readonly runs: number;
  /** Wrong tokens of all senders together. */
  readonly wrongTokenRate: Rate;
  /** Requests of one named token. */
  readonly tokenRate: Rate;
  /** How often an open stream looks whether its token was revoked. */
  readonly recheckMs: number;
  readonly heartbeatMs: number;
  /** How often the log is polled while someone follows it: other processes write it too. */
  readonly pollMs: number;
  /** How long a question of an agent waits on the page. */
  readonly questionMs: number;
}

export const LIMITS: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 30_000,
  connections: 512,
  headers: 100,
  headerBytes: 32 * 1024,
  pathBytes: 8 * 1024,
  bodyBytes: 4 * 1024 * 1024,
  uploadBytes: 512 * 1024 * 1024,
  stalledMs: 30_000,
  streams: 224,
  eventStreams: 32,
  runs: 16,
  wrongTokenRate: { perSecond: 1, atOnce: 20 },
  tokenRate: { perSecond: 50, atOnce: 250 },
  recheckMs: 2_000,
  heartbeatMs: 15_000,
  pollMs: 500,
  questionMs: QUESTION_MS,
};
