import type { EmbeddingsConfig } from "../../config/config.ts";
import { shorten } from "../../shared/quote.ts";
import { EmbeddingsError } from "./embeddings-error.ts";
import { postJson } from "./post-json.ts";
import { readVectors } from "./read-vectors.ts";

/** Texts → their vectors of length 1, in the same order. Throws `EmbeddingsError`. */
export type Embed = (texts: readonly string[], timeoutMs: number) => Promise<Float32Array[]>;

/** Asks the configured endpoint. The API key is read for each request and appears in no message. */
export function endpoint({ url, model, apiKeyEnv }: EmbeddingsConfig, env: NodeJS.ProcessEnv): Embed {
  const address = new URL(`${url.replace(/\/+$/, "")}/embeddings`);
  return async (texts, timeoutMs) => {
    const key = apiKeyEnv === undefined ? undefined : keyIn(env, apiKeyEnv);
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    const { status, text } = await postJson({
      url: address,
      headers,
      body: { model, input: texts },
      timeoutMs,
    });
    if (status !== 200)
      throw new EmbeddingsError(`answered with status ${status}`, {
        isRefusal: REFUSALS.has(status),
        said: saidIn(text, key),
      });
    return readVectors(text, texts.length);
  };
}

/** How servers refuse a text that is too long for the model; llama.cpp answers 500. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422, 500]);

function keyIn(env: NodeJS.ProcessEnv, variable: string): string {
  const key = env[variable] ?? "";
  if (key === "") throw new EmbeddingsError(`needs the environment variable ${variable}, which is not set`);
  // Node would quote the key in its own error.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new EmbeddingsError(`needs a key, and ${variable} has characters that a key cannot have`);
  return key;
}

/** The message in an error answer: `{error: {message}}` or `{error: "…"}`. */
function saidIn(text: string, key: string | undefined): string {
  const [, message = text] = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.){1,500})"/.exec(text) ?? [];
  const clean = message.replaceAll(/\\"/g, '"').trim();
  return shorten(key === undefined ? clean : clean.replaceAll(key, "…"));
}
