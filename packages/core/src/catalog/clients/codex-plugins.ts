import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { compareText } from "../../shared/compare-text.ts";
import { systemCode } from "../../shared/errors.ts";
import { readRegularFile } from "../../shared/regular-file.ts";
import { isValidName } from "../../skill/name.ts";
import { type ClientFolder, type ClientPlace, inHome } from "./client-folders.ts";
import { manifestFolders } from "./client-json.ts";

const MAX_BYTES = 1024 * 1024;
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
    const [newest] = readdirSync(folder).sort((a, b) => compareText(b, a));
    return newest === undefined ? undefined : join(folder, newest);
  } catch (error) {
    systemCode(error);
    return undefined; // It is switched on and not installed.
  }
}
