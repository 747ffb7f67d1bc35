import { SkillError } from "@knack/core";
import { readToken, type Token } from "../host/token.ts";
import type { Place } from "../mcp/client-config/client.ts";

const LIMIT_MS = 5_000;

/** The token of a running `knack serve`, tried on it. Without a server there is nothing to set up yet. */
export async function findServer(url: string, { env, home }: Place): Promise<Token> {
  const start = `Start it in another terminal: knack serve${portOf(url)}`;
  // Before the token is read: that makes one where none is.
  await call(url, {}).catch(() => {
    throw new SkillError("NOT_FOUND", `Nothing answers at ${url}. ${start}`);
  });
  const token = await readToken(env, home);
  const answer = await call(url, { authorization: `Bearer ${token.text}` }).catch(() => undefined);
  const where = token.file ?? "KNACK_TOKEN";
  if (answer?.status === 401)
    throw new SkillError(
      "CONFLICT",
      `The server at ${url} refuses the token of ${where}. Start it and this command with the same KNACK_TOKEN, or both without.`,
    );
  if (!answer?.ok || !answer.body.includes('"name":"knack"'))
    throw new SkillError("CONFLICT", `What answers at ${url} is not "knack serve". ${start}`);
  return token;
}

function portOf(url: string): string {
  const { port } = new URL(url);
  return port === "4747" || port === "" ? "" : ` --port ${port}`;
}

async function call(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "knack-setup", version: "1" },
      },
    }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  return { status: answer.status, ok: answer.ok, body: await answer.text() };
}
