import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { CLIENT_FOLDERS, type ClientFolders, type ClientId } from "../../config/client-folders.ts";
import { systemCode } from "../../shared/errors.ts";
import { type ClientFolder, type ClientPlace, inHome } from "./client-folders.ts";
import { readClientJson, valueAt } from "./client-json.ts";

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
