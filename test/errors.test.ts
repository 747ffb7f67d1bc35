import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import {
  type answerTo,
  codeOf,
  ERROR_CODES,
  type ErrorCode,
  KnackError,
  TOOL_ERROR_CODES,
} from "../packages/core/src/shared/errors.ts";
import { answer } from "../packages/core/src/tools/call-tool.ts";

import { failureReport } from "../packages/knack/src/cli/fail.ts";
import { errorResponse, httpError } from "../packages/knack/src/http/error-response.ts";
import { guarded } from "../packages/knack/src/mcp/errors.ts";
import { answerLine } from "../packages/knack/src/rpc/protocol.ts";

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];
const UNKNOWN: readonly unknown[] = [
  new Error("SECRET of a library"),
  new TypeError("SECRET is undefined"),
  Object.assign(new Error("SECRET"), { code: "NOT_A_CODE" }),
  Object.assign(new KnackError("NOT_FOUND", "SECRET"), { code: "constructor" }),
  "SECRET",
  undefined,
];

async function overHttp(error: unknown): Promise<{ status: number; body: string }> {
  const response = errorResponse(error, []);
  return { status: response.status, body: await response.text() };
}

async function overRpc(error: unknown): Promise<{ code: number; message: string }> {
  const methods = new Map([["m", () => Promise.reject(error)]]);
  const line = await answerLine({ text: '{"jsonrpc":"2.0","id":1,"method":"m"}' }, methods);
  return JSON.parse(line ?? "").error;
}

const HERE = { projectRoot: "/", cwd: "/" };

describe("one table says how each error is answered", () => {
  it.each(CODES)("%s", async (code) => {
    const error = new KnackError(code, "What is wrong.", { candidates: ["/a", "/b"] });
    const { exit, http, rpc, tool, told: instead } = ERROR_CODES[code] as ReturnType<typeof answerTo>;
    const failure = { code, message: "What is wrong.", candidates: ["/a", "/b"] };
    expect(failureReport(error)).toEqual({ exit, error: failure });
    const { status, body } = await overHttp(error);
    expect(status).toBe(http);
    expect(JSON.parse(body).error).toMatchObject({ code, message: instead ?? "What is wrong." });
    expect((await overRpc(error)).code).toBe(rpc);
    const envelope = await answer({}, HERE, () => Promise.reject(error));
    expect(envelope.error).toEqual({ code: tool, message: "What is wrong." });
    expect(envelope.data).toEqual({ candidates: ["/a", "/b"] });
  });

  it("has every code of a tool's envelope, as itself", () => {
    for (const code of TOOL_ERROR_CODES) expect(ERROR_CODES[code].tool).toBe(code);
  });

  it("has every code that docs/diagnostics.md and docs/tools.md name", () => {
    const docs = ["diagnostics.md", "tools.md"].map((file) =>
      readFileSync(join(import.meta.dirname, "../docs", file), "utf8"),
    );
    const [, thrown = ""] = docs[0]?.split("## Errors that are thrown") ?? [];
    const named = [...thrown.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code = ""]) => code);
    expect(named).toEqual(expect.arrayContaining(["NOT_FOUND", "AMBIGUOUS", "INVALID_PARAM"]));
    for (const code of named) expect(CODES).toContain(code);
    for (const code of TOOL_ERROR_CODES) expect(docs[1]).toContain(`\`${code}\``);
  });

  it("wrong usage is exit code 2, everything else 1", () => {
    expect(CODES.filter((code) => ERROR_CODES[code].exit === 2)).toEqual([
      "INVALID_PARAM",
      "E_BIND_INSECURE",
    ]);
  });
});

describe("one family", () => {
  it.each([
    new KnackError("AMBIGUOUS", "m", { candidates: ["/a"] }),
    new KnackError("INVALID_PARAM", "m", { data: { candidates: ["/a"] } }),
    new KnackError("INVALID_PARAM", "m", { candidates: ["/a"] }),
  ])("$name is a KnackError with its code and candidates", (error) => {
    expect(error).toBeInstanceOf(KnackError);
    expect(error).toMatchObject({ message: "m", candidates: ["/a"] });
    expect(codeOf(error)).toBe(error.code);
  });

  it("also those of the store and of a request, which may have a status of its own", () => {
    const store = new KnackError("BUSY", "m", { cause: "c" });
    expect(store).toMatchObject({ name: "KnackError", code: "BUSY", cause: "c" });
    const http = errorResponse(httpError(405, "INVALID_PARAM", "m", { Allow: "GET" }), []);
    expect({ status: http.status, allow: http.headers.get("allow") }).toEqual({ status: 405, allow: "GET" });
    expect(store).toBeInstanceOf(KnackError);
  });
});

describe("an error that is not Knack's is INTERNAL_ERROR", () => {
  it.each(UNKNOWN.map((error) => [error]))("%s", async (error) => {
    expect(codeOf(error)).toBe("INTERNAL_ERROR");
    const failure = failureReport(error);
    expect(failure).toMatchObject({ exit: 1, error: { code: "INTERNAL_ERROR" } });
    expect(failure.error.message).not.toContain(import.meta.filename);
    const { status, body } = await overHttp(error);
    expect(status).toBe(500);
    expect(body).not.toContain("SECRET");
    const rpc = await overRpc(error);
    expect(rpc.code).toBe(-32603);
    expect(rpc.message).not.toContain(import.meta.filename);
    const mcp = await guarded(() => Promise.reject(error)).catch((thrown: unknown) => thrown);
    expect(mcp).toMatchObject({ code: -32603, message: expect.not.stringContaining("SECRET") });
    expect((await answer({}, HERE, () => Promise.reject(error))).error?.code).toBe("INTERNAL_ERROR");
  });
});
