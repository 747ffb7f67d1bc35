import { randomBytes } from "node:crypto";

/** As in document 000 §2: the day, and something that no other request of that day has. */
export function newRequestId(now: Date): string {
  return `req-${now.toISOString().slice(0, 10)}-${randomBytes(4).toString("hex")}`;
}
