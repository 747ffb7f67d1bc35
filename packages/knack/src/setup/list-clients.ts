import type { Place } from "../mcp/client-config/client.ts";
import type { GlobalOptions } from "../options.ts";
import { note, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { escapeControl } from "../terminal/visible.ts";
import { type ListedClient, lookAtClients } from "./look-at-clients.ts";
import { shown } from "./shown.ts";

/** `knack setup`: the clients on this machine, and which of them get their skills from Knack. */
export function listClients(place: Place, options: GlobalOptions): void {
  const clients = lookAtClients(place);
  if (options.json) {
    printJson({ clients });
    return;
  }
  const rows = clients.map((one) => [
    one.client,
    one.installed ? "yes" : "no",
    stateOf(one),
    shown(one.file, { place }),
  ]);
  const columns = [
    { title: "CLIENT" },
    { title: "INSTALLED", drop: 1 },
    { title: "SET UP" },
    { title: "FILE", flexible: true },
  ];
  print(table(columns, rows, terminalWidth()).join("\n"));
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
