import { SkillError } from "@knack/core";
import type { Client, Entry, Words } from "../../mcp/client-config/client.ts";
import { type Member, serversPath } from "../edit/member.ts";

/** How the client is to reach Knack. */
export type Way =
  | { readonly kind: "stdio"; readonly words: Words }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly token: string;
      readonly tokenFile: string | null;
    };

/** What setup writes into a client's file. */
export function wantedMembers(client: Client, way: Way, document: Entry): Member[] {
  if (way.kind === "stdio") return [server(client, document, client.stdio(way.words))];
  const entry = client.http(way.url, authorizationOf(client, way));
  return [...questions(client), server(client, document, entry)];
}

/** All that setup could have written there. */
export function knownMembers(client: Client, document: Entry): Member[] {
  return [...questions(client), server(client, document, {})];
}

function server(client: Client, document: Entry, value: Entry): Member {
  return { path: serversPath(client, document), key: "knack", value };
}

function questions({ question }: Client): Member[] {
  return question
    ? [{ path: [question.key], key: question.value.id, isInList: true, value: question.value }]
    : [];
}

/** Whether the token itself stands in the client's file. */
export function writesToken({ question, tokenFrom }: Client, way: Way): boolean {
  return way.kind === "http" && !question && !(tokenFrom && way.tokenFile !== null);
}

/** By reference where the client can read a file or asks, else the token itself. */
function authorizationOf(client: Client, way: Way & { readonly kind: "http" }): string {
  if (client.question) return client.variable;
  if (client.tokenFrom && way.tokenFile !== null) return client.tokenFrom(way.tokenFile);
  // Clients replace ${NAME}, $NAME and {env:NAME} in their files.
  if (/[${}]/.test(way.token))
    throw new SkillError(
      "CONFIG_INVALID",
      "The token has characters that clients replace ($, { or }); use another one, for example from: openssl rand -hex 32",
    );
  return `Bearer ${way.token}`;
}
