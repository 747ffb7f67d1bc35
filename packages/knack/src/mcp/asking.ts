import { hash, randomUUID } from "node:crypto";
import type { Confirm, Confirmation, Question } from "@knack/core";
import {
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { confirmer, namedCaller } from "../host/access.ts";
import type { Connection } from "./connection.ts";
import { questionText } from "./page-questions.ts";
import { AskingCall, type AskState, startProgress } from "./paused-call.ts";

/** What a call gets to ask, to tell and to be ended by. */
export interface CallMeans {
  /** Not there where the client cannot ask: then the policy refuses, and says how to allow it. */
  readonly confirm?: Confirm;
  readonly signal: AbortSignal;
  onProgress(message: string): void;
}

const KEY = "confirm";

/**
 * Makes a call that may ask the user of a client, in the way of its protocol's revision: the request is answered with a
 * question and comes again with the answer, or, in the older revisions, the question is a request of its own.
 */
export async function callAsking<Result>(
  connection: Connection,
  ctx: ServerContext,
  // The tool, or the method, with its parameters.
  { method, params }: { readonly method: string; readonly params: unknown },
  start: (means: CallMeans) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly question: InputRequiredResult }> {
  const { pausedCalls, states } = connection.mcp;
  const digest = hash("sha256", JSON.stringify([method, params, connection.caller]));
  const call = resumeCall(connection, ctx, digest) ?? startCall(connection, ctx, params, start);
  const progress = startProgress(ctx, method);
  call.progress = progress;
  if (ctx.mcpReq.envelope === undefined)
    return { result: (await askedDirectly(call, params, ctx).finally(progress.end)) as Result };
  const next = await call.next(ctx.mcpReq.signal).finally(progress.end);
  // The digest proves that the resumed call has this result type.
  if ("result" in next) return { result: next.result as Result };
  const { question } = next;
  const state: AskState = { id: randomUUID(), call: digest, canLast: canLast(question) };
  pausedCalls.keep(state.id, call);
  const inputRequests = { [KEY]: inputRequired.elicit(toForm(question, params)) };
  return { question: inputRequired({ inputRequests, requestState: await states.mint(state, ctx) }) };
}

/** People take their time; the protocol's usual limit is a minute. */
const ANSWER_MS = 10 * 60_000;

/** Not by the SDK's own way from one revision to the other: there a client that cannot show a question ends the call. */
async function askedDirectly(call: AskingCall, params: unknown, { mcpReq }: ServerContext): Promise<unknown> {
  const { signal, id: relatedRequestId } = mcpReq;
  for (;;) {
    const next = await call.next(signal);
    if ("result" in next) return next.result;
    const { question } = next;
    try {
      const form = toForm(question, params);
      // In the stream of the answer: many clients listen to no other.
      const how = { signal, timeout: ANSWER_MS, relatedRequestId };
      const { action, content } = await mcpReq.elicitInput(form, how);
      call.answer(answerOf(action, canLast(question) && content?.remember === true));
    } catch {
      // The client cannot show it, or has left, or cancelled the call, which then ends.
      if (signal.aborted) call.giveUp();
      else call.answer("dismissed");
    }
  }
}

/**
 * Asks by elicitation where the client can; else on the page, if one is open. The client of a named token, whatever its role,
 * would answer its own question.
 */
function startCall(
  connection: Connection,
  ctx: ServerContext,
  params: unknown,
  start: (means: CallMeans) => Promise<unknown>,
): AskingCall {
  const isAsked = canAsk(connection, ctx) && namedCaller() === undefined;
  const client = connection.client(ctx) || "unknown";
  const call: AskingCall = new AskingCall((askClient, signal) => {
    // Nobody is asked for a word that would not count.
    const askCaller: Confirm = async (question) => {
      if (question.confirms) await confirmer();
      return askClient(question);
    };
    const confirm = isAsked ? askCaller : connection.mcp.questions?.confirmFor(client, params, signal);
    return start({ signal, onProgress: (message) => call.progress?.tell(message), confirm });
  });
  return call;
}

/** The call that a request goes on with, its question answered; none where the request begins one. */
function resumeCall(connection: Connection, ctx: ServerContext, digest: string): AskingCall | undefined {
  const state = ctx.mcpReq.requestState<AskState>();
  if (!state) return undefined;
  const call = state.call === digest ? connection.mcp.pausedCalls.take(state.id) : undefined;
  if (!call)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "The requestState does not belong to this call, or was answered already. Repeat the call without it.",
    );
  const view = inputResponse(ctx.mcpReq.inputResponses, KEY);
  // Without an answer the same is asked again.
  if (view.kind === "elicit")
    call.answer(answerOf(view.action, state.canLast && view.content?.remember === true));
  return call;
}

function answerOf(action: string, remembers: boolean): Confirmation {
  if (action === "decline") return "declined";
  if (action !== "accept") return "dismissed";
  return remembers ? "remember" : "yes";
}

function canAsk(connection: Connection, ctx: ServerContext): boolean {
  const elicitation = connection.capabilities(ctx)?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function toForm(question: Question, params: unknown): ElicitRequestFormParams {
  const remember = {
    type: "boolean",
    title: "Always",
    description: `Allow ${question.executes ? `${question.tool} with ` : ""}this skill from now on, without asking.`,
    default: false,
  } as const;
  return {
    message: questionText(question, params),
    requestedSchema: { type: "object", properties: canLast(question) ? { remember } : {} },
  };
}

/** Whether an allow can be kept: it becomes a rule for a skill. */
function canLast({ skill }: Question): boolean {
  return skill !== undefined;
}
