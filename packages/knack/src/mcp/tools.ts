import { hash } from "node:crypto";
import type { Catalog, Config, Envelope, Session, ToolDescription } from "@knack/core";
import { partOf } from "@knack/core/session";
import { escapeWrapperTags, fewOf, quote } from "@knack/core/text";
import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import { HOOK_TOOL } from "../client-names.ts";
import { whyRefused } from "../host/access.ts";
import { invalid } from "../options.ts";
import { callAsking } from "./asking.ts";
import type { Connection } from "./connection.ts";
import { guarded } from "./errors.ts";
import { callHook, joinConversation, sessionOf } from "./hook-tool.ts";
import { uniqueNames } from "./lists.ts";

/** The tools of the conversation, as the protocol has them. */
export function serveTools({ server }: McpServer, connection: Connection): void {
  server.setRequestHandler("tools/list", (_request, ctx) =>
    guarded(async () => {
      await connection.refreshForTools();
      connection.offered(ctx);
      return { tools: listedTools(connection) };
    }),
  );

  server.setRequestHandler("tools/call", ({ params: { name, arguments: params = {} } }, ctx) =>
    guarded(async () => {
      if (name === HOOK_TOOL) return callHook(connection, params, ctx);
      joinConversation(connection, ctx);
      const tool = await findTool(connection, name);
      if (!tool) {
        const why =
          connection.session.whyLeftOut(name) ??
          `There is no tool ${quote(name)}; tools/list lists them all.`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
      }
      const why = whyRefused(tool.role);
      if (why !== undefined) {
        connection.refused(tool.name, why, ctx);
        return refusal(why);
      }
      const made = await callAsking(connection, ctx, { method: tool.name, params }, (means) =>
        sessionOf(connection, tool.name, params, ctx).call(tool.name, params, {
          by: connection.by(ctx),
          maxTextBytes: MAX_TEXT_BYTES,
          offers: (called) => [...offeredTools(connection).values()].some((one) => one.name === called),
          ...means,
        }),
      );
      return "question" in made ? made.question : toResult(tool, made.result);
    }),
  );
}

/** What the role of the caller's token does not allow. A model can read it, unlike an error of the protocol. */
function refusal(why: string): CallToolResult {
  const _meta = { "knack/status": "error", "knack/code": "ACCESS_DENIED" };
  return { content: [{ type: "text", text: `ACCESS_DENIED: ${why}` }], isError: true, _meta };
}

/** One that is not known may have come with a registry that changed a moment ago. */
async function findTool(connection: Connection, name: string): Promise<ToolDescription | undefined> {
  const known = offeredTools(connection).get(name);
  if (known) return known;
  await connection.refresh();
  return offeredTools(connection).get(name);
}

type ToolChoice = Config["mcp"]["tools"];

function isOffered(choice: ToolChoice, { name, typed, searchHint }: ToolDescription): boolean {
  const isCore = searchHint !== undefined || typed === "project";
  if (typeof choice === "string") return choice === "all" || isCore;
  return choice.includes(name) || (choice.includes("core") && isCore);
}

/** What `--tools` says: `all`, `core`, or names. Throws where it names none, or one that is not there. */
export function readChoice(given: string, { tools }: Session): ToolChoice {
  const words = given.split(",").map((word) => word.trim());
  const [only] = words;
  if (words.length === 1 && (only === "all" || only === "core")) return only;
  const known = ["core", ...tools.map(({ name }) => name)];
  const unknown = words.filter((word) => !known.includes(word));
  if (unknown.length === 0) return words;
  throw invalid(
    `--tools: there is no tool ${fewOf(unknown.map(quote))}. Give all, core, or names, separated by commas: ${known.join(", ")}.`,
  );
}

/** A snapshot has one list, which is not made again for each call. */
const known = new WeakMap<Catalog, Map<string, ToolDescription>>();

/** The tools that the client gets, by the names that it takes. Two that would become one are kept apart, with a note. */
export function offeredTools({ session, mcp }: Connection): Map<string, ToolDescription> {
  const before = known.get(session.catalog);
  if (before) return before;
  const choice = mcp.tools ?? session.catalog.config.mcp.tools;
  const all = session.tools;
  if (typeof choice !== "string") {
    const missing = choice.filter((name) => name !== "core" && !all.some((tool) => tool.name === name));
    if (missing.length > 0) mcp.warnings.tell(`mcp.tools: there is no tool ${fewOf(missing.map(quote))}.`);
  }
  const named = uniqueNames(
    all.filter((tool) => isOffered(choice, tool)),
    ({ name }) => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
    ({ name }) => name,
    (name, tools) =>
      mcp.warnings.tell(
        `E_TOOL_NAME_COLLISION: ${fewOf(tools.map((tool) => tool.name))} would all be called ${name}, so each gets a suffix.`,
      ),
  );
  known.set(session.catalog, named);
  return named;
}

export function listedTools(connection: Connection): Tool[] {
  const tools = [...offeredTools(connection)].filter(([, tool]) => !whyRefused(tool.role));
  return tools.map(([name, tool]) => defineTool(name, tool));
}

