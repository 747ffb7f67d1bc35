import { quote, shorten } from "@knack/core/internal";
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import type { SkillReadResult } from "@modelcontextprotocol/server/ext/skills";
import { callAsking } from "../elicitation/asking.ts";
import type { Connection } from "../server/connection.ts";
import { guarded } from "../server/guarded.ts";
import { notFound } from "../server/not-found.ts";
import type { ConnectionSkills } from "../skills-extension/skill-source.ts";

/** The files of skills. The extension's own way to read them has no way to ask the user first. */
export function serveReading({ server }: McpServer, connection: Connection, skills: ConnectionSkills): void {
  server.setRequestHandler("resources/read", ({ params: { uri } }, ctx) =>
    guarded(async () => {
      if (!URL.canParse(uri))
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `${quote(uri)} is not a URI. Use one from resources/list.`,
          {
            uri: shorten(uri),
            reason: "invalid_uri",
          },
        );
      const made = await callAsking(connection, ctx, { called: "resources/read", params: { uri } }, (means) =>
        skills.read(uri, ctx, means),
      );
      if ("question" in made) return made.question;
      if (!made.result) throw notFound(uri, connection);
      return toResult(uri, made.result);
    }),
  );
}

function toResult(uri: string, read: SkillReadResult): ReadResourceResult {
  const mimeType = read.mimeType ?? "application/octet-stream";
  const content = "text" in read ? { text: read.text } : { blob: Buffer.from(read.bytes).toString("base64") };
  return { contents: [{ uri, mimeType, ...content }] };
}
