import type { Session } from "@knack/core";
import { knackHome } from "@knack/core/config";
import { parentOf, startOf } from "@knack/core/process";
import { ConversationFile, conversationServedBy, forgetOldConversations } from "@knack/core/session";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { HOOK_EVENTS } from "../client-names.ts";
import { answerHook, callKey, withoutSkills } from "../hook/answer-hook.ts";
import {
  clientNamed,
  HOOK_CLIENTS,
  HOOK_LIMIT_MS,
  type HookClient,
  readCall,
  writeAnswer,
} from "../hook/hook-clients.ts";
import { namedCaller } from "../host/access.ts";
import { within } from "../within.ts";
import type { Connection } from "./connection.ts";

/** Claude Code tells the model that a hook has ended, unless its answer is an object. */
const NOTHING = "{}";

/** Answers a hook; whatever goes wrong, the client goes on without a word. */
export async function callHook(
  connection: Connection,
  params: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const answered = answer(connection, params, ctx).catch(() => "");
  const text = await within(HOOK_LIMIT_MS, answered, "");
  return { content: [{ type: "text", text: text || NOTHING }] };
}

async function answer(
  connection: Connection,
  params: Readonly<Record<string, unknown>>,
  ctx: ServerContext,
): Promise<string> {
  const event = HOOK_EVENTS.find((one) => one === params.event);
  const client = clientNamed(connection.client(ctx));
  if (!event || !client) return "";
  const said = readCall(event, client, params);
  const asked = { ...said, agent: said.agent || threadOf(ctx, said.conversation) };
  await connection.refresh();
  const own = asked.conversation === "" ? undefined : fileOf(connection, client, asked.conversation);
  if (own) join(connection, own);
  const call = { ...asked, conversation: own?.id ?? "" };
  const conversation = own?.of(call.agent);
  const record = (given: Parameters<typeof connection.recordHook>[0]): void =>
    connection.recordHook(given, call.conversation);
  const session =
    conversation && call.agent !== "" ? sessionFor(connection, conversation) : connection.session;
  const host = { session, conversation, by: connection.by(ctx), record };
  const quick = withoutSkills(call, session.catalog.config, host);
  return writeAnswer(call, quick ?? (await answerHook(call, host)));
}

/** In Codex a subagent is a thread of the same session. */
function threadOf({ mcpReq }: ServerContext, session: string): string {
  const { threadId } = mcpReq._meta ?? {};
  return typeof threadId === "string" && threadId !== session ? threadId : "";
}

/** A member of a team has conversations of their own, whatever id they give. */
function fileOf({ mcp }: Connection, client: HookClient, id: string): ConversationFile {
  const { env, home } = mcp.host.project.place;
  const token = namedCaller()?.name;
  return new ConversationFile(knackHome(env, home), client, token ? `${token}/${id}` : id);
}

function join(connection: Connection, conversation: ConversationFile): void {
  if (connection.joined?.id === conversation.id) return;
  connection.join(conversation);
  const { env, home } = connection.mcp.host.project.place;
  forgetOldConversations(knackHome(env, home));
}

/**
 * Finds out which conversation a call is of: by what it says, by a hook that was called here, by the client's variable, or by the
 * process that started this server. Where nobody knows, the connection is a conversation of its own.
 */
export function joinConversation(connection: Connection, ctx: ServerContext): void {
  const client = clientNamed(connection.client(ctx));
  if (!client) return;
  const { _meta: meta = {} } = ctx.mcpReq;
  const said = [meta.sessionId, meta.threadId].find((id) => typeof id === "string" && id !== "");
  const { variable, isFoundByProcess } = HOOK_CLIENTS[client];
  const { env, home } = connection.mcp.host.project.place;
  const isOwn = connection.transport === "pipe";
  const id = said ?? (isOwn && !connection.joined && variable ? env[variable] : undefined);
  if (id) join(connection, fileOf(connection, client, String(id)));
  if (id || !isOwn || !isFoundByProcess) return;
  const pid = process.ppid;
  const served =
    conversationServedBy(knackHome(env, home), client, { pid, started: startOf(pid) }) ??
    conversationServedBy(knackHome(env, home), client, {
      pid: parentOf(pid),
      started: startOf(parentOf(pid)),
    });
  if (served) join(connection, served);
}

/** A subagent shares the server, and has a context of its own. */
function sessionFor(connection: Connection, conversation: ConversationFile): Session {
  const { runtime } = connection.mcp.host;
  const session = runtime.session({
    observe: async (event) => connection.recordHook(event, conversation.id),
  });
  session.share(conversation);
  return session;
}

/** Whose conversation a call is of: the subagent's that the client or a hook named, else the connection's own. */
export function sessionOf(connection: Connection, tool: string, params: object, ctx: ServerContext): Session {
  const { joined } = connection;
  if (!joined) return connection.session;
  const { sessionId, threadId } = ctx.mcpReq._meta ?? {};
  const agent = threadId
    ? threadOf(ctx, String(sessionId ?? threadId))
    : joined.callerOf(callKey(tool, params));
  return agent === "" ? connection.session : sessionFor(connection, joined.of(agent));
}
