import { openCatalog } from "@knack/core";
import { configFiles } from "@knack/core/internal";
import { changeSkillPolicy, policyReport } from "../../host/change-policy.ts";
import { placeOf } from "../../host/place.ts";
import { json, type Route } from "../api/route.ts";
import { text } from "../api/schemas.ts";
import { readBody } from "../home/read-body.ts";
import { PolicyUndo } from "./policy-undo.ts";
import * as schema from "./schemas.ts";

const undo = new PolicyUndo();

/** Changes of rules and switches that can be taken back. */
export const policyRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/api/skills/{id}/policy",
    isRecorded: true,
    summary: "Allows, denies, enables or disables a skill in your own configuration; undo takes it back.",
    parameters: [{ name: "id", in: "path", description: "The id of a skill.", schema: text, required: true }],
    body: schema.policyChange,
    answer: schema.policyChanged,
    failures: [404, 409],
    handle: async ({ params, body }, { host: { live } }) => {
      const { action } = readBody(schema.policyChange, body);
      const { cwd, projectRoot } = live.catalog;
      const place = placeOf(projectRoot);
      const { home, env, trusted } = place;
      // Ignore `skills.enabled: false` here, so that rules can be changed while all skills are switched off.
      const skills = await openCatalog({ cwd, home, env, trusted, withoutProject: !trusted, enabled: true });
      const { done, undo: undoId } = await undo.watch([configFiles(place).user], () =>
        changeSkillPolicy(action, params.id ?? "", skills, place, false),
      );
      if (done.changed) await live.reload();
      const { isSo, obstacles, remarks } = done;
      return json({ ...policyReport(action, done), effective: isSo, obstacles, remarks, undo: undoId });
    },
  },
  {
    method: "POST",
    path: "/api/policy/undo",
    isRecorded: true,
    summary: "Takes a change of policy back, byte for byte; 409 if the configuration has changed since.",
    body: schema.undoBody,
    answer: schema.undone,
    failures: [404, 409],
    handle: async ({ body }, { host: { live } }) => {
      const { undo: undoId } = readBody(schema.undoBody, body);
      const file = await undo.undo(undoId);
      await live.reload();
      return json({ file });
    },
  },
];
