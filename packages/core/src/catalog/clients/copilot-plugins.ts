import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isValidName } from "../../skill/name.ts";
import { type ClientFolder, type ClientPlace, inHome } from "./client-folders.ts";
import { entriesOf, manifestFolders, readClientJson, statedFolders, valueAt } from "./client-json.ts";

/** The skills of the plugins of GitHub Copilot that are installed and on for this user. */
export function copilotPlugins(place: ClientPlace): ClientFolder[] {
  const home = inHome("copilot", ".copilot", place);
  const settings = readClientJson(join(home, "settings.json"));
  const on = entriesOf(valueAt(settings, "enabledPlugins")).filter(([, isOn]) => isOn === true);
  return on.flatMap(([key]) => {
    const at = key.lastIndexOf("@");
    const [plugin, market] = [key.slice(0, at), key.slice(at + 1)];
    const folder = liveFolder(settings, market, plugin) ?? installedFolder(home, market, plugin);
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
function liveFolder(settings: unknown, market: string, plugin: string): string | undefined {
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

function installedFolder(home: string, market: string, plugin: string): string | undefined {
  const installed = valueAt(readClientJson(join(home, "config.json")), "installedPlugins");
  const found = (Array.isArray(installed) ? installed : []).find(
    (one) => valueAt(one, "name") === plugin && valueAt(one, "marketplace") === market,
  );
  const path = valueAt(found, "cache_path");
  return typeof path === "string" && isAbsolute(path) ? path : undefined;
}
