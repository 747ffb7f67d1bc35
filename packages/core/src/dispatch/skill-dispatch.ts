import * as z from "zod";
import type { Tool } from "../access/tool.ts";
import { ROLES } from "../context/guides/role-guide.ts";
import { parameters } from "../tools/parameters.ts";
import type { DispatchPlace } from "./dispatcher.ts";

/** No depth, stack or request id: a model does not say where it stands. */
const PARAMETERS = parameters({
  role: z.enum(ROLES).describe("The role of the agent."),
  skill: z.string().min(1).describe("The skill's exact name, or the path of its folder or SKILL.md."),
  prompt: z
    .string()
    .optional()
    .describe("The task, with everything that the agent must know: it does not see this conversation."),
});

/** Its code is loaded with the first call. */
export function skillDispatch(place: DispatchPlace): Tool {
  return {
    name: "skill_dispatch",
    description:
      "Hand a task to a skill in a role. A separate agent carries it out, then one more for each skill that it requires now; the answer is what they printed. If the user has configured no runner, nothing is started and the answer is the prompt for that agent. The user may be asked first.",
    inputSchema: PARAMETERS.inputSchema,
    executes: true,
    asksItself: true,
    endsItself: true,
    run: async (params, context) => {
      const request = PARAMETERS.read("skill_dispatch", params);
      const { answerDispatch } = await import("./answer-dispatch.ts");
      return answerDispatch(request, context, place);
    },
  };
}
