import { createHash } from "node:crypto";
import type { ToolDescription } from "@knack/core";
import type { Tool } from "@modelcontextprotocol/server";
import { MAX_TEXT_BYTES } from "./tool-result.ts";

/** Lets a client notice that a tool is no longer the one that its user agreed to. */
const DIGEST_KEY = "knack/digest";

/** What Claude Code's search for tools looks for, where it has deferred them. */
const HINTS: Readonly<Record<string, string>> = {
  skill_search: "find a skill for a task",
  skill_load: "load or use a skill by name",
  skill_read_file: "read a file of a skill",
};

/**
 * A tool as clients list it. There is no `outputSchema`: a model reads the text. The hints of Claude Code: with `alwaysLoad` a
 * tool is in the model's context from the start instead of behind a search for tools, `searchHint` is what that search
 * looks at, and `maxResultSizeChars` keeps a part of a text from being moved to a file.
 */
export function defineTool(name: string, tool: ToolDescription): Tool {
  const { description, inputSchema, readOnly, idempotent, executes } = tool;
  const described = {
    name,
    description: shortened(description),
    inputSchema: inputSchema as Tool["inputSchema"],
    annotations: {
      readOnlyHint: readOnly,
      // Of what only reads, the protocol takes the others for granted.
      ...(readOnly ? {} : { idempotentHint: idempotent }),
      // What a program does that somebody else wrote is not promised.
      ...(executes ? {} : { ...(readOnly ? {} : { destructiveHint: false }), openWorldHint: false }),
    },
  };
  const sha256 = createHash("sha256").update(JSON.stringify(described)).digest("hex");
  const hint = HINTS[tool.name];
  const hints = hint === undefined ? {} : { "anthropic/alwaysLoad": true, "anthropic/searchHint": hint };
  return {
    ...described,
    _meta: {
      ...hints,
      ...(tool.typed ? {} : { "anthropic/maxResultSizeChars": MAX_TEXT_BYTES }),
      [DIGEST_KEY]: `sha256:${sha256}`,
    },
  };
}

/** Claude Code cuts after 2,048 characters. A project may say more of its typed skill. */
const MAX_DESCRIPTION = 2_000;

function shortened(description: string): string {
  if (description.length <= MAX_DESCRIPTION) return description;
  return `${description.slice(0, MAX_DESCRIPTION - 1).toWellFormed()}…`;
}
