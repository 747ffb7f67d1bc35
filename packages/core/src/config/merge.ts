import type { Config } from "./config.ts";
import type { ConfigFile } from "./schema.ts";

/** Single values of the later file replace, lists of roots, switches and rules add up. */
export function merge(config: Config, file: ConfigFile, ofProject: boolean): Config {
  const { skills = {}, permissions = {} } = file;
  return {
    skills: {
      enabled: skills.enabled ?? config.skills.enabled,
      validation: skills.validation ?? config.skills.validation,
      clients: skills.clients ?? config.skills.clients,
      // A project may switch it on; what the user switched on stays on.
      locked: (ofProject && config.skills.locked) || (skills.locked ?? config.skills.locked),
      duplicates: skills.duplicates ?? config.skills.duplicates,
      roots: [
        ...config.skills.roots,
        ...(skills.roots ?? []).map(({ path = "", project, scope = "repo", dialect = "agentskills" }) =>
          project === undefined
            ? { path, scope, dialect, ofProject }
            : { path: project, scope: "repo" as const, dialect, ofProject: true, optional: true },
        ),
      ],
      disabled: [...config.skills.disabled, ...(skills.disabled ?? [])],
      initial: { ...config.skills.initial, ...defined(skills.initial) },
      search: {
        ...config.skills.search,
        ...defined(skills.search),
        // No project decides where the user's skills and queries are sent, trusted or not.
        ...(ofProject ? { embeddings: config.skills.search.embeddings } : {}),
      },
      files: { ...config.skills.files, ...defined(skills.files) },
    },
    tools: { available: file.tools?.available ?? config.tools.available },
    permissions: {
      allow: [...config.permissions.allow, ...(permissions.allow ?? [])],
      deny: [...config.permissions.deny, ...(permissions.deny ?? [])],
      default: permissions.default === undefined ? config.permissions.default : permissions.default,
    },
    routing: file.routing ?? config.routing,
    registry: file.registry ?? config.registry,
    dispatch: { ...config.dispatch, ...defined(file.dispatch) },
    runners: { ...config.runners, ...defined(file.runners) } as Config["runners"],
    mcp: { ...config.mcp, ...defined(file.mcp) },
    store: { ...config.store, ...defined(file.store) },
    // No project speaks for its own code, trusted or not.
    isolation: ofProject ? config.isolation : { ...config.isolation, ...defined(file.isolation) },
    artifacts: { ...config.artifacts, ...defined(file.artifacts) },
  };
}

/** The keys that have a value, so that an absent one does not hide a default. */
function defined<T extends object>(value: T | undefined): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, entry]) => entry !== undefined)) as never;
}
