import { join } from "node:path";
import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { CLIENTS_WITH_SKILLS, FOLDERS, type SkillClient } from "./client-names.ts";
import type { InstallPlace } from "./place.ts";

export function clientSkillFolder(
  client: SkillClient,
  { scope, base }: Pick<InstallPlace, "scope" | "base">,
): string {
  const [project, user] = FOLDERS[client];
  return join(base, ...(scope === "project" ? project : user).split("/"));
}

/** The clients of `--for claude,codex`. */
export function readClients(given: readonly string[] | undefined): SkillClient[] {
  const names = (given ?? []).flatMap((text) => text.split(",")).map((text) => text.trim().toLowerCase());
  return [...new Set(names.filter((name) => name !== ""))].map((name) => {
    const client = CLIENTS_WITH_SKILLS.find((one) => one === name);
    if (client) return client;
    throw new SkillError(
      "INVALID_PARAM",
      `There is no client ${quote(name)}. Name one of: ${CLIENTS_WITH_SKILLS.join(", ")}.`,
    );
  });
}
