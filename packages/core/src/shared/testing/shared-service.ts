import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Where test/services.ts listens. */
    services: string;
  }
}

/** The address of something that all test files of a run share; it is started for the first that asks. */
export async function sharedService(path: string): Promise<string> {
  const answer = await fetch(`${inject("services")}${path}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
