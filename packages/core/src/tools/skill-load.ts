import * as z from "zod";
import { ToolError, type ToolResult } from "../access/envelope.ts";
import { type Given, giveText, permittedSkill } from "../access/give-skill.ts";
import type { Tool, ToolContext } from "../access/tool.ts";
import { quote } from "../shared/quote.ts";
import { answer, parameters } from "./parameters.ts";

const PARAMETERS = parameters({
  name: z.string().optional().describe("The skill's exact name."),
  path: z
    .string()
    .optional()
    .describe(
      "Path of the skill's folder or SKILL.md; use it if a name occurs twice. It takes precedence over the name.",
    ),
  ref: z
    .string()
    .optional()
    .describe(
      "The ref of an earlier load, to get that text again, for example after the conversation was compacted.",
    ),
  force: z.boolean().optional().describe("Return the text even if this conversation already has it."),
  args: z.string().optional().describe("Arguments for the skill; they replace $ARGUMENTS."),
});

const DATA = answer({
  name: z.string(),
  base_dir: z.string(),
  content: z.string().describe("The instructions; empty if the conversation already has them."),
  skill_id: z.string(),
  path: z.string(),
  dir: z.string(),
  mtime_ms: z.number(),
  sha256: z.string(),
  ref: z.string(),
  files: z.array(z.string()),
  files_truncated: z.boolean().optional(),
  already_loaded: z.boolean().optional(),
});

/** Document 004 §7.2: a skill's text, once per conversation. */
export const skillLoad: Tool = {
  name: "skill_load",
  description:
    "Load a skill: its instructions, its base directory and its files. Give the exact name, or the path if a name occurs twice. A skill that is already loaded returns a reminder; use its ref, or force, to get the text again.",
  inputSchema: PARAMETERS.inputSchema,
  dataSchema: DATA.jsonSchema,
  readOnly: true,
  idempotent: true,
  asksItself: true,
  run: async (params, context) => {
    const { name, path, ref, force = false, args = "" } = PARAMETERS.read("skill_load", params);
    if (ref !== undefined) return loadAgain(ref, context);
    const permitted = await permittedSkill("skill_load", { name, path }, context);
    return toLoadResult(await giveText(permitted, args, { ...context, always: context.always || force }));
  },
};

async function loadAgain(ref: string, context: ToolContext): Promise<ToolResult> {
  const before = context.loaded.get(ref);
  if (!before) {
    throw new ToolError(
      "NOT_FOUND",
      `No skill was loaded with the ref ${quote(ref)} in this conversation; load it by name or path.`,
    );
  }
  const permitted = await permittedSkill("skill_load", { path: before.path }, context);
  const given = await giveText(permitted, before.args, { ...context, always: true });
  return toLoadResult(
    given,
    given.sha256 === before.sha256
      ? ""
      : "The skill has changed since it was loaded; this is its text now.\n\n",
  );
}

/** The answer of a load, for the tool and for the slash commands alike. */
export function toLoadResult(given: Given, remark = ""): ToolResult {
  const { skill, ref, sha256, mtimeMs, text, reminder } = given;
  return {
    data: {
      name: skill.name,
      base_dir: skill.dir,
      content: text?.content ?? "",
      skill_id: skill.id,
      path: skill.path,
      dir: skill.dir,
      mtime_ms: mtimeMs,
      sha256,
      ref,
      files: [...(text?.files ?? [])],
      files_truncated: text?.filesTruncated ?? false,
      already_loaded: reminder !== undefined,
    } satisfies z.infer<typeof DATA>,
    text: reminder ?? `${remark}${text.block}`,
    pathResolved: skill.path,
  };
}
