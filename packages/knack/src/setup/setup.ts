import { join } from "node:path";
import { SkillError } from "@knack/core";
import { homeFolder, knackHome, quote } from "@knack/core/internal";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import type { Client, Place } from "../mcp/client-config/client.ts";
import { CLIENTS } from "../mcp/client-config/clients.ts";
import { serverCommand } from "../mcp/client-config/own-command.ts";
import { serverUrl } from "../mcp/client-config/server-url.ts";
import type { GlobalOptions } from "../options.ts";
import { note } from "../terminal/output.ts";
import { applyChange } from "./apply-change.ts";
import { backupsOf } from "./backups.ts";
import { checkClient } from "./check-client.ts";
import { brokenFile, readClient, signsOf } from "./client-state.ts";
import { findServer } from "./find-server.ts";
import type { Job } from "./job.ts";
import { listClients } from "./list-clients.ts";
import { ownSkills } from "./own-skills.ts";
import { type Change, planRemoval, planSetup } from "./plan-change.ts";
import { shown, tellUnchanged } from "./tell.ts";
import { knownMembers, type Way, wantedMembers, writesToken } from "./wanted-members.ts";

export interface SetupOptions extends GlobalOptions {
  readonly print?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
  /** A running `knack serve`: its address, or `true` for the usual one. */
  readonly http?: string | true;
}

/** `knack setup`: gives the skills to an agent by editing its own configuration, or takes them back. */
export async function setup(given: string | undefined, options: SetupOptions): Promise<void> {
  const place: Place = { env: process.env, home: homeFolder(process.env), platform: process.platform };
  if (given === undefined) {
    if (options.print || options.remove || options.http !== undefined || options.yes)
      throw new SkillError("INVALID_PARAM", `Name a client: ${CLIENT_NAMES.join(", ")}.`);
    listClients(place, options);
    return;
  }
  if (options.remove && options.http !== undefined)
    throw new SkillError("INVALID_PARAM", "--remove undoes every setup; it takes no --http.");
  const name = clientNamed(given);
  await (options.remove ? remove(name, place, options) : add(name, place, options));
}

function clientNamed(given: string): ClientName {
  const name = CLIENT_NAMES.find((one) => one === given.toLowerCase());
  if (name) return name;
  throw new SkillError(
    "INVALID_PARAM",
    `There is no client ${quote(given)}. Name one of: ${CLIENT_NAMES.join(", ")}.`,
  );
}

async function add(name: ClientName, place: Place, options: SetupOptions): Promise<void> {
  const client = CLIENTS[name];
  const state = readClient(client, place);
  const way = await wayTo(place, options);
  const job: Job = { name, client, place, ...state, action: "set up", options };
  const change = plan(job, () =>
    planSetup(before(job), wantedMembers(client, way, state.document), knownMembers(client, state.document)),
  );
  if (!change) {
    tellUnchanged(job, `${client.title} is already set up`);
    return;
  }
  const signs = signsOf(client, place);
  if (!signs.program && !signs.folder && !options.json)
    note(`note: ${client.title} was not found on this machine.`);
  await applyChange(job, change, {
    hasToken: writesToken(client, way),
    remarks: remarksOf(client, way, place),
    check: () => checkClient(client, place.env),
  });
}

async function remove(name: ClientName, place: Place, options: SetupOptions): Promise<void> {
  const client = CLIENTS[name];
  const job: Job = { name, client, place, ...readClient(client, place), action: "removed", options };
  const change = plan(job, () => planRemoval(before(job), knownMembers(client, job.document)));
  if (change) await applyChange(job, change, { remarks: [] });
  else tellUnchanged(job, `${client.title} is not set up`);
}

function before({ client, file, editor }: Job) {
  return { text: file.text, backups: backupsOf(file), editor, preamble: client.preamble };
}

function plan(job: Job, make: () => Change | undefined): Change | undefined {
  try {
    return make();
  } catch (error) {
    const broken = brokenFile(error, job.client, job.file);
    if (!(broken instanceof SkillError) || job.action === "removed") throw broken;
    const more = `"knack mcp --print-config ${job.name}" prints the text to add by hand.`;
    throw new SkillError(broken.code, `${broken.message} ${more}`);
  }
}

/** How the client is to start or reach Knack. `--print` only shows, so it needs no server and no token. */
async function wayTo(place: Place, { http, print, cwd }: SetupOptions): Promise<Way> {
  if (http === undefined) return { kind: "stdio", words: serverCommand(cwd) };
  const url = serverUrl(http);
  const file = join(knackHome(place.env, place.home), "token");
  if (print) return { kind: "http", url, token: "<token>", tokenFile: file };
  const token = await findServer(url, place);
  return { kind: "http", url, token: token.text, tokenFile: token.file };
}

function remarksOf(client: Client, way: Way, place: Place): string[] {
  const remarks = [ownSkills(client)];
  if (client.remark) remarks.unshift(client.remark);
  if (way.kind === "http" && client.question) {
    const where = way.tokenFile === null ? "KNACK_TOKEN" : shown(way.tokenFile, { place });
    remarks.unshift(`${client.title} asks for the token once: it is in ${where}.`);
  }
  if (way.kind === "stdio" && way.words.some((word) => /[/\\]_npx[/\\]/.test(word)))
    remarks.unshift(
      "This Knack is in the cache of npx, which may be cleared. Install Knack, then run this again.",
    );
  return remarks;
}
