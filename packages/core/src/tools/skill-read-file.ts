import { join } from "node:path";
import * as z from "zod";
import { readSkillFile } from "../access/give-skill.ts";
import type { Tool } from "../access/tool.ts";
import { escapePath, escapeWrapperTags } from "../context/blocks/escape.ts";
import { type FilePart, partOfFile } from "../context/blocks/parts.ts";
import { isBinary } from "../context/files/contained-file.ts";
import { KnackError } from "../shared/errors.ts";
import { pluralize, shorten } from "../shared/quote.ts";
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
      throw new KnackError(
        "BINARY_FILE",
        `${shorten(file)} is not text (${pluralize(size, "byte")}). Read it by its path with a tool for such files: ${join(skill.dir, file)}`,
      );
    }
    const pathResolved = join(skill.dir, file);
    const content = bytes.toString("utf8");
    const escaped = escapeWrapperTags(content);
    const rest = truncated
      ? `\n… cut after ${bytes.length} of ${size} bytes; read the rest from ${escapePath(pathResolved)}.`
      : "";
    const text = size === 0 ? `${escapePath(shorten(file))} is empty.` : `${escaped}${rest}`;
    const { maxTextBytes } = context;
    const isWhole = offset === 0 && limit === undefined && Buffer.byteLength(text) <= maxTextBytes;
    const call = { tool: "skill_read_file", params };
    const part: FilePart | undefined = isWhole
      ? { content, text }
      : partOfFile(escaped, { file, offset, limit, rest, call, maxBytes: maxTextBytes });
    if (!part) {
      const message = `${shorten(file)} has no part at offset ${offset}: it may have changed since its earlier parts were given. Read it without offset to begin again.`;
      throw new KnackError("CONFLICT", message);
    }
    const data = {
      name: skill.name,
      path: skill.path,
      file,
      size_bytes: size,
      sha256,
      content: part.content,
      truncated: truncated || part.next !== undefined,
      offset: part.offset,
      next_offset: part.next,
    } satisfies z.infer<typeof skillFileSchema>;
    return { data, text: part.text, pathResolved };
  },
};
