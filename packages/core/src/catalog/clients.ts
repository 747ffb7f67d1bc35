import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { CLIENT_FOLDERS, type ClientFolders, type ClientId } from "../config/client-folders.ts";
import { systemCode } from "../shared/errors.ts";
import { StampCache } from "../shared/file-stamp.ts";
import { compareText } from "../shared/fold.ts";
import { canonical, isInside } from "../shared/paths.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import { isValidName } from "../skill/name.ts";

/** A folder that exists and that a client finds skills in. */
export interface ClientFolder {
  readonly path: string;
  readonly client: ClientId;
  /** The plugin that it is a part of: its skills are called `plugin:name`. */
  readonly plugin?: string;
  /** The client installs, updates and removes it: nothing in it is the user's own. */
  readonly isManaged?: boolean;
}

/** Whose home it is. */
interface ClientPlace {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The folders that clients read in these folders of a project. */
export function projectFolders(clients: readonly ClientId[], folders: readonly string[]): ClientFolder[] {
  const found = folders.flatMap((folder) =>
    clients.flatMap((client) =>
      CLIENT_FOLDERS[client].project.map((path) => ({ client, path: join(folder, path) })),
    ),
  );
  return found.filter(({ path }) => existsSync(path));
}

/** The folders that clients read in the user's home. */
export function userFolders(clients: readonly ClientId[], place: ClientPlace): ClientFolder[] {
  const found = clients.flatMap((client) => {
    const row: ClientFolders = CLIENT_FOLDERS[client];
    return row.user.map((path) => ({ client, path: inHome(client, path, place) }));
  });
  return found.filter(({ path }) => existsSync(path));
}

/** The folder into which a client writes its own skills, below those of the user. */
export function builtInFolder(client: ClientId): string | undefined {
  const { builtIn }: ClientFolders = CLIENT_FOLDERS[client];
  return builtIn;
}

/** A folder of the user's that a client's variable may have moved elsewhere. */
export function inHome(client: ClientId, path: string, { home, env }: ClientPlace): string {
  const { moved }: ClientFolders = CLIENT_FOLDERS[client];
  const to = moved && path.startsWith(moved.replaces) ? env[moved.variable] : undefined;
  // A relative path would be somewhere else in every folder.
  if (!moved || !to || !isAbsolute(to)) return join(home, path);
  return join(to, path.slice(moved.replaces.length));
}

const MAX_BYTES = 1024 * 1024;

/** A server asks before every call, so what a file says is kept as long as the file is the same. */
const known = new StampCache<unknown>();

/** What a client wrote down in a file of its own; `undefined` if the file is missing or cannot be parsed. */
function readClientJson(file: string): unknown {
  return known.get(file, () => parse(file));
}

/** It is the client's to say what is wrong with its own file; Knack then finds no plugins. */
function parse(file: string): unknown {
  const content = readRegularFile(file, MAX_BYTES, true);
  if ("fault" in content) return undefined;
  try {
    // Some clients begin their file with a remark.
    return JSON.parse(content.bytes.toString("utf8").replace(/^(?:\s*\/\/[^\n]*\n)+/, ""));
  } catch {
    return undefined;
  }
}

/** The value under these keys, whatever the file has there. */
function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The folders that a manifest names, one or several; none of them may be outside of its own. */
function statedFolders(folder: string, stated: unknown): string[] {
  const list = Array.isArray(stated) ? stated : [stated];
  const top = canonical(folder);
  return list
    .filter((path): path is string => typeof path === "string" && path !== "" && !path.includes("\0"))
    .map((path) => join(folder, path))
    .filter((path) => isInside(canonical(path), top));
}

/** The folders with skills of a plugin: those that its manifest names, otherwise `skills`. */
function manifestFolders(folder: string, manifest: string | undefined): string[] {
  const stated = manifest === undefined ? undefined : valueAt(readClientJson(manifest), "skills");
  const paths = stated === undefined ? [join(folder, "skills")] : statedFolders(folder, stated);
  return [...new Set(paths)].filter((path) => existsSync(path));
}

interface PluginPlace extends ClientPlace {
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
      const folder = claudeMarketFolder(home, market, plugin) ?? installPath;
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
function claudeMarketFolder(home: string, market: string, plugin: string): string | undefined {
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

/** A table of one plugin, as Codex writes it, and the key that follows. */
const TABLE = /^\s*\[plugins\."([^"\\]+)@([^"\\@]+)"\]/;
const ANY_TABLE = /^\s*\[/;
const ENABLED = /^\s*enabled\s*=\s*(true|false)\b/;

/** The skills of the plugins of Codex that its configuration switches on. */
export function codexPlugins(place: ClientPlace): ClientFolder[] {
  const home = inHome("codex", ".codex", place);
  return pluginsIn(join(home, "config.toml")).flatMap(([plugin, market]) => {
    const versions = join(home, "plugins", "cache", market, plugin);
    const folder = newestIn(versions);
    if (folder === undefined || !isValidName(plugin)) return [];
    const manifests = [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"].map((path) =>
      join(folder, path),
    );
    const manifest = manifests.find((path) => existsSync(path));
    return manifestFolders(folder, manifest).map((path) => ({
      path,
      client: "codex",
      plugin,
      isManaged: true,
    }));
  });
}

/** Only what Codex itself writes is understood; the rest of the file is for Codex. */
function pluginsIn(file: string): [plugin: string, market: string][] {
  const content = readRegularFile(file, MAX_BYTES, true);
  if ("fault" in content) return [];
  const plugins: [string, string][] = [];
  let table: [string, string] | undefined;
  for (const line of content.bytes.toString("utf8").split("\n")) {
    const [, plugin, market] = TABLE.exec(line) ?? [];
    if (plugin !== undefined && market !== undefined) table = isPlain(market) ? [plugin, market] : undefined;
    else if (ANY_TABLE.test(line)) table = undefined;
    else if (table && ENABLED.exec(line)?.[1] === "true") plugins.push(table);
  }
  return plugins;
}

function isPlain(market: string): boolean {
  return /^[\w.-]+$/.test(market) && market !== ".." && market !== ".";
}

function newestIn(folder: string): string | undefined {
  try {
    const newest = readdirSync(folder).sort(compareVersions).at(-1);
    return newest === undefined ? undefined : join(folder, newest);
  } catch (error) {
    systemCode(error);
    return undefined; // It is switched on and not installed.
  }
}

/** Numbers as numbers, a release after its previews; what is no version comes first. */
function compareVersions(a: string, b: string): number {
  const isVersion = (text: string): boolean => /^v?\d/.test(text);
  if (isVersion(a) !== isVersion(b)) return isVersion(a) ? 1 : -1;
  const [coreA = "", coreB = ""] = [a, b].map((text) => text.split("-", 1)[0]);
  const [previewA, previewB] = [a.slice(coreA.length), b.slice(coreB.length)];
  if (coreA === coreB && (previewA === "") !== (previewB === "")) return previewA === "" ? 1 : -1;
  const { compare } = new Intl.Collator("en", { numeric: true });
  return compare(coreA, coreB) || compare(previewA, previewB) || compareText(a, b);
}

/** The skills of the plugins of GitHub Copilot that are installed and on for this user. */
export function copilotPlugins(place: ClientPlace): ClientFolder[] {
  const home = inHome("copilot", ".copilot", place);
  const settings = readClientJson(join(home, "settings.json"));
  const on = entriesOf(valueAt(settings, "enabledPlugins")).filter(([, isOn]) => isOn === true);
  return on.flatMap(([key]) => {
    const at = key.lastIndexOf("@");
    const [plugin, market] = [key.slice(0, at), key.slice(at + 1)];
    const folder =
      copilotMarketFolder(settings, market, plugin) ?? copilotInstalledFolder(home, market, plugin);
    if (at < 1 || folder === undefined || !isValidName(plugin)) return [];
    const manifests = ["plugin.json", ".claude-plugin/plugin.json", ".github/plugin/plugin.json"];
    const manifest = manifests.map((path) => join(folder, path)).find((path) => existsSync(path));
    return manifestFolders(folder, manifest).map((path) => ({
      path,
      client: "copilot",
      plugin,
      isManaged: true,
    }));
  });
}

/** A marketplace that is a folder of this machine is read where it is. */
function copilotMarketFolder(settings: unknown, market: string, plugin: string): string | undefined {
  const source = valueAt(settings, "extraKnownMarketplaces", market, "source");
  const path = valueAt(source, "path");
  if (valueAt(source, "source") !== "directory" || typeof path !== "string" || !isAbsolute(path))
    return undefined;
  const files = [".claude-plugin/marketplace.json", ".github/plugin/marketplace.json", "marketplace.json"];
  const file = files.map((name) => join(path, name)).find((name) => existsSync(name));
  const plugins = file === undefined ? undefined : valueAt(readClientJson(file), "plugins");
  const entry = Array.isArray(plugins) ? plugins.find((one) => valueAt(one, "name") === plugin) : undefined;
  return statedFolders(path, valueAt(entry, "source"))[0];
}

function copilotInstalledFolder(home: string, market: string, plugin: string): string | undefined {
  const installed = valueAt(readClientJson(join(home, "config.json")), "installedPlugins");
  const found = (Array.isArray(installed) ? installed : []).find(
    (one) => valueAt(one, "name") === plugin && valueAt(one, "marketplace") === market,
  );
  const path = valueAt(found, "cache_path");
  return typeof path === "string" && isAbsolute(path) ? path : undefined;
}

/** The skills of the extensions of a client that are on in this folder. */
export function extensionFolders(
  clients: readonly ClientId[],
  cwd: string,
  place: ClientPlace,
): ClientFolder[] {
  return clients.flatMap((client) => {
    const { extensions }: ClientFolders = CLIENT_FOLDERS[client];
    if (!extensions) return [];
    const top = inHome(client, extensions.folder, place);
    const rules = readClientJson(join(top, "extension-enablement.json"));
    return namesIn(top).flatMap((folder): ClientFolder[] => {
      const at = linkedFrom(join(top, folder), extensions.install) ?? join(top, folder);
      const name = valueAt(readClientJson(join(at, extensions.manifest)), "name");
      const path = join(at, "skills");
      if (typeof name !== "string" || !isOn(valueAt(rules, name, "overrides"), cwd) || !existsSync(path))
        return [];
      return [{ path, client, isManaged: true }];
    });
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    systemCode(error);
    return []; // The client has no extensions.
  }
}

/** An extension under development is read where its author works on it. */
function linkedFrom(folder: string, install: string): string | undefined {
  const stated = readClientJson(join(folder, install));
  const source = valueAt(stated, "source");
  const isLink = valueAt(stated, "type") === "link" && typeof source === "string" && isAbsolute(source);
  return isLink ? source : undefined;
}

/** Each rule is a path, with its subfolders if it ends in a star, and off after an exclamation mark. The last that fits holds. */
function isOn(rules: unknown, cwd: string): boolean {
  if (!Array.isArray(rules)) return true;
  const here = cwd.endsWith(sep) ? cwd : cwd + sep;
  let on = true;
  for (const rule of rules) {
    if (typeof rule !== "string") continue;
    const path = rule.replace(/^!/, "").replace(/\*$/, "");
    const folder = path.endsWith("/") ? path : `${path}/`;
    if (rule.endsWith("*") ? here.startsWith(folder) : here === folder) on = !rule.startsWith("!");
  }
  return on;
}
