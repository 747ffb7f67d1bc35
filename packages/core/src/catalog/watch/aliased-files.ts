import { lstatSync } from "node:fs";
import { join } from "node:path";
import { stampOf } from "../file-stamp.ts";

/** A `SKILL.md` with a second name can be changed by that one, and its folder hears nothing: so its stamp is looked at. */
export class AliasedFiles {
  /** By folder. */
  readonly #stamps = new Map<string, string>();

  /** Remembers the folder's `SKILL.md` if it has a second name. */
  look(folder: string): void {
    const file = join(folder, "SKILL.md");
    if (hasSecondName(file)) this.#stamps.set(folder, stampOf([file]));
    else this.#stamps.delete(folder);
  }

  forget(folder: string): void {
    this.#stamps.delete(folder);
  }

  /** The folders whose file may be another than it was. */
  changed(): string[] {
    return [...this.#stamps].flatMap(([folder, before]) => {
      const stamp = stampOf([join(folder, "SKILL.md")]);
      this.#stamps.set(folder, stamp);
      return stamp === "" || stamp !== before ? [folder] : [];
    });
  }
}

function hasSecondName(file: string): boolean {
  try {
    const stats = lstatSync(file);
    return stats.isFile() && stats.nlink > 1;
  } catch {
    return false; // Not there, or not for us: then it has no text that could change unheard.
  }
}
