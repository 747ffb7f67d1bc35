import { canonical, isInside } from "../shared/paths.ts";
import { sharedClients } from "./client-folders.ts";
import type { Config } from "./config.ts";
import type { ConfigFile } from "./schema.ts";

/** Of an untrusted project's configuration, only what stays in the project and grants nothing. */
export function narrow(file: ConfigFile, current: Config, projectRoot: string, notes: string[]): ConfigFile {
  const ignored: string[] = [];
  const drop = (what: string): false => {
    ignored.push(what);
    return false;
  };
  const narrowed: ConfigFile = { ...file };
  // A project may switch its skills off, never on against the user's word.
  if (file.skills?.enabled) narrowed.skills = { ...file.skills, enabled: undefined };
  if (file.skills?.roots) {
    const roots = file.skills.roots
      .filter(({ path = "", project = path }) => {
        return isInside(canonical(project), projectRoot) || drop(`the root ${project}`);
      })
      .map((root) => ({ ...root, scope: "repo" as const }));
    narrowed.skills = { ...narrowed.skills, roots };
  }
  if (narrowed.skills) {
    const { initial, search, files } = file.skills ?? {};
    const { skills } = current;
    const { defaultLimit, maxLimit } = skills.search;
    const { clients } = narrowed.skills;
    narrowed.skills = {
      ...narrowed.skills,
      clients: clients && sharedClients(clients, skills.clients),
      initial: smaller(initial, skills.initial),
      search: smaller(search, { defaultLimit, maxLimit }),
      files: smaller(files, skills.files),
    };
  }
  if (file.permissions) {
    const { allow, default: fallback, ...deny } = file.permissions;
    if (allow && allow.length > 0) drop("allow rules");
    if (fallback === "allow") drop("permissions.default: allow");
    narrowed.permissions = fallback === "confirm" ? { ...deny, default: "confirm" } : deny;
  }
  if (file.dispatch?.maxDepth !== undefined) {
    const maxDepth = Math.min(file.dispatch.maxDepth, current.dispatch.maxDepth);
    narrowed.dispatch = { ...file.dispatch, maxDepth };
  }
  if (file.runners) {
    if (Object.values(file.runners).some((runner) => runner !== null)) drop("runners");
    delete narrowed.runners;
  }
  // Its own routing file is not read before that, and must not stand in for the user's.
  if (file.routing) {
    if (file.routing !== current.routing) drop("routing");
    delete narrowed.routing;
  }
  if (file.registry) {
    narrowed.registry = file.registry.filter(
      (path) => isInside(canonical(path), projectRoot) || drop("a registry outside the project"),
    );
  }
  // More tools cost the user's context, and others than theirs may run code.
  if (file.mcp?.tools !== undefined) {
    if (JSON.stringify(file.mcp.tools) !== JSON.stringify(current.mcp.tools)) drop("mcp.tools");
    delete narrowed.mcp;
  }
  // Its state is kept in the user's folder until then.
  if (file.store?.url !== undefined) {
    if (file.store.url !== current.store.url) drop("store.url");
    delete narrowed.store;
  }
  // It would send the user's artifacts to a place of its choice.
  if (file.artifacts?.url !== undefined) {
    if (file.artifacts.url !== current.artifacts.url) drop("artifacts.url");
    delete narrowed.artifacts;
  }
  if (ignored.length > 0)
    notes.push(`Ignored until you trust this project (knack trust): ${ignored.join(", ")}.`);
  return narrowed;
}

/** Limits hold back what a model is given, so an untrusted project does not raise them. */
function smaller<T extends Readonly<Record<string, number>>>(
  wanted: { readonly [K in keyof T]?: number | undefined } | undefined,
  current: T,
): T | undefined {
  if (!wanted) return undefined;
  const entries = Object.entries(current).map(([key, limit]) => [key, Math.min(wanted[key] ?? limit, limit)]);
  return Object.fromEntries(entries);
}
