import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Catalog, openCatalog } from "@knack/core";
import { configFiles } from "@knack/core/config";
import { canonical, removeQuietly, withLock, writeDurably, writeError } from "@knack/core/files";
import { KnackError } from "@knack/core/text";
import * as z from "zod";
import { changeSkillPolicy, type PolicyAction, policyReport } from "../../host/change-policy.ts";
import { placeOf } from "../../host/place.ts";
import { conflict, notFound } from "../../options.ts";
import { route } from "../api/route.ts";
import { decision, text, yes } from "../api/schemas.ts";
import { waitingForTrust } from "../find-entry.ts";

const action = z.enum(["allow", "deny", "enable", "disable"]);
const EXAMPLE = 'Name one skill and one action. Example: {"action": "deny", "skill": "name"}';

/** The skill as `skill`, `id`, `name` or `path`, and the action as `action`, `decision` or `enabled`: the names that answers use. */
const names = {
  action: action.exactOptional(),
  decision: z.enum(["allow", "deny"]).exactOptional(),
  enabled: yes.exactOptional(),
  skill: text.exactOptional(),
  id: text.exactOptional(),
  name: text.exactOptional(),
  path: text.exactOptional(),
  project: yes.exactOptional(),
};
type Change = z.output<z.ZodObject<typeof names>>;
const change = z
  .strictObject(names)
  .refine((body) => subjects(body).length === 1 && actions(body).length === 1, EXAMPLE);

function subjects({ skill, id, name, path }: Change): string[] {
  return [skill, id, name, path].filter((one): one is string => one !== undefined && one !== "");
}

function actions({ action: named, decision: decided, enabled }: Change): PolicyAction[] {
  const switched = enabled === undefined ? undefined : enabled ? ("enable" as const) : ("disable" as const);
  return [named, decided, switched].filter((one) => one !== undefined);
}

interface KeptChange {
  readonly userFolder: string;
  readonly file: string;
  /** `null`: there was no file. */
  readonly before: string | null;
  readonly after: string | null;
}

const MAX_KEPT = 50;
/** Changes that can be taken back, byte for byte, while nobody else has changed the file since; the oldest first. */
const kept = new Map<string, KeptChange>();

/** Does the work and remembers what the file was; the answer has the id to undo it by, or null if nothing changed. */
async function watchFile<T>(file: string, work: () => Promise<T>) {
  // A link to a file elsewhere stays a link.
  const target = canonical(file);
  const before = textOf(target);
  const done = await work();
  const after = textOf(target);
  if (before === after) return { done, undo: null };
  const undo = randomUUID();
  kept.set(undo, { userFolder: dirname(file), file: target, before, after });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return { done, undo };
}

async function takeBack(id: string): Promise<string> {
  const change = kept.get(id);
  if (!change) throw notFound("This change can no longer be undone; make the opposite one.");
  const { userFolder, file, before, after } = change;
  await withLock(userFolder, file, () => {
    if (textOf(file) !== after)
      throw conflict("The configuration has changed since; make the opposite change.");
    if (before === null) {
      removeQuietly(file);
      return;
    }
    const failure = writeDurably(file, statSync(file).mode & 0o777, before);
    if (failure) throw writeError(file, failure);
  });
  kept.delete(id);
  return file;
}

const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, "utf8") : null);

export const policyRoutes = [
  route("POST /api/policy", "owner", {
    summary:
      "Allows, denies, enables or disables a skill, like the commands with these names; undo takes it back.",
    isRecorded: true,
    body: change,
    answer: z.strictObject({
      skill: text,
      file: text,
      changed: yes,
      effective: yes,
      obstacles: z.array(text),
      remarks: z.array(text),
      decision: decision.exactOptional(),
      enabled: yes.exactOptional(),
      /** For POST /api/policy/undo; null where nothing was changed. */
      undo: text.nullable(),
    }),
    failures: [404, 409],
    handle: async ({ body }, { host: { live } }) => {
      const [[wanted = "allow"], [skill = ""]] = [actions(body), subjects(body)];
      const { cwd, projectRoot } = live.catalog;
      const place = placeOf(projectRoot);
      const { home, env, trusted } = place;
      // Ignore `skills.enabled: false` here, so that rules can be changed while all skills are switched off.
      const catalog = await openCatalog({
        cwd,
        home,
        env,
        trusted,
        withoutProject: !trusted,
        enabled: true,
      });
      // A project's own file may be a link elsewhere: what was changed there is not written again.
      const { done, undo } = await watchFile(configFiles(place).user, () =>
        changeSkillPolicy(wanted, skill, catalog, place, body.project ?? false).catch((error: unknown) => {
          throw withHint(error, catalog);
        }),
      );
      if (done.changed) await live.reload();
      const { isSo: effective, obstacles, remarks } = done;
      return { ...policyReport(wanted, done), effective, obstacles, remarks, undo };
    },
  }),
  route("POST /api/policy/undo", "owner", {
    summary: "Takes a change of policy back, byte for byte; 409 if the configuration has changed since.",
    isRecorded: true,
    body: z.strictObject({ undo: text }),
    answer: z.strictObject({ file: text }),
    failures: [404, 409],
    handle: async ({ body }, { host: { live } }) => {
      const file = await takeBack(body.undo);
      await live.reload();
      return { file };
    },
  }),
];

function withHint(error: unknown, catalog: Catalog): unknown {
  if (!(error instanceof KnackError) || error.code !== "NOT_FOUND") return error;
  return notFound(`${error.message}${waitingForTrust(catalog)}`);
}
