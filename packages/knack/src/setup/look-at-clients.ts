import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import type { GlobalOptions } from "../options.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { escapeControl, messageOf } from "../terminal/visible.ts";
import { CLIENTS, type UserPlace } from "./clients.ts";
import { hasAll, isObject, valueAt } from "./member.ts";
import { fileOf, knownMembers, readClient, signsOf, wantedMembers } from "./plan-job.ts";
import { serverCommand } from "./server.ts";
import { shown } from "./show-change.ts";

interface ListedClient {
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

/** `knack setup`: the clients on this machine, and which of them get their skills from Knack. */
export function listClients(place: UserPlace, options: GlobalOptions): void {
  const clients = lookAtClients(place);
  if (options.json) {
    printJson({ clients });
    return;
  }
  const columns: CellColumn<ListedClient>[] = [
    { title: "CLIENT", cell: ({ client }) => client },
    { title: "INSTALLED", drop: 1, cell: ({ installed }) => (installed ? "yes" : "no") },
    { title: "SET UP", cell: stateOf },
    { title: "FILE", flexible: true, cell: ({ file }) => shown(file, { place }) },
  ];
  print(tableLines(options, clients, columns).join("\n"));
  for (const { error } of clients) if (error) note(`note: ${escapeControl(error)}`);
  const next = clients.find(({ installed, setup }) => installed && setup === false);
  if (next) note(`Run "knack setup ${next.client}" to set it up.`);
}

function stateOf({ setup, transport, current }: ListedClient): string {
  if (setup === null) return "file is broken";
  if (!setup) return "no";
  if (transport === "http") return "yes, HTTP";
  return current ? "yes" : "yes, another command";
}
