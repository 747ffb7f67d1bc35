import { join } from "node:path";
import * as z from "zod";
import { ToolError } from "../access/envelope.ts";
import { readSkillFile } from "../access/read-skill-file.ts";
import type { Tool } from "../access/tool.ts";
import { escapePath } from "../context/blocks/escape.ts";
import { escapeWrapperTags } from "../context/blocks/wrapper-tags.ts";
import { isBinary } from "../context/files/binary.ts";
import { shorten } from "../shared/quote.ts";
import { answer, parameters } from "./parameters.ts";

const PARAMETERS = parameters({
  name: z.string().optional().describe("The skill's exact name."),
  path: z
    .string()
    .optional()
    .describe("Path of the skill's folder or SKILL.md; it takes precedence over the name."),
  file: z.string().describe("The file to read, relative to the skill's folder."),
});

export const skillFileSchema = answer({
  name: z.string(),
  path: z.string(),
  file: z.string(),
  content: z.string(),
  size_bytes: z.int(),
  sha256: z.string().optional().describe("Of the whole file; absent if the file was cut."),
  truncated: z.boolean(),
});

/** A text file that comes with a skill; nothing outside of its folder, ever. */
export const skillReadFile: Tool = {
  name: "skill_read_file",
  description:
    "Read a text file that comes with a skill, such as references/checklist.md. Name the skill, and the file relative to its folder.",
  inputSchema: PARAMETERS.inputSchema,
  dataSchema: skillFileSchema.jsonSchema,
  readOnly: true,
  idempotent: true,
  asksItself: true,
  run: async (params, context) => {
    const { name, path, file } = PARAMETERS.read("skill_read_file", params);
    const { maxBytes } = context.catalog.config.skills.files;
    const read = await readSkillFile("skill_read_file", { name, path }, file, maxBytes, context);
    const { skill, bytes, size, truncated, sha256 } = read;
    if (isBinary(bytes)) {
      throw new ToolError(
        "BINARY_FILE",
        `${shorten(file)} is not text (${size} bytes). Read it by its path with a tool for such files: ${join(skill.dir, file)}`,
      );
    }
    const text = bytes.toString("utf8");
    const rest = truncated
      ? `\n… cut after ${bytes.length} of ${size} bytes; read the rest from ${escapePath(join(skill.dir, file))}.`
      : "";
    return {
      data: {
        name: skill.name,
        path: skill.path,
        file,
        content: text,
        size_bytes: size,
        // Of the whole file, so there is none where it was cut.
        ...(sha256 === undefined ? {} : { sha256 }),
        truncated,
      } satisfies z.infer<typeof skillFileSchema>,
      text: size === 0 ? `${escapePath(file)} is empty.` : `${escapeWrapperTags(text)}${rest}`,
      pathResolved: join(skill.dir, file),
    };
  },
};
