import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A file's content, or a symbolic link to somewhere. */
export type FileSpec = string | Uint8Array | { readonly link: string };

export interface Folder extends Disposable {
  /** Canonical path. */
  readonly path: string;
  /** An absolute path in it. */
  at(...parts: string[]): string;
  /** Adds or replaces files; their folders are made. A path that ends in "/" is an empty folder. */
  write(files: Readonly<Record<string, FileSpec>>): void;
}

/** A real temporary folder with these files; `using` removes it. */
export function makeFolder(files: Readonly<Record<string, FileSpec>> = {}): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "knack-")));
  const folder: Folder = {
    path,
    at: (...parts) => join(path, ...parts),
    write: (more) => {
      for (const [name, spec] of Object.entries(more)) writeOne(join(path, name), name.endsWith("/"), spec);
    },
    // Again where a program that is just ending added a file in between.
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
  folder.write(files);
  return folder;
}

function writeOne(path: string, isFolder: boolean, spec: FileSpec): void {
  mkdirSync(isFolder ? path : dirname(path), { recursive: true });
  if (isFolder) return;
  if (typeof spec === "object" && "link" in spec) symlinkSync(spec.link, path);
  else writeFileSync(path, spec);
}

/** The text of a valid skill. */
export function skillText(
  name: string,
  description = `Does ${name}. Use when asked for ${name}.`,
  more = "",
): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n# ${name}\n`;
}