/** Lets a client notice that a tool is no longer the one that its user agreed to. */
const DIGEST_KEY = "knack/digest";

/**
 * A tool as clients list it. There is no `outputSchema`: a model reads the text. The hints of Claude Code: with `alwaysLoad` a
 * tool is in the model's context from the start instead of behind a search for tools, `searchHint` is what that search
 * looks at, and `maxResultSizeChars` keeps a part of a text from being moved to a file.
 */
export function defineTool(name: string, tool: ToolDescription): Tool {
  const { description, inputSchema, readOnly, idempotent, executes, searchHint, typed } = tool;
  const described = {
    name,
    description: typed ? shortened(description) : description,
    inputSchema: inputSchema as Tool["inputSchema"],
    annotations: {
      readOnlyHint: readOnly,
      // Of what only reads, the protocol takes the others for granted.
      ...(readOnly ? {} : { idempotentHint: idempotent }),
      // What a program does that somebody else wrote is not promised.
      ...(executes ? {} : { ...(readOnly ? {} : { destructiveHint: false }), openWorldHint: false }),
    },
  };
  const hints =
    searchHint === undefined ? {} : { "anthropic/alwaysLoad": true, "anthropic/searchHint": searchHint };
  return {
    ...described,
    _meta: {
      ...hints,
      ...(typed ? {} : { "anthropic/maxResultSizeChars": MAX_TEXT_BYTES }),
      [DIGEST_KEY]: `sha256:${hash("sha256", JSON.stringify(described))}`,
    },
  };
}

/** Claude Code cuts after 2,048 characters. A project may say more of its typed skill. */
const MAX_DESCRIPTION = 2_000;

function shortened(description: string): string {
  if (description.length <= MAX_DESCRIPTION) return description;
  return `${description.slice(0, MAX_DESCRIPTION - 1).toWellFormed()}…`;
}

/**
 * What one answer may have. Clients cut longer ones, each at another place: Copilot CLI at 20,480 bytes, Gemini CLI at about
 * 40,000 characters, Codex at about 48,000 (12,000 for models that it does not know), opencode at about 51,000 bytes, Claude
 * Code at 25,000 tokens.
 */
export const MAX_TEXT_BYTES = 19_000;

/** Small facts for programs; several clients forward structured content to the model instead of the text, or both. */
const FACTS = ["name", "sha256", "ref", "offset", "next_offset", "skill_id", "dir", "mtime_ms"] as const;

const PLAN_TOOLS = new Set(["plan_status", "plan_run"]);

/** An envelope as the protocol has it: one text for the model. A run, and a plan, are structured content too. */
export function toResult({ name, typed }: ToolDescription, envelope: Envelope): CallToolResult {
  const { status, data, text, error } = envelope;
  const isRun = typed !== undefined && typeof data.id === "string";
  const isPlan = PLAN_TOOLS.has(name) && typeof data.plan === "string";
  return {
    content: [{ type: "text", text: textBlock(text) }],
    ...(isRun || isPlan ? { structuredContent: smallData(data) } : {}),
    isError: status === "error",
    _meta: { "knack/status": status, ...(error ? { "knack/code": error.code } : {}), ...factsOf(envelope) },
  };
}

function factsOf({ data, context }: Envelope): Record<string, unknown> {
  const facts = FACTS.flatMap((key) => {
    const value = data[key];
    // A text of which there is more is not loaded yet, so that its reference leads nowhere.
    if (key === "ref" && data.next_offset !== undefined) return [];
    return typeof value === "string" || typeof value === "number" ? [[`knack/${key}`, value] as const] : [];
  });
  const path = context.path_resolved;
  return {
    ...(path === undefined ? {} : { "knack/path": path }),
    ...Object.fromEntries(facts),
    // Why a dispatch was refused: the five fields of document 000 §6.
    ...(typeof data.target_skill === "string" ? { "knack/dispatch": data } : {}),
  };
}

/** Texts that can be had in parts are in bounds; of others the rest is left out. */
export function textBlock(text: string): string {
  const size = Buffer.byteLength(text);
  if (size <= MAX_TEXT_BYTES) return text;
  const room = MAX_TEXT_BYTES - 100;
  const part = partOf(text, 0, room);
  return `${part?.text ?? ""}\n… cut after ${part?.end ?? 0} of ${size} bytes; the rest does not fit into one answer.`;
}

/** The run or the plan, without what would make it longer than an answer may be. */
function smallData(data: Envelope["data"]): Record<string, unknown> {
  const small: Record<string, unknown> = JSON.parse(JSON.stringify(data), (_key, value) =>
    typeof value === "string" ? escapeWrapperTags(value) : value,
  );
  if (Buffer.byteLength(JSON.stringify(small)) <= MAX_TEXT_BYTES) return small;
  const emptied = Object.entries(small).map(([key, value]) => [key, Array.isArray(value) ? [] : value]);
  return { ...Object.fromEntries(emptied), ...("params" in small ? { params: {} } : {}), truncated: true };
}
