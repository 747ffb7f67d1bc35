import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import { messageOf } from "../terminal/visible.ts";
import { CLIENTS, type UserPlace } from "./clients.ts";
import { hasAll, isObject, valueAt } from "./member.ts";
import { fileOf, knownMembers, readClient, signsOf, wantedMembers } from "./plan-job.ts";
import { serverCommand } from "./server.ts";

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
export function lookAtClients(place: UserPlace): ListedClient[] {
  return CLIENT_NAMES.map((name) => lookAtClient(name, place));
}

function lookAtClient(name: ClientName, place: UserPlace): ListedClient {
  const client = CLIENTS[name];
  const { program = null, isInstalled: installed } = signsOf(client, place);
  const known = {
    client: name,
    title: client.title,
    installed,
    program,
    file: fileOf(client, place),
    reads: client.reads,
  };
  try {
    const { document } = readClient(client, place);
    const server = knownMembers(client, document).at(-1);
    const entry = server && valueAt(document, server);
    if (!isObject(entry)) return { ...known, setup: false, transport: null, current: null };
    const isHttp = ["url", "httpUrl", "serverUrl"].some((key) => key in entry);
    const wanted = wantedMembers(client, { words: serverCommand() }, document);
    const current = isHttp ? null : hasAll(document, wanted);
    return { ...known, setup: true, transport: isHttp ? "http" : "stdio", current };
  } catch (error) {
    return { ...known, setup: null, transport: null, current: null, error: messageOf(error) };
  }
}
