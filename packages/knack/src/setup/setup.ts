import { KnackError } from "@knack/core/text";
import type { CommandOptions } from "../cli/table/table.ts";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import { type GlobalOptions, invalid, notFound } from "../options.ts";
import {
  askConsent,
  isTerminal,
  notChanged,
  note,
  print,
  printJson,
  requireConsent,
} from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { count, escapeControl, safeJson, shellWords } from "../terminal/visible.ts";
import { ownPlace, type UserPlace } from "./client-file.ts";
import { CLIENTS, type Client } from "./clients.ts";
import {
  applyJob,
  type JobOutcome,
  type ListedClient,
  lookAtClients,
  outcomeReport,
  purposesOf,
  requireAllWritable,
  UNCHANGED,
} from "./connect-client.ts";
import { tomlTable } from "./edit-toml.ts";
import { editorOf, signsOf } from "./held-files.ts";
import { hookMembers } from "./hooks.ts";
import { insteadFor, type RecordedSetting, recordedSettings } from "./own-list.ts";
import { changesOf, clientNamed, commandOf, hooksFor, type Job, planJob } from "./plan-job.ts";
import { serverUrl } from "./server.ts";
import { showChange, shown } from "./show-change.ts";
import { trustedHooks } from "./trust-hooks.ts";

/** Without `hooks` it asks, else writes them. */
type SetupOptions = CommandOptions<"setup">;
/** `knack setup`: gives the skills to agents by editing their own configuration, or takes them back. */
export async function setup(given: readonly string[], options: SetupOptions): Promise<void> {
  const place = ownPlace();
  const { remove, http, print: isPrinted } = options;
  const more = [http, options.hooks, options.instead, options.trustHooks].some((one) => one !== undefined);
  if (given.length === 0 && !options.all) {
    if (isPrinted || remove || more || options.yes)
      throw invalid(`Name a client, or --all: ${CLIENT_NAMES.join(", ")}.`);
    return listClients(place, options);
  }
  if (remove && more)
    throw invalid("--remove undoes every setup; it takes no --http, --hooks, --instead or --trust-hooks.");
  const names = namesOf(given, options, place);
  if (options.trustHooks && !names.includes("codex")) throw invalid("--trust-hooks is for codex.");
  if (isPrinted && !remove) {
    for (const name of names) await printConfig(name, options, place);
    return;
  }
  const hooks = remove ? false : await wantsHooks(names, options);
  if (hooks === undefined) return;
  const jobs: Job[] = [];
  for (const name of names) {
    const plan = async (): Promise<Job> => {
      const settings = remove ? undefined : await settingsFor(name, options, place);
      return planJob(name, remove ? "remove" : "set up", place, { ...options, hooks, settings });
    };
    if (names.length === 1) jobs.push(await plan());
    else jobs.push(...(await plan().then((job) => [job], noteFailure)));
  }
  await changeFiles(jobs, options);
}

/** One broken file of many is told of, and does not stop the others. */
function noteFailure(error: unknown): [] {
  if (!(error instanceof KnackError)) throw error;
  note(`error: ${escapeControl(error.message)}`);
  process.exitCode = 1;
  return [];
}

function namesOf(given: readonly string[], { all, remove }: SetupOptions, place: UserPlace): ClientName[] {
  if (!all) return [...new Set(given.map(clientNamed))];
  if (given.length > 0) throw invalid("--all takes no names.");
  const here = lookAtClients(place).filter(({ installed, setup: isSetUp }) => (remove ? isSetUp : installed));
  if (here.length > 0) return here.map(({ client }) => client);
  throw notFound(remove ? "No client is set up." : "No client that Knack knows was found on this machine.");
}

/** Asked on a terminal; elsewhere hooks come with the server. `undefined`: the question was cancelled. */
async function wantsHooks(names: readonly ClientName[], options: SetupOptions): Promise<boolean | undefined> {
  if (options.hooks !== undefined) return options.hooks;
  if (options.yes || options.print || !names.some((name) => CLIENTS[name].hooks)) return true;
  const answer = await askConsent("Write hooks too? They put the skill that fits before the model decides.");
  if (answer !== "cancelled") return answer !== "no";
  notChanged(true);
  return undefined;
}

