import { KnackError } from "@knack/core";
import { answerTo, boundedMessage } from "@knack/core/internal";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { messageOf } from "../../terminal/message-of.ts";
import { note } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

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
