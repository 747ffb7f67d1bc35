/** What one client may cost; each is a promise of docs/http.md. */
export interface ServerLimits {
  /** How long the header of a request may take, and a request as a whole. Answers may take longer. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long a connection is kept without a request. */
  readonly keepAliveMs: number;
  readonly connections: number;
  /** How long a connection beyond that may bring no request; a client of many is slow to write on all of them. */
  readonly silentMs: number;
  readonly headers: number;
  readonly headerBytes: number;
  readonly pathBytes: number;
  readonly bodyBytes: number;
  /** All larger bodies together that are in memory at once. */
  readonly allBodiesBytes: number;
  /** How long a client may leave an answer unread. */
  readonly stalledMs: number;
  /** Answers that go on and on (server-sent), of all kinds; fewer than connections, so that there is room for others. */
  readonly streams: number;
  /** Those of `/api/events`. */
  readonly eventStreams: number;
  readonly runs: number;
  /** So many wrong tokens in a row are answered at once; so many wrong ones wait for their answer at a time. */
  readonly wrongTokens: number;
  readonly slowed: number;
  readonly heartbeatMs: number;
  /** How often the log is looked at while somebody follows it: other processes write it too. */
  readonly pollMs: number;
}

export const LIMITS: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 30_000,
  connections: 256,
  silentMs: 5_000,
  headers: 100,
  headerBytes: 32 * 1024,
  pathBytes: 8 * 1024,
  bodyBytes: 4 * 1024 * 1024,
  allBodiesBytes: 8 * 1024 * 1024,
  stalledMs: 30_000,
  streams: 224,
  eventStreams: 32,
  runs: 16,
  wrongTokens: 10,
  slowed: 16,
  heartbeatMs: 15_000,
  pollMs: 500,
};
