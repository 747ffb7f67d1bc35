import type { Answer } from "../../api/client.ts";

export type Client = Answer<"/api/connect">["clients"][number];

/** A change of an agent's file that the user wants to see. */
export interface Wanted {
  readonly client: Client["client"];
  readonly title: string;
  readonly action: "set up" | "remove";
}
