import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isValidName } from "../../skill/name.ts";
import { type ClientFolder, type ClientPlace, inHome } from "./client-folders.ts";
import { entriesOf, readClientJson, statedFolders, valueAt } from "./client-json.ts";

export interface PluginPlace extends ClientPlace {
  readonly projectRoot: string;
  /** Whether the project's own settings may switch plugins on and off. */
  readonly trusted: boolean;
}

/**
 * The skills of the plugins of Claude Code that are installed and on here. What lies in its cache besides was removed or is
 * an older version.
 */
export function claudePlugins(place: PluginPlace): ClientFolder[] {
  const home = join(inHome("claude", ".claude", place), "plugins");
  const installed = entriesOf(valueAt(readClientJson(join(home, "installed_plugins.json")), "plugins"));
  if (installed.length === 0) return [];
  const isOn = switchesOf(place);
  return installed.flatMap(([key, installs]) => {
    const at = key.lastIndexOf("@");
    const [plugin, market] = [key.slice(0, at), key.slice(at + 1)];
    if (at < 1 || !isOn.get(key) || !isValidName(plugin)) return [];
    return rootsOf(installs, place).flatMap((installPath) => {
      const folder = liveFolder(home, market, plugin) ?? installPath;
      const paths = skillFolders(folder, marketEntry(home, market, plugin));
      return paths.map((path): ClientFolder => ({ path, client: "claude", plugin, isManaged: true }));
    });
  });
}

/** Which plugins are on: the user's settings, then the project's, then those of the project that are not shared. */
function switchesOf({ projectRoot, trusted, ...place }: PluginPlace): ReadonlyMap<string, boolean> {
  const own = join(projectRoot, ".claude");
  const files = [
    join(inHome("claude", ".claude", place), "settings.json"),
    ...(trusted ? [join(own, "settings.json"), join(own, "settings.local.json")] : []),
  ];
  const on = new Map<string, boolean>();
  for (const file of files) {
    for (const [key, value] of entriesOf(valueAt(readClientJson(file), "enabledPlugins")))
      on.set(key, value === true);
  }
  return on;
}

/** Where the plugin was installed for this user or this project. */
function rootsOf(installs: unknown, { projectRoot }: PluginPlace): string[] {
  const list = Array.isArray(installs) ? installs : [installs];
  const paths = list.flatMap((install) => {
    const project = valueAt(install, "projectPath");
    const path = valueAt(install, "installPath");
    const isHere = project === undefined || project === projectRoot;
    return isHere && typeof path === "string" && isAbsolute(path) ? path : [];
  });
  return [...new Set(paths)];
}

/** A marketplace that is a folder of this machine is read as it is now; what was installed from it is an old copy. */
function liveFolder(home: string, market: string, plugin: string): string | undefined {
  const source = marketSource(home, market);
  if (source === undefined) return undefined;
  const [folder] = statedFolders(source, valueAt(marketEntry(home, market, plugin), "source"));
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

function marketSource(home: string, market: string): string | undefined {
  const source = valueAt(readClientJson(join(home, "known_marketplaces.json")), market, "source");
  const path = valueAt(source, "path");
  const isFolder = valueAt(source, "source") === "directory" && typeof path === "string" && isAbsolute(path);
  return isFolder ? path : undefined;
}

/** What the marketplace says of the plugin. */
function marketEntry(home: string, market: string, plugin: string): unknown {
  const place = valueAt(readClientJson(join(home, "known_marketplaces.json")), market, "installLocation");
  const folder =
    marketSource(home, market) ?? (typeof place === "string" && isAbsolute(place) ? place : undefined);
  if (folder === undefined) return undefined;
  const list = valueAt(readClientJson(join(folder, ".claude-plugin", "marketplace.json")), "plugins");
  return Array.isArray(list) ? list.find((entry) => valueAt(entry, "name") === plugin) : undefined;
}

function skillFolders(folder: string, entry: unknown): string[] {
  const manifest = readClientJson(join(folder, ".claude-plugin", "plugin.json"));
  const stated = [valueAt(manifest, "skills"), valueAt(entry, "skills")].flat();
  const paths = [join(folder, "skills"), ...statedFolders(folder, stated)];
  return [...new Set(paths)].filter((path) => existsSync(path));
}
