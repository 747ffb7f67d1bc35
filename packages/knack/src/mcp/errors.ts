import { KnackError, type Session } from "@knack/core";
import { trustNotice } from "@knack/core/session";
import { answerTo, boundedMessage, quote, shorten } from "@knack/core/text";
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { note } from "../terminal/output.ts";
import { escapeControl, messageOf } from "../terminal/visible.ts";

/**
 * A failure that nobody foresaw is told on standard error; the client hears that there was one and no more, because its
 * message may quote anything.
 */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { rpc } = answerTo(error);
    if (error instanceof KnackError && rpc === ProtocolErrorCode.InvalidParams)
      throw new ProtocolError(rpc, boundedMessage(error.message));
    if (error instanceof RangeError)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "The parameters are too large or nested too deeply; send less.",
      );
    note(`error: ${escapeControl(messageOf(error))}`);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      "Internal error; see the standard error of Knack.",
    );
  }
}

/** That one may be there all the same, where some wait for trust. */
export function waiting({ catalog }: Session): string {
  return catalog.waitingForTrust > 0 ? ` ${trustNotice(catalog)}` : "";
}

/** There is nothing at a URI, and what to do about it. */
export function notFound(uri: string, session: Session): ResourceNotFoundError {
  const hint = "Use a URI exactly as resources/list, skills/list or resources/directory/read returns it.";
  return new ResourceNotFoundError(
    shorten(uri),
    `There is no resource ${quote(uri)}. ${hint}${waiting(session)}`,
  );
}

/** So many are told one by one; a catalog of thousands would fill the log of a client. */
const MAX_REPORTED = 20;

/** What is worth a word on standard error, each once. */
export class Warnings {
  readonly #reported = new Set<string>();
  #isFull = false;

  tell(message: string): void {
    if (this.#isFull || this.#reported.has(message)) return;
    if (this.#reported.size >= MAX_REPORTED) {
      this.#isFull = true;
      note(`note: More notes like these are not shown.`);
      return;
    }
    this.#reported.add(message);
    note(`note: ${escapeControl(message)}`);
  }
}
