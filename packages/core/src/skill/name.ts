import type { Fault } from "../shared/diagnostics.ts";
import type { Dialect } from "./dialects.ts";
import { checkLabel, mixesScripts } from "./hidden-text.ts";

const NAME_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Device names that Windows reserves, with or without an extension. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

export function isValidName(name: string): boolean {
  return NAME_PATTERN.test(name) && name.length <= 64 && !WINDOWS_DEVICE.test(name);
}

/** True for nearly every name: valid, and equal to the folder's name. */
export function isPlainName(name: string, folder: string, dialect: Dialect): boolean {
  return isValidName(name) && (name === folder || !dialect.nameEqualsFolder);
}

/** A fault for each rule that a non-empty name breaks. */
export function checkName(name: string, folder: string, dialect: Dialect, line: number | undefined): Fault[] {
  if (isPlainName(name, folder, dialect)) return [];
  const at = line === undefined ? {} : { line };
  const faults: Fault[] = [];
  const unsafe =
    /[/\\\u0000]/.test(name) || /^\.+$/.test(name) || name.trim() !== name || WINDOWS_DEVICE.test(name);
  if (unsafe) {
    faults.push({
      fault: "NAME_UNSAFE",
      message: `The name ${quote(name)} could be mistaken for a path or a device.`,
      ...at,
    });
  }
  faults.push(...checkLabel("name", name, line));
  if (mixesScripts(name)) {
    faults.push({
      fault: "CONFUSABLE",
      message: `The name ${quote(name)} mixes letters of scripts that look alike.`,
      ...at,
    });
  }
  if (dialect.nameFrom === "frontmatter") {
    const length = [...name].length;
    if (dialect.maxName !== null && length > dialect.maxName) {
      faults.push({
        fault: "NAME_TOO_LONG",
        message: `The name has ${length} characters; at most ${dialect.maxName} are allowed.`,
        ...at,
      });
    }
    if (!NAME_PATTERN.test(name)) {
      const message = `The name ${quote(name)} must be lowercase letters and digits, joined by single hyphens.`;
      faults.push({ fault: "NAME_INVALID", message, ...at });
    }
    faults.push(...mismatch(name, folder, dialect, line));
  }
  return faults;
}

function mismatch(name: string, folder: string, dialect: Dialect, line: number | undefined): Fault[] {
  if (!dialect.nameEqualsFolder || name === folder || name === folder.normalize("NFC")) return [];
  const message = `The name ${quote(name)} differs from its folder ${quote(folder)}; make them equal.`;
  return [{ fault: "NAME_DIR_MISMATCH", message, ...(line === undefined ? {} : { line }) }];
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