/** Offers Knack instead of the client's own list, with what both cost on this machine. */
async function settingsFor(
  name: ClientName,
  options: SetupOptions,
  place: UserPlace,
): Promise<readonly RecordedSetting[] | undefined> {
  const { title, ownList } = CLIENTS[name];
  const isAsked = !options.yes && isTerminal(0) && isTerminal(2) && !recordedSettings(place, name);
  if (!options.instead && !isAsked) return undefined;
  if (!ownList && options.instead) note(`note: ${title} has no setting that leaves out its own list.`);
  const found = ownList && (await insteadFor(name, place, options));
  if (!found) return undefined;
  const { own, knack, settings } = found;
  const figures = `${title}'s own list of skills has about ${count(own)} tokens here, Knack's ${count(knack)}.`;
  if (options.instead) {
    if (!options.json) note(figures);
    return settings;
  }
  const answer = await askConsent(`${figures} Leave out the own one?`, false);
  return answer === "yes" ? settings : undefined;
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
    { title: "HOOKS", drop: 2, cell: ({ hooks }) => (hooks === null ? "-" : hooks ? "yes" : "no") },
    { title: "FILE", flexible: true, cell: ({ file }) => shown(file, place) },
  ];
  print(tableLines(clients, columns).join("\n"));
  for (const { error } of clients) if (error) note(`note: ${escapeControl(error)}`);
  const next = clients.find(({ installed, setup }) => installed && setup === false);
  if (next) note(`Run "knack setup ${next.client}" to set it up.`);
}

function stateOf({ setup, transport, current }: ListedClient): string {
  if (setup === null) return "file is broken";
  if (!setup) return "no";
  if (transport === "http") return "yes, HTTP";
  return current ? "yes" : "yes, out of date";
}

/** `--print`: what makes a client start `knack mcp`, or ask a running `knack serve`, its hooks, and where both go. */
async function printConfig(name: ClientName, options: SetupOptions, place: UserPlace): Promise<void> {
  const { http, cwd, json } = options;
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
  const hooks = options.hooks === false ? undefined : await hooksText(name, options, place);
  if (json) return printJson({ client: name, file, config, hooks });
  note(`For ${name}, into ${file}:`);
  print(syntax === "toml" ? tomlTable([...servers, "knack"], entry).join("\n") : safeJson(config, 2));
  if (url !== undefined) note(tokenRemark(name, client));
  const command =
    url === undefined ? client.adds && `${client.adds} ${shellWords(words)}` : client.addsHttp?.(url);
  if (command) note(`Or run: ${command}`);
  if (!hooks) return;
  // Standard output is often appended to the file of the servers.
  note(`The hooks of ${name}, into ${hooks.file}:\n${hooks.text}`);
}

/** The hooks as a new file would have them. */
async function hooksText(
  name: ClientName,
  options: SetupOptions,
  place: UserPlace,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  const { hooks } = CLIENTS[name];
  const { how } = await hooksFor(name, options, place);
  if (!hooks || !how) return undefined;
  const members = hookMembers(hooks, how);
  const fault = (reason: string): KnackError => new KnackError("CONFIG_INVALID", reason);
  const editor = editorOf(hooks.syntax, fault);
  const text = editor.put("", members, hooks.preamble);
  const file = shown(hooks.file(place), place);
  return { file, text: hooks.source ? text : safeJson(editor.parse(text), 2) };
}

/** What the user still has to do: the token is not printed, because what is printed is often kept. */
function tokenRemark(name: ClientName, { question, variable }: Client): string {
  if (question) return `${name} asks for a token once: knack token add ${name} --role runner`;
  if (!variable.includes("KNACK_TOKEN")) return `Put the token in its place; ${name} replaces no variables.`;
  return `Start ${name} with a token of its own: export KNACK_TOKEN="$(knack token add ${name} --role runner)"`;
}

