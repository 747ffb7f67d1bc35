import { quote, shorten, trustNotice } from "@knack/core/internal";
import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Connection } from "./connection.ts";

/** That one may be there all the same, where some wait for trust. */
export function waiting({ session: { catalog } }: Connection): string {
  return catalog.waitingForTrust > 0 ? ` ${trustNotice(catalog)}` : "";
}

/** There is nothing at a URI, and what to do about it. */
export function notFound(uri: string, connection: Connection): ResourceNotFoundError {
  const hint = "Use a URI exactly as resources/list, skills/list or resources/directory/read returns it.";
  return new ResourceNotFoundError(
    shorten(uri),
    `There is no resource ${quote(uri)}. ${hint}${waiting(connection)}`,
  );
}
