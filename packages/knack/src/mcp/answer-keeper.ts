import type { Session, SkillMetadata } from "@knack/core";
import { inCutOrder } from "@knack/core/session";
import { isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Connection } from "./connection.ts";
import { isFirstRequest, isOpening, type Request, requestKey } from "./first-answers.ts";
import { instructions } from "./instructions.ts";
import type { LineWatcher } from "./line-transport.ts";
import { listedPrompts } from "./prompts.ts";
import type { Start } from "./start.ts";
import { listedTools, offeredTools } from "./tools.ts";

/** After a change there are often more. */
const SETTLE_MS = 1_000;
/** So fresh a file tells nothing by its time stamp, on a disk that counts whole seconds. */
const FRESH_MS = 2_500;
/** The skills that a list names first, of each order in which one may be. */
const MAX_NAMED = 256;

/** Keeps what the first requests were answered, for the next start, and does not let through what the client has already. */
export class AnswerKeeper implements LineWatcher {
  connection: Connection | undefined;
  readonly #start: Start;
  readonly #asked = new Map<string | number, Request>();
  readonly #results: Record<string, object> = {};
  /** Something is different from what the client was told. */
  #isStale = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: Start) {
    this.#start = start;
  }

  received(message: JSONRPCMessage): void {
    if (!isJSONRPCRequest(message) || !isFirstRequest(message)) return;
    if (isOpening(message)) this.#start.fileFor(message);
    this.#asked.set(message.id, message);
  }

  sends(message: JSONRPCMessage): boolean {
    if (!isJSONRPCResponse(message) || message.id === undefined) return true;
    const request = this.#asked.get(message.id);
    if (!request) return true;
    this.#asked.delete(message.id);
    if ("result" in message) this.#results[requestKey(request)] = message.result;
    this.plan();
    const { given } = this.#start;
    const before = given.get(message.id);
    if (before === undefined) return true;
    given.delete(message.id);
    this.#isStale ||= !("result" in message && JSON.stringify(message.result) === before);
    if (this.#isStale && given.size === 0) queueMicrotask(() => this.connection?.changed());
    return false;
  }

  /** Writes the answers soon, as they would be given then. */
  plan(ms = SETTLE_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#save();
    }, ms).unref();
  }

  async close(): Promise<void> {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    await this.#save();
  }

  async #save(): Promise<void> {
    const { connection } = this;
    const { file } = this.#start;
    if (!connection || !file) return;
    const { session, mcp } = connection;
    try {
      const binding = file.binding();
      // Throws while it is wrong: then the next start must say so.
      await mcp.host.project.config();
      // A typed skill that is left out may be there again without any change of what is compared.
      if (mcp.host.engine.leftOut.length > 0) return;
      const { catalog } = session;
      // Any file of a skill decides there whether it may be loaded.
      if (catalog.config.skills.locked) return;
      const prompts = await listedPrompts(connection, connection.client());
      const inputs = catalog.inputsOf([...namedFirst(session), ...prompts.skills]);
      // Sees whatever changed before the time stamps were taken.
      await connection.refresh();
      if (!inputs || session.catalog !== catalog) return this.plan(FRESH_MS);
      const now = Object.entries(this.#results).map(([key, result]) => [
        key,
        "prompts" in result ? prompts.result : answeredNow(result, connection),
      ]);
      file.write(binding, { inputs, results: Object.fromEntries(now) });
    } catch {
      // Without them the next start takes longer; what is wrong is reported by the calls that need it.
    }
  }
}

function namedFirst({ offered, uses }: Session): SkillMetadata[] {
  return [...offered.toSorted(inCutOrder(uses)).slice(0, MAX_NAMED), ...offered.slice(0, MAX_NAMED)];
}

function answeredNow(result: object, connection: Connection): object {
  if ("tools" in result) return { ...result, tools: listedTools(connection) };
  return { ...result, instructions: instructions(connection.session, offeredTools(connection)) };
}
