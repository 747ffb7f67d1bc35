import * as z from "zod";
import { type Given, giveText, permittedSkill, type TextWanted } from "../access/give-skill.ts";
import type { Tool, ToolContext, ToolResult } from "../access/tool.ts";
import { KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import { useSkill } from "./call-tool.ts";
import { answerData, orToolData, parameters, TEXT_OFFSET } from "./parameters.ts";

const PARAMETERS = parameters({
  name: z.string().optional(),
  path: z.string().optional().describe("Instead of a name that several skills have"),
  ref: z.string().optional().describe("From an earlier load: that text again"),
  force: z.boolean().optional().describe("The text even if already loaded"),
  args: z.string().optional().describe("Replace $ARGUMENTS; JSON for a skill's tool"),
  offset: TEXT_OFFSET.optional(),
});

const DATA = answerData({
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
  next_offset: z.int().optional().describe("Where the next part of the text begins; absent in the last."),
});

/** A skill's text, once per conversation. A `tool_dispatch` skill calls its tool. */
export const skillLoad: Tool = {
  name: "skill_load",
  description:
    "Load a skill, then follow it: the user installed it for such tasks. Long texts come in parts; each says how to get the next.",
  inputSchema: PARAMETERS.inputSchema,
  dataSchema: orToolData(DATA.jsonSchema),
  usesSkills: true,
  readOnly: true,
  role: "reader",
  searchHint: "load or use a skill by name",
  idempotent: true,
  asksItself: true,
  run: async (params, context) => {
    const { name, path, ref, force = false, args = "", offset } = PARAMETERS.read("skill_load", params);
    const call = { tool: "skill_load", params };
    if (ref !== undefined) return loadAgain(ref, { offset, call }, context);
    const used = { ...context, always: context.always || force };
    const { given, result } = await useSkill({ name, path }, { args, offset, call }, used);
    return result ?? toLoadResult(given);
  },
};

async function loadAgain(
  ref: string,
  wanted: Omit<TextWanted, "args">,
  context: ToolContext,
): Promise<ToolResult> {
  const before = context.loaded.get(ref);
  if (!before) {
    throw new KnackError(
      "NOT_FOUND",
      `No skill was loaded with the ref ${quote(ref)} in this conversation; load it by name or path.`,
    );
  }
  const permitted = await permittedSkill("skill_load", { path: before.path }, context);
  const remarked = { ...context, always: true, maxTextBytes: context.maxTextBytes - CHANGED.length };
  const given = await giveText(permitted, { ...wanted, args: before.args }, remarked);
  return toLoadResult(given, given.sha256 === before.sha256 ? "" : CHANGED);
}

const CHANGED = "The skill has changed since it was loaded; this is its text now.\n\n";

export function toLoadResult(given: Given, remark = ""): ToolResult {
  const { skill, ref, sha256, mtimeMs, told, text, next } = given;
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
      already_loaded: text === undefined,
      next_offset: next,
    } satisfies z.infer<typeof DATA>,
    partial: next !== undefined,
    text: `${remark}${told}`,
    pathResolved: skill.path,
  };
}