/** Shows the changes of all files, asks, makes backups, writes, and says what came of it. */
async function changeFiles(jobs: readonly Job[], options: SetupOptions): Promise<void> {
  const changing = jobs.filter((job) => changesOf(job).length > 0);
  const report = (outcomeOf: (job: Job) => JobOutcome): void => {
    const reports = jobs.map((job) => outcomeReport(job, outcomeOf(job)));
    printJson(reports.length === 1 ? reports[0] : { clients: reports });
  };
  if (options.print) {
    if (options.json) report((job) => ({ ...UNCHANGED, diff: diffOf(job) }));
    else for (const job of changing) print(diffOf(job).join("\n"));
    return;
  }
  if (!options.json) for (const job of jobs) tellBefore(job);
  for (const job of changing) await requireAllWritable(job);
  const files = changing.flatMap(changesOf);
  const [first] = files;
  const [{ place } = { place: undefined }] = changing;
  const isWanted =
    !first ||
    !place ||
    options.yes ||
    (await requireConsent(
      files.length === 1 ? `Change ${shown(first.file.path, place)}?` : `Change these ${files.length} files?`,
    ));
  if (!isWanted) return;
  const outcomes = new Map<Job, JobOutcome>();
  for (const job of jobs) {
    const outcome = await applyJob(job);
    outcomes.set(job, outcome);
    if (outcome.check?.connected === false) process.exitCode = 1;
    if (!options.json && changesOf(job).length > 0) tellOutcome(job, outcome);
    if (job.name === "codex" && options.trustHooks) await trustCodex(job, options);
  }
  if (options.json) report((job) => outcomes.get(job) ?? UNCHANGED);
}

function diffOf(job: Job): string[] {
  return changesOf(job).flatMap(({ file, change }) => [
    shown(file.path, job.place),
    ...showChange(file.text ?? "", change?.text ?? ""),
  ]);
}

function tellBefore(job: Job): void {
  const { client, action, place, edits } = job;
  if (changesOf(job).length === 0) {
    const state = action === "remove" ? "not" : "already";
    print(`${client.title} is ${state} set up: ${shown(edits[0].file.path, place)}`);
    return;
  }
  if (action === "set up" && !signsOf(client, place).isInstalled)
    note(`note: ${client.title} was not found on this machine.`);
  note(diffOf(job).join("\n"));
  const purposes = purposesOf(job);
  if (purposes.length > 0) note(["What the hooks do:", ...purposes.map((line) => `  ${line}`)].join("\n"));
}

/** Writes into the file of Codex that it may run the hooks, which it does not without a word of the user. */
async function trustCodex({ place, client }: Job, options: SetupOptions): Promise<void> {
  const file = client.hooks?.file(place) ?? "";
  const job = await planJob("codex", "set up", place, { ...options, trust: await trustedHooks(file, place) });
  if (!options.json && changesOf(job).length > 0) note(diffOf(job).join("\n"));
  await requireAllWritable(job);
  await applyJob(job);
  if (!options.json) note("Codex runs these hooks from now on.");
}

function tellOutcome(job: Job, { backups, check, left }: JobOutcome): void {
  const { client, action, place, edits, remarks } = job;
  const [{ file, change }] = edits;
  const path = shown(file.path, place);
  if (action === "set up") print(`${client.title} is set up: ${path}`);
  else
    print(
      `${client.title} is no longer set up: ${path}${change && change.text === undefined ? " is removed" : ""}`,
    );
  for (const [at, edit] of edits.entries()) {
    const target = shown(edit.file.target, place);
    const backup = backups[at];
    if (edit.change && edit.file.target !== edit.file.path)
      note(`The file is a link; ${target} was changed.`);
    const when = action === "set up" ? "as it was" : "from before, without later changes";
    if (backup) note(`The file ${when}: ${shown(backup, place)}`);
    if (edit.change && edit.hasToken)
      note(`${target} has the token now; only you can read it. Keep it out of version control.`);
  }
  if (check) note(check.message);
  if (left) note(left);
  for (const line of remarks) note(line);
}
