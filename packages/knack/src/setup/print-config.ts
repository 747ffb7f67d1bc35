import type { ClientName } from "../client-names.ts";
import type { GlobalOptions } from "../options.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { safeJson, shellWords } from "../terminal/visible.ts";
import { CLIENTS, type Client, type ServerEntry } from "./clients.ts";
import { tomlTable } from "./edit-toml.ts";
import { serverCommand, serverUrl } from "./server.ts";

/** `--print`: what makes a client start `knack mcp`, or ask a running `knack serve`, and where it goes. */
export function printConfig(
  name: ClientName,
  options: GlobalOptions & { readonly http?: string | true },
): void {
  const client = CLIENTS[name];
  if (options.http === undefined) {
    const words = serverCommand(options.cwd);
    printEntry(name, client.stdio(words), options);
    if (!options.json && client.adds) note(`Or run: ${client.adds} ${shellWords(words)}`);
    return;
  }
  const url = serverUrl(options.http);
  const entry = client.httpByVariable?.(url) ?? client.http(url, client.variable);
  printEntry(name, entry, options, client.question);
  if (options.json) return;
  note(tokenRemark(name, client));
  if (client.addsHttp) note(`Or run: ${client.addsHttp(url)}`);
}

function printEntry(
  name: ClientName,
  entry: ServerEntry,
  options: GlobalOptions,
  question?: Client["question"],
): void {
  const { pasteInto: file, servers, preamble, syntax } = CLIENTS[name];
  const nested = servers.reduceRight<ServerEntry>((inner, key) => ({ [key]: inner }), { knack: entry });
  const config = { ...preamble, ...(question && { [question.key]: [question.value] }), ...nested };
  if (options.json) {
    printJson({ client: name, file, config });
    return;
  }
  note(`For ${name}, into ${file}:`);
  print(syntax === "toml" ? tomlTable([...servers, "knack"], entry).join("\n") : safeJson(config, 2));
}

/** What the user still has to do: the token is not printed, because what is printed is often kept. */
function tokenRemark(name: ClientName, { question, variable }: Client): string {
  if (question) return `${name} asks for the token once: it is in ~/.knack/token.`;
  if (!variable.includes("KNACK_TOKEN")) return `Put the token in its place; ${name} replaces no variables.`;
  return `Start ${name} with the token of the server: export KNACK_TOKEN="$(cat ~/.knack/token)"`;
}
