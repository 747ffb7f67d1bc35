import { existsSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { CLIENT_FOLDERS, type ClientFolders, type ClientId } from "../config/client-folders.ts";
import type { PlacedFault } from "../shared/diagnostics.ts";
import { StampCache } from "../shared/file-stamp.ts";
import { compareText } from "../shared/fold.ts";
import { isRecord, parseJson, valueAt } from "../shared/json.ts";
import { canonical, isInside } from "../shared/paths.ts";
import { namesIn, readRegularFile } from "../shared/regular-file.ts";
import { isValidName } from "../skill/name.ts";

export interface ClientFolder {
  readonly path: string;
  readonly client: ClientId;
  /** The plugin that it is a part of: its skills are called `plugin:name`. */
  readonly plugin?: string;
  /** The client installs, updates and removes it: nothing in it is the user's own. */
  readonly isManaged?: boolean;
}

interface ClientPlace {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The folders that clients read in these folders of a project, whether or not they are there. */
export function projectFolders(clients: readonly ClientId[], folders: readonly string[]): ClientFolder[] {
  return folders.flatMap((folder) =>
    clients.flatMap((client) =>
      CLIENT_FOLDERS[client].project.map((path) => ({ client, path: join(folder, path) })),
    ),
  );
}

export function userFolders(clients: readonly ClientId[], place: ClientPlace): ClientFolder[] {
  return clients.flatMap((client) =>
    CLIENT_FOLDERS[client].user.map((path) => ({ client, path: inHome(client, path, place) })),
  );
}

/** A folder in the user's home, or where the client's variable has moved it. */
export function inHome(client: ClientId, path: string, { home, env }: ClientPlace): string {
  const { moved }: ClientFolders = CLIENT_FOLDERS[client];
  const to = moved && path.startsWith(moved.replaces) ? env[moved.variable] : undefined;
  // A relative path would mean another folder in each working directory.
  if (!moved || !to || !isAbsolute(to)) return join(home, path);
  return join(to, path.slice(moved.replaces.length));
}

const MAX_BYTES = 1024 * 1024;

/** A server asks before every call, so what a file says is kept. */
const known = new StampCache<unknown>();

/** `undefined` where the file is missing or cannot be parsed. */
function readClientJson(file: string): unknown {
  const value = clientJson(file);
  return value instanceof SyntaxError ? undefined : value;
}

function clientJson(file: string): unknown {
  return known.get(file, () => {
    const text = readText(file);
    // Some clients begin their file with a remark.
    return text === "" ? undefined : parseJson(text.replace(/^(?:\s*\/\/[^\n]*\n)+/, ""));
  });
}

/** Empty if the file is missing. */
function readText(file: string): string {
  const content = readRegularFile(file, MAX_BYTES, true);
  return "fault" in content ? "" : content.bytes.toString("utf8");
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function absolutePath(value: unknown): string | undefined {
  return typeof value === "string" && isAbsolute(value) ? value : undefined;
}

/** The folders that a manifest names; none may be outside its own folder. */
function statedFolders(folder: string, stated: unknown): string[] {
  const top = canonical(folder);
  return [stated]
    .flat()
    .filter((path): path is string => typeof path === "string" && path !== "" && !path.includes("\0"))
    .map((path) => join(folder, path))
    .filter((path) => isInside(canonical(path), top));
}

function firstIn(folder: string, files: readonly string[]): string | undefined {
  return files.map((file) => join(folder, file)).find((file) => existsSync(file));
}

interface PluginPlace extends ClientPlace {
  readonly projectRoot: string;
  /** Whether the project's own settings may switch plugins on and off. */
  readonly trusted: boolean;
}

interface Plugin {
  readonly plugin: string;
  readonly folder: string;
  /** Folders with skills that its marketplace names. */
  readonly stated?: unknown;
}

interface PluginClient {
  /** Files in the home that say which plugins are on; without the first there are none. */
  readonly files: readonly string[];
  readonly plugins: (place: PluginPlace) => readonly Plugin[];
  /** Where a plugin may name its skill folders; the first that exists counts. */
  readonly manifests: readonly string[];
  /** Stated folders come in addition to `skills`. */
  readonly keepsSkills?: boolean;
}

/** In the order in which their skills are listed. */
const PLUGIN_CLIENTS: Partial<Readonly<Record<ClientId, PluginClient>>> = {
  claude: {
    files: [".claude/plugins/installed_plugins.json", ".claude/settings.json"],
    plugins: claudePlugins,
    manifests: [".claude-plugin/plugin.json"],
    keepsSkills: true,
  },
  codex: {
    files: [".codex/config.toml"],
    plugins: codexPlugins,
    manifests: [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"],
  },
  copilot: {
    files: [".copilot/settings.json", ".copilot/config.json"],
    plugins: copilotPlugins,
    manifests: ["plugin.json", ".claude-plugin/plugin.json", ".github/plugin/plugin.json"],
  },
};

/** What exists only where a client may have extensions or plugins. */
export function signsOfMore(clients: readonly ClientId[], place: ClientPlace): string[] {
  return clients.flatMap((client) => {
    const { extensions }: ClientFolders = CLIENT_FOLDERS[client];
    const paths = [extensions?.folder ?? [], PLUGIN_CLIENTS[client]?.files[0] ?? []].flat();
    return paths.map((path) => inHome(client, path, place));
  });
}

/** Without these files nobody knows which plugins are on. */
export function brokenPluginFiles(clients: readonly ClientId[], place: ClientPlace): PlacedFault[] {
  return clients.flatMap((client) =>
    (PLUGIN_CLIENTS[client]?.files ?? [])
      .filter((file) => file.endsWith(".json"))
      .map((file) => inHome(client, file, place))
      .filter((path) => clientJson(path) instanceof SyntaxError)
      .map((path) => {
        const message = `The file is not valid JSON, so the skills of ${CLIENT_FOLDERS[client].title}'s plugins are not found; repair it, or install a plugin again.`;
        return { path, fault: { fault: "UNREADABLE" as const, message } };
      }),
  );
}

export function pluginFolders(clients: readonly ClientId[], place: PluginPlace): ClientFolder[] {
  const rows = Object.entries(PLUGIN_CLIENTS) as [ClientId, PluginClient][];
  return rows
    .filter(([client]) => clients.includes(client))
    .flatMap(([client, { plugins, manifests, keepsSkills }]) =>
      plugins(place).flatMap(({ plugin, folder, stated }) => {
        if (!isValidName(plugin)) return [];
        const manifest = firstIn(folder, manifests);
        const named = manifest === undefined ? undefined : valueAt(readClientJson(manifest), "skills");
        const paths = statedFolders(folder, [named, stated].flat());
        if (keepsSkills || named === undefined) paths.unshift(join(folder, "skills"));
        const there = [...new Set(paths)].filter((path) => existsSync(path));
        // A plugin that is one skill has its SKILL.md at the top.
        if (there.length === 0 && existsSync(join(folder, "SKILL.md"))) there.push(folder);
        return there.map((path) => ({ path, client, plugin, isManaged: true }));
      }),
    );
}

/** By `name@marketplace`; a later file decides. */
function switchesIn(files: readonly string[]): ReadonlyMap<string, boolean> {
  const switches = files.map((file) => entriesOf(valueAt(readClientJson(file), "enabledPlugins")));
  return new Map(switches.flat().map(([key, value]) => [key, value === true]));
}

function partsOf(key: string): [plugin: string, market: string] {
  const at = Math.max(0, key.lastIndexOf("@"));
  return [key.slice(0, at), key.slice(at + 1)];
}

/** What a marketplace says of a plugin. If it is a folder here, the plugin is read there: the installed copy may be old. */
function inMarket(market: unknown, plugin: string, files: readonly string[]) {
  const isLocal = valueAt(market, "source", "source") === "directory";
  const source = isLocal ? absolutePath(valueAt(market, "source", "path")) : undefined;
  const folder = source ?? absolutePath(valueAt(market, "installLocation"));
  const file = folder === undefined ? undefined : firstIn(folder, files);
  const list = file === undefined ? undefined : valueAt(readClientJson(file), "plugins");
  const entry = Array.isArray(list) ? list.find((one) => valueAt(one, "name") === plugin) : undefined;
  const [local] = source === undefined ? [] : statedFolders(source, valueAt(entry, "source"));
  return { entry, local };
}

/** The cache has removed and older versions too. */
function claudePlugins({ projectRoot, trusted, ...place }: PluginPlace): Plugin[] {
  const home = inHome("claude", ".claude", place);
  const installed = entriesOf(
    valueAt(readClientJson(join(home, "plugins", "installed_plugins.json")), "plugins"),
  );
  if (installed.length === 0) return [];
  const own = join(projectRoot, ".claude");
  // The project's unshared settings decide last.
  const ofProject = trusted ? [join(own, "settings.json"), join(own, "settings.local.json")] : [];
  const isOn = switchesIn([join(home, "settings.json"), ...ofProject]);
  const markets = readClientJson(join(home, "plugins", "known_marketplaces.json"));
  return installed.flatMap(([key, installs]) => {
    if (!isOn.get(key)) return [];
    const [plugin, market] = partsOf(key);
    const { entry, local } = inMarket(valueAt(markets, market), plugin, [".claude-plugin/marketplace.json"]);
    const isLocal = local !== undefined && existsSync(local);
    return installPaths(installs, projectRoot).map((path) => ({
      plugin,
      folder: isLocal ? local : path,
      stated: valueAt(entry, "skills"),
    }));
  });
}

function installPaths(installs: unknown, projectRoot: string): string[] {
  const paths = [installs].flat().flatMap((install) => {
    const project = valueAt(install, "projectPath");
    const isHere = project === undefined || project === projectRoot;
    return (isHere && absolutePath(valueAt(install, "installPath"))) || [];
  });
  return [...new Set(paths)];
}

/** A plugin's table, as Codex writes it. */
const TABLE = /^\s*\[plugins\."([^"\\]+)@([^"\\@]+)"\]/;
const ANY_TABLE = /^\s*\[/;
const ENABLED = /^\s*enabled\s*=\s*(true|false)\b/;
const MARKET = /^(?!\.\.?$)[\w.-]+$/;

/** Only what Codex itself writes is understood. */
function codexPlugins(place: PluginPlace): Plugin[] {
  const home = inHome("codex", ".codex", place);
  const plugins: Plugin[] = [];
  let table: { plugin: string; market: string } | undefined;
  for (const line of readText(join(home, "config.toml")).split("\n")) {
    const [, plugin = "", market = ""] = TABLE.exec(line) ?? [];
    if (ANY_TABLE.test(line)) table = MARKET.test(market) ? { plugin, market } : undefined;
    else if (table && ENABLED.exec(line)?.[1] === "true") {
      const versions = join(home, "plugins", "cache", table.market, table.plugin);
      const newest = namesIn(versions).sort(compareVersions).at(-1);
      if (newest !== undefined) plugins.push({ plugin: table.plugin, folder: join(versions, newest) });
    }
  }
  return plugins;
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

function copilotPlugins(place: PluginPlace): Plugin[] {
  const home = inHome("copilot", ".copilot", place);
  const settings = join(home, "settings.json");
  const markets = valueAt(readClientJson(settings), "extraKnownMarketplaces");
  const installed = valueAt(readClientJson(join(home, "config.json")), "installedPlugins");
  return [...switchesIn([settings])].flatMap(([key, isOn]) => {
    if (!isOn) return [];
    const [plugin, market] = partsOf(key);
    const { local } = inMarket(valueAt(markets, market), plugin, COPILOT_MARKET);
    const install = [installed]
      .flat()
      .find((one) => valueAt(one, "name") === plugin && valueAt(one, "marketplace") === market);
    const folder = local ?? absolutePath(valueAt(install, "cache_path"));
    return folder === undefined ? [] : { plugin, folder };
  });
}

const COPILOT_MARKET = [
  ".claude-plugin/marketplace.json",
  ".github/plugin/marketplace.json",
  "marketplace.json",
];

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
      // An extension under development is read where its author works on it.
      const install = readClientJson(join(top, folder, extensions.install));
      const source =
        valueAt(install, "type") === "link" ? absolutePath(valueAt(install, "source")) : undefined;
      const at = source ?? join(top, folder);
      const name = valueAt(readClientJson(join(at, extensions.manifest)), "name");
      const path = join(at, "skills");
      if (typeof name !== "string" || !isOn(valueAt(rules, name, "overrides"), cwd) || !existsSync(path))
        return [];
      return [{ path, client, isManaged: true }];
    });
  });
}

/** Each rule is a path; `*` at its end includes subfolders, `!` at its start switches off. The last that fits holds. */
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
