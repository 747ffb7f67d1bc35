import { join } from "node:path";
import { SkillError } from "@knack/core";
import { knackHome, quote } from "@knack/core/internal";
import { CLIENT_NAMES, type ClientName } from "../../client-names.ts";
import type { Client, Place } from "../../mcp/client-config/client.ts";
import { CLIENTS } from "../../mcp/client-config/clients.ts";
import { serverCommand } from "../../mcp/client-config/own-command.ts";
import { serverUrl } from "../../mcp/client-config/server-url.ts";
import { backupsOf } from "../backups.ts";
import { brokenFile, readClient } from "../client-state.ts";
import { findServer } from "../find-server.ts";
import { ownSkills } from "../own-skills.ts";
import { shown } from "../shown.ts";
import type { Job } from "./job.ts";
import { type Change, planRemoval, planSetup } from "./plan-change.ts";
import { knownMembers, type Way, wantedMembers, writesToken } from "./wanted-members.ts";

/** How a client is to reach Knack. */
export interface WayOptions {
  /** A running `knack serve`: its address, or `true` for the usual one. */
  readonly http?: string | true;
  /** Only shown: then it needs no server and no token. */
  readonly print?: boolean;
  readonly cwd?: string;
}

/** What would be written, before anybody is asked. */
export interface PlannedJob {
  readonly job: Job;
  /** `undefined`: the file is already as it should be. */
  readonly change: Change | undefined;
  /** The token stands in the file then. */
  readonly hasToken: boolean;
  /** What the user should know besides. */
  readonly remarks: readonly string[];
}

/** The client of this name; throws `SkillError` where there is none. */
export function clientNamed(given: string): ClientName {
  const name = CLIENT_NAMES.find((one) => one === given.toLowerCase());
  if (name) return name;
  throw new SkillError(
    "INVALID_PARAM",
    `There is no client ${quote(given)}. Name one of: ${CLIENT_NAMES.join(", ")}.`,
  );
}

export async function planToAdd(name: ClientName, place: Place, options: WayOptions): Promise<PlannedJob> {
  const client = CLIENTS[name];
  const state = readClient(client, place);
  const way = await wayTo(place, options);
  const job: Job = { name, client, place, ...state, action: "set up" };
  const change = plan(job, () =>
    planSetup(before(job), wantedMembers(client, way, state.document), knownMembers(client, state.document)),
  );
  return { job, change, hasToken: writesToken(client, way), remarks: remarksOf(client, way, place) };
}

export function planToRemove(name: ClientName, place: Place): PlannedJob {
  const client = CLIENTS[name];
  const job: Job = { name, client, place, ...readClient(client, place), action: "removed" };
  const change = plan(job, () => planRemoval(before(job), knownMembers(client, job.document)));
  return { job, change, hasToken: false, remarks: [] };
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

async function wayTo(place: Place, { http, print, cwd }: WayOptions): Promise<Way> {
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
