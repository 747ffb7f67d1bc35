import { join } from "node:path";
import { SkillError } from "@knack/core";
import { CLIENT_FOLDERS, CLIENT_IDS, type ClientId, inHome, quote } from "@knack/core/internal";
import type { InstallPlace } from "./place.ts";

/** Where a client looks for skills; of several folders, the first. */
export function clientSkillFolder(
  client: ClientId,
  { scope, base, home, env }: Pick<InstallPlace, "scope" | "base" | "home" | "env">,
): string {
  const { project, user } = CLIENT_FOLDERS[client];
  return scope === "project" ? join(base, project[0]) : inHome(client, user[0], { home, env });
}

/** The clients of `--for claude,codex`. */
export function readClients(given: readonly string[] | undefined): ClientId[] {
  const names = (given ?? []).flatMap((text) => text.split(",")).map((text) => text.trim().toLowerCase());
  return [...new Set(names.filter((name) => name !== ""))].map((name) => {
    const client = CLIENT_IDS.find((one) => one === name);
    if (client) return client;
    throw new SkillError(
      "INVALID_PARAM",
      `There is no client ${quote(name)}. Name one of: ${CLIENT_IDS.join(", ")}.`,
    );
  });
}
