import { type Catalog, openCatalog, SkillError } from "@knack/core";
import { configFiles } from "@knack/core/config";
import * as z from "zod";
import { changeSkillPolicy, type PolicyAction, policyReport } from "../../host/change-policy.ts";
import { placeOf } from "../../host/open-project.ts";
import { route } from "../api/route.ts";
import { decision, text, yes } from "../api/schemas.ts";
import { waitingForTrust } from "../find-entry.ts";
import { PolicyUndo } from "../policy-undo.ts";

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

const undo = new PolicyUndo();

/** Changes of rules and switches, which can be taken back. */
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
      const { done, undo: undoId } = await undo.watch(configFiles(place).user, () =>
        changeSkillPolicy(wanted, skill, catalog, place, body.project ?? false).catch((error: unknown) => {
          throw withHint(error, catalog);
        }),
      );
      if (done.changed) await live.reload();
      const { isSo: effective, obstacles, remarks } = done;
      return { ...policyReport(wanted, done), effective, obstacles, remarks, undo: undoId };
    },
  }),
  route("POST /api/policy/undo", "owner", {
    summary: "Takes a change of policy back, byte for byte; 409 if the configuration has changed since.",
    isRecorded: true,
    body: z.strictObject({ undo: text }),
    answer: z.strictObject({ file: text }),
    failures: [404, 409],
    handle: async ({ body }, { host: { live } }) => {
      const file = await undo.undo(body.undo);
      await live.reload();
      return { file };
    },
  }),
];

function withHint(error: unknown, catalog: Catalog): unknown {
  if (!(error instanceof SkillError) || error.code !== "NOT_FOUND") return error;
  return new SkillError("NOT_FOUND", `${error.message}${waitingForTrust(catalog)}`);
}
