import { span } from "@knack/core/telemetry";
import { answerTo, codeOf, isRecord, parseJson, quote } from "@knack/core/text";
import { type InputLine, MAX_LINE_BYTES, messageLine } from "../host/lines.ts";
import { messageOf } from "../terminal/visible.ts";

/** JSON-RPC 2.0: messages in, messages out. Knows nothing of skills. */

type Id = string | number | null;
type Outcome = { readonly result: unknown } | { readonly error: { code: number; message: string } };

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
    return invalid(null, `The message is too long; at most ${MAX_LINE_BYTES} bytes are allowed.`);
  const message = parseJson(line.text);
  if (message instanceof SyntaxError) return answer(null, failure(PARSE_ERROR, "The line is not JSON."));
  if (!Array.isArray(message)) return answerMessage(message, methods);
  if (message.length === 0) return invalid(null, "An array of calls must not be empty.");
  if (message.length > MAX_BATCH)
    return invalid(null, `An array has at most ${MAX_BATCH} calls, found ${message.length}.`);
  const answers: string[] = [];
  let length = 0;
  for (const call of message) {
    const one = await answerMessage(call, length > MAX_BATCH_ANSWER ? undefined : methods);
    if (one === undefined) continue;
    answers.push(one);
    length += one.length;
  }
  return answers.length > 0 ? `[${answers.join(",")}]` : undefined;
}

/** `methods` is undefined where an array of calls has had answers enough. */
async function answerMessage(message: unknown, methods: Methods | undefined): Promise<string | undefined> {
  if (!isRecord(message)) return invalid(null, "A call must be an object.");
  const { jsonrpc, method, params = {}, id } = message;
  const known = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return invalid(known, '"jsonrpc" must be "2.0".');
  if (id !== undefined && !isId(id))
    return invalid(null, '"id" must be text, a number that JSON keeps exactly, or null.');
  if (typeof method !== "string") return invalid(known, '"method" must be text.');
  if (!methods) {
    const full = "The answers to this array are too long; send this call alone.";
    return id === undefined ? undefined : invalid(known, full);
  }
  const outcome = await call(method, params, methods);
  return id === undefined ? undefined : answer(known, outcome);
}

async function call(name: string, params: unknown, methods: Methods): Promise<Outcome> {
  const method = methods.get(name);
  if (!method) {
    const known = [...methods.keys()].join(", ");
    return failure(METHOD_NOT_FOUND, `There is no method ${quote(name)}. The methods are ${known}.`);
  }
  if (!isRecord(params)) return failure(INVALID_PARAMS, '"params" must be an object.');
  const attributes = { "rpc.system.name": "jsonrpc", "rpc.method": name };
  return span(
    name,
    attributes,
    async (traced) => {
      try {
        return { result: await method(params) };
      } catch (error) {
        traced.fail(codeOf(error));
        return failure(answerTo(error).rpc, messageOf(error));
      }
    },
    { kind: "server" },
  );
}

function answer(id: Id, outcome: Outcome): string {
  return messageLine({ jsonrpc: "2.0", id, ...outcome });
}

function invalid(id: Id, message: string): string {
  return answer(id, failure(INVALID_REQUEST, message));
}

function failure(code: number, message: string): Outcome {
  return { error: { code, message } };
}

/** A number that was rounded would be the answer to another call. */
function isId(id: unknown): id is Id {
  if (typeof id === "number")
    return Number.isSafeInteger(id) || (Number.isFinite(id) && !Number.isInteger(id));
  return id === null || typeof id === "string";
}
