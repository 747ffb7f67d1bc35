import { homeFolder } from "@knack/core/config";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import { type GlobalOptions, invalid } from "../options.ts";
import { note, print, printJson, requireConsent } from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { escapeControl, safeJson, shellWords } from "../terminal/visible.ts";
import { requireWritable } from "./client-file.ts";
import { CLIENTS, type Client, type UserPlace } from "./clients.ts";
import {
  applyJob,
  type JobOutcome,
  type ListedClient,
  lookAtClients,
  outcomeReport,
} from "./connect-client.ts";
import { tomlTable } from "./edit-toml.ts";
import { clientNamed, commandOf, type Job, planJob, signsOf } from "./plan-job.ts";
import { serverUrl } from "./server.ts";
import { showChange, shown } from "./show-change.ts";

export interface SetupOptions extends GlobalOptions {
  readonly print?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
  /** A running `knack serve`: its address, or `true` for the usual one. */
  readonly http?: string | true;
}

/** `knack setup`: gives the skills to an agent by editing its own configuration, or takes them back. */
export async function setup(given: string | undefined, options: SetupOptions): Promise<void> {
  const place: UserPlace = { env: process.env, home: homeFolder(process.env), platform: process.platform };
  const { remove, http } = options;
  if (given === undefined) {
    if (options.print || remove || http !== undefined || options.yes)
      throw invalid(`Name a client: ${CLIENT_NAMES.join(", ")}.`);
    return listClients(place, options);
  }
  if (remove && http !== undefined) throw invalid("--remove undoes every setup; it takes no --http.");
  const name = clientNamed(given);
  if (options.print && !remove) return printConfig(name, place, options);
  const job = await planJob(name, remove ? "remove" : "set up", place, options);
  if (job.change) return changeFile(job, options);
  const outcome = await applyJob(job);
  if (options.json) return printJson(outcomeReport(job, outcome));
  print(`${job.client.title} is ${remove ? "not" : "already"} set up: ${shown(job.file.path, place)}`);
}

/** The clients on this machine, and which of them get their skills from Knack. */
function listClients(place: UserPlace, options: GlobalOptions): void {
  const clients = lookAtClients(place);
  if (options.json) {
    printJson({ clients });
    return;
  }
  const columns: CellColumn<ListedClient>[] = [
    { title: "CLIENT", cell: ({ client }) => client },
    { title: "INSTALLED", drop: 1, cell: ({ installed }) => (installed ? "yes" : "no") },
    { title: "SET UP", cell: stateOf },
    { title: "FILE", flexible: true, cell: ({ file }) => shown(file, place) },
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

/** `--print`: what makes a client start `knack mcp`, or ask a running `knack serve`, and where it goes. */
function printConfig(name: ClientName, place: UserPlace, { http, cwd, json }: SetupOptions): void {
  const client = CLIENTS[name];
  const { pasteInto: file, servers, preamble, syntax } = client;
  const url = http === undefined ? undefined : serverUrl(http);
  const words = commandOf(client, place, cwd);
  const entry =
    url === undefined
      ? client.stdio(words)
      : (client.httpByVariable?.(url) ?? client.http(url, client.variable));
  const question = url === undefined ? undefined : client.question;
  const nested = servers.reduceRight<object>((inner, key) => ({ [key]: inner }), { knack: entry });
  const config = { ...preamble, ...(question && { [question.key]: [question.value] }), ...nested };
  if (json) {
    printJson({ client: name, file, config });
    return;
  }
  note(`For ${name}, into ${file}:`);
  print(syntax === "toml" ? tomlTable([...servers, "knack"], entry).join("\n") : safeJson(config, 2));
  if (url !== undefined) note(tokenRemark(name, client));
  const command =
    url === undefined ? client.adds && `${client.adds} ${shellWords(words)}` : client.addsHttp?.(url);
  if (command) note(`Or run: ${command}`);
}

/** What the user still has to do: the token is not printed, because what is printed is often kept. */
function tokenRemark(name: ClientName, { question, variable }: Client): string {
  if (question) return `${name} asks for a token once: knack token add ${name} --role runner`;
  if (!variable.includes("KNACK_TOKEN")) return `Put the token in its place; ${name} replaces no variables.`;
  return `Start ${name} with a token of its own: export KNACK_TOKEN="$(knack token add ${name} --role runner)"`;
}

/** Shows the change, asks, makes a backup, writes, and says what came of it. */
async function changeFile(job: Job, options: SetupOptions): Promise<void> {
  const { file, client, action, place, change } = job;
  if (action === "set up" && !signsOf(client, place).isInstalled && !options.json)
    note(`note: ${client.title} was not found on this machine.`);
  const diff = [shown(file.path, place), ...showChange(file.text ?? "", change?.text ?? "")];
  if (options.print && options.json) return printJson(outcomeReport(job, { changed: false, diff }));
  if (options.print) return print(diff.join("\n"));
  await requireWritable(file);
  if (!options.json) note(diff.join("\n"));
  const isWanted = options.yes || (await requireConsent(`Change ${shown(file.path, place)}?`));
  if (!isWanted) return;
  const outcome = await applyJob(job);
  if (outcome.check?.connected === false) process.exitCode = 1;
  if (options.json) return printJson(outcomeReport(job, outcome));
  tellOutcome(job, outcome);
}

function tellOutcome(
  { file, client, action, place, change, hasToken, remarks }: Job,
  outcome: JobOutcome,
): void {
  const path = shown(file.path, place);
  const target = shown(file.target, place);
  const { backup, check, left } = outcome;
  if (action === "set up") print(`${client.title} is set up: ${path}`);
  else
    print(`${client.title} is no longer set up: ${path}${change?.text === undefined ? " is removed" : ""}`);
  if (file.target !== file.path) note(`The file is a link; ${target} was changed.`);
  const when = action === "set up" ? "as it was" : "from before, without later changes";
  if (backup) note(`The file ${when}: ${shown(backup, place)}`);
  if (hasToken) note(`${target} has the token now; only you can read it. Keep it out of version control.`);
  if (check) note(check.message);
  if (left) note(left);
  for (const line of remarks) note(line);
}
