import { createHash, randomUUID } from "node:crypto";
import { type Confirm, type Confirmation, type Question, ToolError } from "@knack/core";
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { visible } from "../cli/visible.ts";
import type { Connection } from "./connection.ts";

/** What a question needs to be taken up again by the next request: it travels through the client, sealed. */
export interface AskState {
  readonly id: string;
  /** Digest of the call that it belongs to. */
  readonly call: string;
  /** Digest of the question that was asked. */
  readonly asked: string;
  /** What was answered before, by question. */
  readonly answers: Readonly<Record<string, Confirmation>>;
}

const KEY = "confirm";
const MAX_SHOWN = 500;
const MAX_USED = 10_000;

/** States that were answered: each is for one answer. */
const used = new Set<string>();

/**
 * Asks the user of a client, in the way of its protocol's revision: the call is answered with a question, and comes again
 * with the answer. The SDK turns the question into a request of its own where the revision is an older one.
 */
export class Asking {
  readonly #connection: Connection;
  readonly #ctx: ServerContext;
  readonly #call: string;
  readonly #params: unknown;
  readonly #answers: Record<string, Confirmation>;
  #pending: Question | undefined;

  constructor(connection: Connection, ctx: ServerContext, tool: string, params: unknown) {
    this.#connection = connection;
    this.#ctx = ctx;
    this.#params = params;
    this.#call = digest([tool, params, connection.isOwner]);
    this.#answers = this.#answered();
  }

  /** Undefined where the client cannot ask: then the policy refuses, and says how to allow it. */
  get confirm(): Confirm | undefined {
    const elicitation = this.#connection.capabilities(this.#ctx)?.elicitation;
    const canAsk =
      elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
    return canAsk ? (question) => this.#confirm(question) : undefined;
  }

  /** The question, where one came up and has no answer yet. */
  async question(): Promise<InputRequiredResult | undefined> {
    const question = this.#pending;
    if (!question) return undefined;
    const state: AskState = {
      id: randomUUID(),
      call: this.#call,
      asked: keyOf(question),
      answers: this.#answers,
    };
    const canRemember = this.#connection.isOwner && question.skill !== undefined && !question.executes;
    return inputRequired({
      inputRequests: {
        [KEY]: inputRequired.elicit({
          message: textOf(question, this.#params),
          requestedSchema: {
            type: "object",
            properties: canRemember
              ? {
                  remember: {
                    type: "boolean",
                    title: "Always",
                    description: "Allow this skill from now on, without a question.",
                    default: false,
                  },
                }
              : {},
          },
        }),
      },
      requestState: await this.#connection.mcp.states.mint(state, this.#ctx),
    });
  }

  async #confirm(question: Question): Promise<Confirmation> {
    const known = this.#answers[keyOf(question)];
    if (known) return known;
    this.#pending = question;
    throw new ToolError("ACCESS_DENIED", "The user is asked first.");
  }

  #answered(): Record<string, Confirmation> {
    const state = this.#ctx.mcpReq.requestState<AskState>();
    if (!state) return {};
    if (state.call !== this.#call || used.has(state.id))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The requestState is not of this call.");
    const [oldest = ""] = used;
    if (used.size >= MAX_USED) used.delete(oldest);
    used.add(state.id);
    const view = inputResponse(this.#ctx.mcpReq.inputResponses, KEY);
    if (view.kind !== "elicit") return { ...state.answers };
    const remembers = this.#connection.isOwner && view.content?.remember === true;
    const answer = view.action === "accept" ? (remembers ? "remember" : "yes") : "no";
    return { ...state.answers, [state.asked]: answer };
  }
}

function keyOf({ tool, skill, calledBy }: Question): string {
  return digest([tool, skill?.path, calledBy?.path]);
}

function digest(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function textOf({ tool, skill, calledBy, executes, reason }: Question, params: unknown): string {
  const of = calledBy ? ` of the skill ${JSON.stringify(calledBy.name)}` : "";
  const what =
    skill && !executes
      ? `use the skill ${JSON.stringify(skill.name)} (${skill.path})`
      : `call ${tool}${of} with ${JSON.stringify(params).slice(0, MAX_SHOWN)}`;
  return visible(`A model wants to ${what}. ${reason} Allow it?`);
}
