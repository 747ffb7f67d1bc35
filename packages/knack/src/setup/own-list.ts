import { join } from "node:path";
import { knackHome } from "@knack/core/config";
import { readOwn, removeQuietly, writeWhole } from "@knack/core/files";
import { estimateTokens, isRecord, parseJson } from "@knack/core/text";
import * as z from "zod";
import { CLIENT_NAMES, type ClientName } from "../client-names.ts";
import { withProject } from "../host/open-project.ts";
import { instructions } from "../mcp/instructions.ts";
import type { GlobalOptions } from "../options.ts";
import type { UserPlace } from "./client-file.ts";
import { CLIENTS } from "./clients.ts";
import { filesOf, readClient } from "./held-files.ts";
import { valueAt } from "./plan-change.ts";

/** A setting with which a client leaves out its own list, as it was written, and what stood there before. */
const SETTING = z.strictObject({
  path: z.array(z.string()),
  key: z.string(),
  value: z.union([z.string(), z.boolean()]),
  before: z.union([z.string(), z.boolean()]).optional(),
});
export type RecordedSetting = z.infer<typeof SETTING>;

/** A setting does not say who wrote it, so Knack remembers its own. */
const RECORD = z.partialRecord(z.enum(CLIENT_NAMES), z.array(SETTING));
const MAX_BYTES = 4 * 1024 * 1024;

const recordFile = ({ env, home }: UserPlace): string => join(knackHome(env, home), "setup.json");

function readRecord(place: UserPlace): z.infer<typeof RECORD> {
  const found = readOwn(knackHome(place.env, place.home), recordFile(place), MAX_BYTES);
  if ("fault" in found) return {};
  // A file that somebody else wrote counts for nothing: then --remove leaves the settings.
  return RECORD.safeParse(parseJson(found.bytes.toString("utf8"))).data ?? {};
}

/** What setup has written so that the client leaves out its own list. */
export function recordedSettings(place: UserPlace, name: ClientName): readonly RecordedSetting[] | undefined {
  return readRecord(place)[name];
}

export function recordSettings(
  place: UserPlace,
  name: ClientName,
  settings: readonly RecordedSetting[] | undefined,
): void {
  const { [name]: _before, ...others } = readRecord(place);
  const now = settings && settings.length > 0 ? { ...others, [name]: settings } : others;
  if (Object.keys(now).length === 0) removeQuietly(recordFile(place));
  else writeWhole(recordFile(place), JSON.stringify(now));
}

/**
 * The settings that make Knack's list replace the client's own, and the tokens of both lists on this machine; `undefined` for a
 * client that has no such setting, or finds no skill.
 */
export async function insteadFor(name: ClientName, place: UserPlace, options: GlobalOptions) {
  const client = CLIENTS[name];
  const { ownList, reads } = client;
  const held = filesOf(client, place).find(({ holds }) => holds.settings);
  if (!ownList || !held) return undefined;
  const { document } = readClient(client, place, held);
  return withProject(options, async (project) => {
    const session = (await project.runtime()).session();
    const folders = reads.map((path) =>
      path.startsWith("~/") ? join(place.home, path.slice(2)) : join(project.place.cwd, path),
    );
    const userFolders = folders.filter((_folder, at) => reads[at]?.startsWith("~/"));
    const isIn = (some: readonly string[]) => (skill: { readonly path: string }) =>
      some.some((folder) => skill.path.startsWith(`${folder}/`));
    const listed = session.catalog.skills.filter(isIn(folders));
    const earlier = recordedSettings(place, name);
    const names = listed.filter(isIn(userFolders)).map((skill) => skill.name);
    const settings = ownList.settings([...new Set(names)].sort()).map((setting): RecordedSetting => {
      const known = earlier?.find(({ key }) => key === setting.key);
      const now = valueAt(isRecord(document) ? document : {}, { ...setting });
      const before = known ? known.before : now;
      const isPlain = typeof before === "string" || typeof before === "boolean";
      return { ...setting, path: [...setting.path], ...(isPlain ? { before } : {}) };
    });
    if (settings.length === 0) return undefined;
    const own = estimateTokens(listed.map(ownList.line).join("\n"));
    const lines = instructions(session, new Map(["skill_search", "skill_load"].map((tool) => [tool, true])));
    const list = /<skills_catalog>[\s\S]*<\/skills_catalog>/.exec(lines)?.[0] ?? "";
    return { settings, own, knack: estimateTokens(list) };
  });
}
