import { existsSync } from "node:fs";
import type { Catalog } from "@knack/core";
import {
  CLIENT_FOLDERS,
  type ClientFolder,
  isInside,
  listClientFolders,
  type RootPlace,
} from "@knack/core/internal";
import { pluralize } from "../../terminal/count.ts";
import type { Check } from "./check.ts";

type Root = Catalog["roots"][number];

/** Every folder with skills, Knack's own and other agents', and what Knack does with it. */
export function folderChecks(catalog: Catalog, place: RootPlace): Check[] {
  const searched = new Set(catalog.roots.flatMap(({ path, also = [] }) => [path, ...also]));
  const left = listClientFolders(place).filter(({ path }) => !searched.has(path));
  return [...catalog.roots.map((root) => rootCheck(catalog, root)), ...left.map(notSearched)];
}

function rootCheck(catalog: Catalog, root: Root): Check {
  const { path, real, scope, dialect, client, plugin, also = [] } = root;
  const name = client === undefined ? `root ${path}` : `${client} ${path}`;
  const fault = catalog.errors.find((error) => error.path === path);
  if (fault) return { name, ok: false, message: fault.message, ...hintFor(fault.code) };
  const kind = client === undefined ? `${scope}, ${dialect}` : `${scope}, ${CLIENT_FOLDERS[client].title}`;
  const kinds = plugin === undefined ? kind : `${kind}, plugin ${plugin}`;
  if (!existsSync(real)) return { name, ok: true, message: `does not exist (${kinds})` };
  const entries = catalog.entries.filter((entry) => entry.root === root);
  const inactive = entries.filter(({ status }) => status !== "active").length;
  const elsewhere = catalog.entries
    .filter((entry) => entry.root !== root)
    .flatMap(({ skill }) => skill.places ?? [])
    .filter((other) => isInside(other, path)).length;
  const skipped = new Set(
    catalog.errors.filter((error) => isInside(error.path, real)).map((error) => error.path),
  ).size;
  const parts = [
    pluralize(entries.length, "skill"),
    ...(elsewhere > 0
      ? [`${elsewhere} more that ${elsewhere === 1 ? "is" : "are"} also in another folder`]
      : []),
    ...(inactive > 0 ? [`${inactive} inactive`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(also.length > 0 ? [`also as ${also.join(", ")}`] : []),
  ];
  return { name, ok: true, message: `${parts.join(", ")} (${kinds})` };
}

function notSearched({ path, client }: ClientFolder): Check {
  return {
    name: `${client} ${path}`,
    ok: true,
    message: `not searched (${CLIENT_FOLDERS[client].title})`,
    hint: `Add ${client} to skills.clients in the configuration to use these skills.`,
  };
}

function hintFor(code: string): { hint?: string } {
  if (code === "E_ROOT_MISSING") return { hint: "Fix skills.roots or the SKILLS_*_DIR variable." };
  return code === "E_PATH_ESCAPE" ? { hint: '"knack trust" allows links to outside the project.' } : {};
}
