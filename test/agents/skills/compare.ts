import { dirname, relative } from "node:path";
import type { Answer } from "../../cli/run.ts";
import type { Had } from "../../homes/had.ts";
import { type Home, makeHome } from "../../homes/home.ts";
import type { Client } from "../clients/client.ts";
import { install } from "../install.ts";
import type { ScriptedModel } from "../model/scripted-model.ts";
import { knack } from "../project.ts";
import { setUp, writeFiles } from "../set-up.ts";
import type { Row } from "../table.ts";
import { LISTINGS, type Listed } from "./listings.ts";
import { loadAll } from "./load-all.ts";

/** The root of the project, and a folder in it: some clients search the folders between, some only the one that they are in. */
const FOLDERS = ["repo", "repo/packages/app"];

/** What a client and Knack list in one folder. */
export interface Compared {
  readonly client: string;
  readonly cwd: string;
  /** Skills of the home, by path; without the client's built-in ones. */
  readonly lists: readonly string[];
  /** What the client lists and Knack neither lists nor names as left out. */
  readonly onlyClient: readonly string[];
  /** What the client lists and Knack left out with the reason. */
  readonly leftOut: readonly string[];
  readonly error?: string;
}

export interface Comparison {
  readonly compared: readonly Compared[];
  /** By folder: what Knack lists there. */
  readonly knack: Readonly<Record<string, readonly string[]>>;
  readonly all: readonly Had[];
  /** Does each client give the model every skill that Knack lists? */
  readonly loaded: readonly Row[];
}

/** Asks each client which skills it finds in the home with 66 skills, and Knack too; then loads each skill of Knack in each client. */
export async function compareSkills(clients: readonly Client[], model: ScriptedModel): Promise<Comparison> {
  const home = makeHome();
  using folder = home.folder;
  knack(folder, ["trust", "--yes"]);
  const compared: Compared[] = [];
  const ofKnack: Record<string, readonly string[]> = {};
  for (const cwd of FOLDERS) {
    const answer = JSON.parse(knack(folder, ["list", "--json", "--cwd", folder.at(cwd)])) as Answer;
    const below = (path: string): string => relative(folder.path, path);
    ofKnack[cwd] = answer.skills.flatMap(({ path, places = [] }) => [path, ...places]).map(below);
    const errors = answer.errors.map(({ path }) => below(path));
    for (const client of clients) {
      const way = { client, installed: install(client), folder, model };
      writeFiles(way);
      try {
        const listed = (await LISTINGS[client.name]?.(way, cwd)) ?? [];
        compared.push({ client: client.title, cwd, ...judge(home, listed, ofKnack[cwd], errors) });
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        compared.push({ client: client.title, cwd, lists: [], onlyClient: [], leftOut: [], error: detail });
      }
    }
  }
  const loaded: Row[] = [];
  for (const client of clients) {
    const way = { client, installed: install(client), folder, model };
    const { asCheck } = setUp(way);
    const { skills } = JSON.parse(knack(folder, ["list", "--json"])) as Answer;
    const { title, version } = client;
    loaded.push({
      client: title,
      version,
      transport: "stdio",
      checks: [asCheck, await loadAll(way, skills)],
    });
  }
  return { compared, knack: ofKnack, all: [...home.skills, ...home.leftOut], loaded };
}

function judge(home: Home, listed: readonly Listed[], ofKnack: readonly string[], errors: readonly string[]) {
  const lists = [...home.skills, ...home.leftOut].filter((one) =>
    listed.some((other) => isSame(home, one, other)),
  );
  const isKnown = ({ path, alsoAt }: Had): boolean => [path, ...alsoAt].some((one) => ofKnack.includes(one));
  const unknown = lists.filter((one) => !isKnown(one)).map(({ path }) => path);
  const seen = home.off.filter((name) => listed.some((one) => bare(one) === name));
  return {
    lists: lists.map(({ path }) => path),
    onlyClient: [...unknown.filter((path) => !errors.includes(path)), ...seen],
    leftOut: unknown.filter((path) => errors.includes(path)),
  };
}

/** By path if the client says it. Otherwise by name: with its plugin or without, as its folder or as its text says. */
function isSame({ folder }: Home, { path, alsoAt, name, folderName }: Had, listed: Listed): boolean {
  const at = listed.path;
  if (at === undefined) return [name, folderName].includes(bare(listed));
  return [path, ...alsoAt].some((one) => [one, dirname(one)].includes(relative(folder.path, at)));
}

const bare = ({ name }: Listed): string => name.split(":").at(-1) ?? "";
