import { createWriteStream } from "node:fs";
import * as http from "node:http";
import { pipeline } from "node:stream/promises";
import { KnackError } from "@knack/core";
import { systemCode, writeError } from "@knack/core/files";
import { notFound } from "../options.ts";
import { throwIfAborted } from "./scratch.ts";
import { publicUrl, SOURCE_LIMITS, tooLarge } from "./source.ts";

const MAX_REDIRECTS = 5;

/** Downloads a file; what comes is counted, whatever the server says of its size. */
export async function download(
  address: string,
  file: string,
  place: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<void> {
  useProxies(place.env);
  const shown = publicUrl(address);
  try {
    const response = await get(address, place.signal, shown);
    let bytes = 0;
    await pipeline(
      response.body as unknown as AsyncIterable<Uint8Array>,
      async function* (parts: AsyncIterable<Uint8Array>) {
        for await (const part of parts) {
          bytes += part.length;
          if (bytes > SOURCE_LIMITS.downloadBytes)
            throw tooLarge(`${shown} has`, SOURCE_LIMITS.downloadBytes);
          yield part;
        }
      },
      createWriteStream(file, { flags: "wx", mode: 0o600 }),
      { signal: place.signal },
    );
  } catch (error) {
    throwIfAborted(place.signal);
    if (error instanceof KnackError) throw error;
    if (error instanceof Error && "syscall" in error && /^(?:open|write)$/.test(String(error.syscall)))
      throw writeError(file, systemCode(error), true);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message.replaceAll(address, shown) : String(cause);
    throw notFound(`${shown} could not be downloaded: ${reason}. Check the address and your network.`);
  }
}

/** Redirects are followed by hand: none leads from https to http, and a password goes to its own host alone. */
async function get(address: string, signal: AbortSignal, shown: string): Promise<Response> {
  const first = new URL(address);
  let at = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const url = new URL(at);
    url.username = "";
    url.password = "";
    const login = at.host === first.host && (first.username !== "" || first.password !== "");
    const headers: Record<string, string> = { "accept-encoding": "identity", "user-agent": "knack" };
    if (login)
      headers.authorization = `Basic ${Buffer.from(`${decodeURIComponent(first.username)}:${decodeURIComponent(first.password)}`).toString("base64")}`;
    const response = await fetch(url, { redirect: "manual", headers, signal });
    if (response.ok && response.body) return response;
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null)
      throw notFound(
        `${shown} could not be downloaded: the server answered ${response.status}. Check the address.`,
      );
    at = new URL(location, at);
    if (at.protocol !== "https:" && !(at.protocol === "http:" && first.protocol === "http:"))
      throw notFound(`${shown} leads to an address without https, which is not followed.`);
  }
  throw notFound(`${shown} could not be downloaded: too many redirects.`);
}

/** `HTTPS_PROXY` and its like, as every other program has them. */
function useProxies(env: NodeJS.ProcessEnv): void {
  if (!Object.keys(env).some((name) => /^https?_proxy$/i.test(name))) return;
  const set = (http as { setGlobalProxyFromEnv?: (env: NodeJS.ProcessEnv) => unknown }).setGlobalProxyFromEnv;
  set?.(env);
}
