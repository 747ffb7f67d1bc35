import { isTerminal } from "./output.ts";

export type Consent = "yes" | "no" | "cancelled";

/** Asks on the terminal; `undefined` where nobody can be asked. */
export async function askConsent(message: string): Promise<Consent | undefined> {
  if (!isTerminal(0) || !isTerminal(2)) return undefined;
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue: true, output: process.stderr });
  if (isCancel(answer)) return "cancelled";
  return answer ? "yes" : "no";
}
