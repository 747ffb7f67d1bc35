import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import type { Place } from "../mcp/client-config/client.ts";
import { CLIENTS } from "../mcp/client-config/clients.ts";
import { serverCommand } from "../mcp/client-config/own-command.ts";
import { messageOf } from "../terminal/message-of.ts";
import { fileOf, readClient, signsOf } from "./client-state.ts";
import { hasAll, isObject, valueAt } from "./edit/member.ts";
import { knownMembers, wantedMembers } from "./plan/wanted-members.ts";

export interface ListedClient {
  readonly client: ClientName;
  readonly title: string;
  readonly installed: boolean;
  readonly program: string | null;
  readonly file: string;
  readonly setup: boolean | null;
  readonly transport: "stdio" | "http" | null;
  /** Whether "knack setup" would write the same; `null` for HTTP, where the token decides. */
  readonly current: boolean | null;
  readonly reads: readonly string[];
  readonly error?: string;
}

/** The clients on this machine, and which of them get their skills from Knack. */
export function lookAtClients(place: Place): ListedClient[] {
  return CLIENT_NAMES.map((name) => lookAtClient(name, place));
}

function lookAtClient(name: ClientName, place: Place): ListedClient {
  const client = CLIENTS[name];
  const { program, folder } = signsOf(client, place);
  const known = {
    client: name,
    title: client.title,
    installed: program !== undefined || folder !== undefined,
    program: program ?? null,
    file: fileOf(client, place),
    reads: client.reads,
  };
  try {
    const { document } = readClient(client, place);
    const [server] = knownMembers(client, document).slice(-1);
    const entry = server && valueAt(document, server);
    if (!isObject(entry)) return { ...known, setup: false, transport: null, current: null };
    const isHttp = ["url", "httpUrl", "serverUrl"].some((key) => key in entry);
    const wanted = wantedMembers(client, { kind: "stdio", words: serverCommand(undefined) }, document);
    const current = isHttp ? null : hasAll(document, wanted);
    return { ...known, setup: true, transport: isHttp ? "http" : "stdio", current };
  } catch (error) {
    return { ...known, setup: null, transport: null, current: null, error: messageOf(error) };
  }
}
