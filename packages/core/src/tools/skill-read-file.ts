import { join } from "node:path";
import * as z from "zod";
import { ToolError } from "../access/envelope.ts";
import { readSkillFile } from "../access/give-skill.ts";
import type { Tool } from "../access/tool.ts";
import { escapePath, escapeWrapperTags } from "../context/blocks/escape.ts";
import { partOfFile } from "../context/blocks/parts.ts";
import { isBinary } from "../context/files/contained-file.ts";
import { shorten } from "../shared/quote.ts";
import { answerData, parameters, TEXT_OFFSET } from "./parameters.ts";

const PARAMETERS = parameters({
  name: z.string().optional(),
  path: z.string().optional(),
  file: z.string().describe("From the skill's folder, e.g. references/a.md"),
  offset: TEXT_OFFSET.optional(),
  limit: z.int().min(1).optional().describe("Bytes at most"),
});

export const skillFileSchema = answerData({
  name: z.string(),
  path: z.string(),
  file: z.string(),
  content: z.string(),
  size_bytes: z.int(),
  sha256: z.string().optional().describe("Of the whole file; absent if the file was cut."),
  truncated: z.boolean(),
  offset: z.int().optional().describe("Where the part begins, if this is not the whole file."),
  next_offset: z.int().optional().describe("Where the next part begins; absent in the last."),
});

/** A text file that comes with a skill; nothing outside of its folder, ever. */
export const skillReadFile: Tool = {
  name: "skill_read_file",
  description: "Read a text file that comes with a skill.",
  inputSchema: PARAMETERS.inputSchema,
  dataSchema: skillFileSchema.jsonSchema,
  readOnly: true,
  role: "reader",
  searchHint: "read a file of a skill",
  idempotent: true,
  asksItself: true,
  run: async (params, context) => {
    const { name, path, file, offset = 0, limit } = PARAMETERS.read("skill_read_file", params);
    const { maxBytes } = context.catalog.config.skills.files;
    const read = await readSkillFile("skill_read_file", { name, path }, file, maxBytes, context);
    const { skill, bytes, size, truncated, sha256 } = read;
    if (isBinary(bytes)) {
      throw new ToolError(
        "BINARY_FILE",
        `${shorten(file)} is not text (${size} bytes). Read it by its path with a tool for such files: ${join(skill.dir, file)}`,
      );
    }
    const facts = {
      name: skill.name,
      path: skill.path,
      file,
      size_bytes: size,
      // Of the whole file, so there is none where it was cut.
      ...(sha256 === undefined ? {} : { sha256 }),
    };
    const pathResolved = join(skill.dir, file);
    const text = bytes.toString("utf8");
    const rest = truncated
      ? `\n… cut after ${bytes.length} of ${size} bytes; read the rest from ${escapePath(pathResolved)}.`
      : "";
    const escaped = escapeWrapperTags(text);
    const whole = size === 0 ? `${escapePath(shorten(file))} is empty.` : `${escaped}${rest}`;
    if (offset === 0 && limit === undefined && Buffer.byteLength(whole) <= context.maxTextBytes) {
      const data = { ...facts, content: text, truncated } satisfies z.infer<typeof skillFileSchema>;
      return { data, text: whole, pathResolved };
    }
    const call = { tool: "skill_read_file", params };
    const part = partOfFile(escaped, { file, offset, limit, rest, call, maxBytes: context.maxTextBytes });
    if (!part) throw noSuchPart(file, offset);
    const { content, next } = part;
    const data = {
      ...facts,
      content,
      truncated: truncated || next !== undefined,
      offset: part.offset,
      ...(next === undefined ? {} : { next_offset: next }),
    } satisfies z.infer<typeof skillFileSchema>;
    return { data, text: part.text, pathResolved };
  },
};

function noSuchPart(file: string, offset: number): ToolError {
  const message = `${shorten(file)} has no part at offset ${offset}: it may have changed since its earlier parts were given. Read it without offset to begin again.`;
  return new ToolError("CONFLICT", message);
}
