/** What a question needs to be taken up again by the next request: it travels through the client, sealed. */
export interface AskState {
  readonly id: string;
  /** Digest of the call that it belongs to. */
  readonly call: string;
  /** Whether the user was offered to answer for good: only then is such an answer one. */
  readonly canLast: boolean;
}
