import type { ClientName } from "../../client-names.ts";
import type { Client, Place } from "../../mcp/client-config/client.ts";
import type { ClientState } from "../client-state.ts";

/** One change of one client's file. */
export interface Job extends ClientState {
  readonly name: ClientName;
  readonly client: Client;
  readonly place: Place;
  readonly action: "set up" | "removed";
}
