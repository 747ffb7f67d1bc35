import type { Confirm } from "@knack/core";
import { KnackError } from "@knack/core/text";
import { userName } from "./store/runs/claim.ts";

/** Whoever acts now. */
export interface ToolCaller {
  /** Whether they may name files of the project alone, as a model may. */
  isConfined(): boolean;
  /** Their name, for what they confirm. Throws `KnackError` where their word does not count. */
  confirmer(): Promise<string>;
}

export const OWN_USER: ToolCaller = { isConfined: () => false, confirmer: async () => userName(process.env) };

/** Asks the person behind the caller for their own word, whatever the policy allows. Throws where nobody gives it. */
export async function askPerson(
  { tool, role, reason }: { readonly tool: string; readonly role: string; readonly reason: string },
  ask: Confirm | undefined,
  caller: ToolCaller,
  howTo: string,
): Promise<{ readonly by: string; readonly at: string }> {
  let by: string | undefined;
  const answeredBy = (name: string): void => {
    by = name;
  };
  const answer = await ask?.({ tool, reason, confirms: { role, answeredBy } });
  if (answer === "yes") return { by: by ?? (await caller.confirmer()), at: new Date().toISOString() };
  const why =
    answer === undefined
      ? `${tool} did not run: nobody can be asked here, and`
      : `${tool} did not run: the person who was asked did not confirm, or the client closed the question. Do not try another way; ask the user. If they want it,`;
  throw new KnackError("ACCESS_DENIED", `${why} ${howTo}`);
}
