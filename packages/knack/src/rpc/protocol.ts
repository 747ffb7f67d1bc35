import { span } from "@knack/core/telemetry";
import { answerTo, codeOf, quote } from "@knack/core/text";
import { type InputLine, MAX_LINE_BYTES } from "../host/lines.ts";
import { messageOf } from "../terminal/visible.ts";

/** JSON-RPC 2.0: messages in, messages out. Knows nothing of skills. */

type Id = string | number | null;

interface Failure {
  readonly code: number;
  readonly message: string;
}

export type Method = (params: Readonly<Record<string, unknown>>) => Promise<unknown>;
export type Methods = ReadonlyMap<string, Method>;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

/** More in one array is a mistake or an attack; each would be answered in full. */
const MAX_BATCH = 1_000;
/** An array of answers is one line, which is in memory whole; lists of many skills add up. */
const MAX_BATCH_ANSWER = 64 * 1024 * 1024;

/** The answer to a line, as a line: a message, several for an array of calls, nothing for notifications. */
export async function answerLine(line: InputLine, methods: Methods): Promise<string | undefined> {
  if ("tooLong" in line)
    return failure(
      null,
      INVALID_REQUEST,
      `The message is too long; at most ${MAX_LINE_BYTES} bytes are allowed.`,
    );
  let message: unknown;
  try {
    message = JSON.parse(line.text);
  } catch {
    return failure(null, PARSE_ERROR, "The line is not JSON.");
  }
  if (!Array.isArray(message)) return answerMessage(message, methods);
  if (message.length === 0) return failure(null, INVALID_REQUEST, "An array of calls must not be empty.");
  if (message.length > MAX_BATCH)
    return failure(
      null,
      INVALID_REQUEST,
      `An array has at most ${MAX_BATCH} calls, found ${message.length}.`,
    );
  const answers: string[] = [];
  let length = 0;
  for (const call of message) {
    const answer = await answerMessage(call, length > MAX_BATCH_ANSWER ? FULL : methods);
    if (answer === undefined) continue;
    answers.push(answer);
    length += answer.length;
  }
  return answers.length > 0 ? `[${answers.join(",")}]` : undefined;
}

async function answerMessage(message: unknown, methods: Methods | typeof FULL): Promise<string | undefined> {
  if (!isObject(message)) return failure(null, INVALID_REQUEST, "A call must be an object.");
  const { jsonrpc, method, params = {}, id } = message;
  const known = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return failure(known, INVALID_REQUEST, '"jsonrpc" must be "2.0".');
  if (id !== undefined && !isId(id))
    return failure(null, INVALID_REQUEST, '"id" must be text, a number that JSON keeps exactly, or null.');
  if (typeof method !== "string") return failure(known, INVALID_REQUEST, '"method" must be text.');
  const answer = await call(method, params, methods);
  if (id === undefined) return undefined;
  if ("failure" in answer) return failure(known, answer.failure.code, answer.failure.message);
  return success(known, answer.result);
}

/** Parameters come back in an answer, and they may be nested more deeply than can be written. */
function success(id: Id, result: unknown): string {
  try {
    return JSON.stringify({ jsonrpc: "2.0", id, result });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failure(id, INVALID_PARAMS, "The parameters are nested too deeply.");
  }
}

/** In place of the methods, where an array of calls has had answers enough. */
const FULL = "full";

async function call(
  name: string,
  params: unknown,
  methods: Methods | typeof FULL,
): Promise<{ readonly result: unknown } | { readonly failure: Failure }> {
  if (methods === FULL)
    return {
      failure: {
        code: INVALID_REQUEST,
        message: "The answers to this array are too long; send this call alone.",
      },
    };
  const method = methods.get(name);
  if (!method) {
    const message = `There is no method ${quote(name)}. The methods are ${[...methods.keys()].join(", ")}.`;
    return { failure: { code: METHOD_NOT_FOUND, message } };
  }
  if (!isObject(params)) return { failure: { code: INVALID_PARAMS, message: '"params" must be an object.' } };
  const attributes = { "rpc.system.name": "jsonrpc", "rpc.method": name };
  return span(
    name,
    attributes,
    async (traced) => {
      try {
        return { result: await method(params) };
      } catch (error) {
        traced.fail(codeOf(error));
        return { failure: { code: answerTo(error).rpc, message: messageOf(error) } };
      }
    },
    { kind: "server" },
  );
}

function failure(id: Id, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

/** A number that was rounded would be the answer to another call. */
function isId(id: unknown): id is Id {
  if (typeof id === "number")
    return Number.isSafeInteger(id) || (Number.isFinite(id) && !Number.isInteger(id));
  return id === null || typeof id === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
