import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { EmbeddingsError } from "./embeddings-error.ts";

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly timeoutMs: number;
}

/** 32 vectors of 8,192 numbers with 20 digits each are 6 MB. */
const MAX_ANSWER = 16 * 1024 * 1024;

/**
 * Sends JSON and returns status and text of the answer. Throws `EmbeddingsError`. A redirect is not followed: the texts go where
 * the configuration says and nowhere else. Neither the connection nor the timer keeps the process alive.
 */
export function postJson({ url, headers, body, timeoutMs }: Post): Promise<{ status: number; text: string }> {
  const payload = Buffer.from(JSON.stringify(body));
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send(url, {
    method: "POST",
    // A connection that is kept for the next request may be closed by the server in the moment that it is used.
    agent: false,
    headers: { ...headers, "Content-Type": "application/json", "Content-Length": payload.length },
  });
  const fail = (error: EmbeddingsError): void => {
    reject(error);
    request.destroy();
  };
  const seconds = timeoutMs / 1000;
  const timer = setTimeout(
    () => fail(new EmbeddingsError(`did not answer within ${seconds} seconds`)),
    timeoutMs,
  ).unref();
  request.on("socket", (socket) => socket.unref());
  request.on("error", (error) => fail(lost(error)));
  request.on("response", (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_ANSWER) fail(new EmbeddingsError(`answered more than ${MAX_ANSWER / 1024 / 1024} MB`));
      else chunks.push(chunk);
    });
    response.on("error", (error) => fail(lost(error)));
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
    );
  });
  request.end(payload);
  return promise.finally(() => clearTimeout(timer));
}

function lost(error: Error): EmbeddingsError {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return new EmbeddingsError(`does not answer (${code})`);
}
