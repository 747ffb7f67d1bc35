import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes the licences of all packages whose code is in a bundle: they ask to be kept with every copy. */
export function writeNotices(moduleIds: readonly string[], file: string): void {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []));
  const notices = [...folders].map(noticeOf).sort();
  writeFileSync(
    file,
    `The programs in this folder contain code of these packages.\n\n${[...new Set(notices)].join("\n\n")}\n`,
  );
}

/** The folder of the package in `node_modules` that a module is from. */
function packageFolder(id: string): string | undefined {
  if (!id.includes("/node_modules/")) return undefined;
  // Some packages have a manifest without a name in a folder of theirs, for the type of its modules.
  for (let folder = dirname(id); folder.includes("/node_modules/"); folder = dirname(folder))
    if (existsSync(join(folder, "package.json")) && manifestOf(folder).name !== undefined) return folder;
  return undefined;
}

/** Code that a package brought along without its notice. */
const CONTAINED: Readonly<Record<string, string>> = {
  unpdf: "It contains PDF.js, copyright Mozilla Foundation, under the Apache License 2.0.",
};

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

function noticeOf(folder: string): string {
  const { name, version, license } = manifestOf(folder);
  if (!license) throw new Error(`${name} names no licence, so its code must not be published.`);
  const texts = readdirSync(folder).filter((one) => /^(?:licen[cs]e|copying|notice)/i.test(one));
  const parts = texts.sort().map((one) => readFileSync(join(folder, one), "utf8").trim());
  const contained = CONTAINED[name ?? ""] ?? [];
  return [`${"-".repeat(80)}\n${name} ${version} (${license})`, ...parts].concat(contained).join("\n\n");
}
