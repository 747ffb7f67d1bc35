import { join } from "node:path";
import * as z from "zod";
import { isBinary } from "../context/binary.ts";
import { readContained } from "../context/contained-file.ts";
import { escapePath } from "../context/escape.ts";
import type { Refusal } from "../context/refusal.ts";
import { escapeWrapperTags } from "../context/wrapper-tags.ts";
import { ToolError, type ToolErrorCode } from "./envelope.ts";
import { permitFileIn, permittedSkill } from "./give-skill.ts";
import { parameters } from "./parameters.ts";
import type { Tool } from "./tool.ts";

const PARAMETERS = parameters({
  name: z.string().optional().describe("The skill's exact name."),
  path: z.string().optional().describe("Path of the skill's folder or SKILL.md; it comes before the name."),
  file: z.string().describe("The file to read, relative to the skill's folder."),
});

const CODES: Readonly<Record<Refusal["refusal"], ToolErrorCode>> = {
  NOT_FOUND: "NOT_FOUND",
  ACCESS_DENIED: "ACCESS_DENIED",
  PERMISSION_DENIED: "PERMISSION_DENIED",
  IS_DIRECTORY: "IS_DIRECTORY",
  NOT_REGULAR: "ACCESS_DENIED",
  EXECUTION_ERROR: "EXECUTION_ERROR",
};

/** A text file that comes with a skill; nothing outside of its folder, ever. */
export const skillReadFile: Tool = {
  name: "skill_read_file",
  description:
    "Read a text file that comes with a skill, such as references/checklist.md. Name the skill, and the file relative to its folder.",
  inputSchema: PARAMETERS.inputSchema,
  asksItself: true,
  run: async (params, context) => {
    const { name, path, file } = PARAMETERS.read("skill_read_file", params);
    const permitted = await permittedSkill("skill_read_file", { name, path }, context);
    const { skill, catalog } = permitted;
    const { maxBytes } = catalog.config.skills.files;
    const content = readContained(skill.dir, file, { maxBytes, validation: catalog.validationOf(skill) });
    if ("refusal" in content) throw new ToolError(CODES[content.refusal], content.message);
    await permitFileIn("skill_read_file", permitted, content.real, context);
    const { bytes, size, truncated, sha256 } = content;
    if (isBinary(bytes)) {
      throw new ToolError(
        "BINARY_FILE",
        `${file} is no text (${size} bytes). Its path is ${join(skill.dir, file)}.`,
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
      },
      text: size === 0 ? `${escapePath(file)} is empty.` : `${escapeWrapperTags(text)}${rest}`,
      pathResolved: join(skill.dir, file),
    };
  },
};
