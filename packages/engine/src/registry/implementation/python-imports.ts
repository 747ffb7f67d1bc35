import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The imports of a Python file that can be files of the project. */
export interface PythonImports {
  /** Existing files and folders. */
  readonly places: readonly string[];
  /** Something is imported by a computed name. */
  readonly computed: boolean;
}

const FROM = /(?<![\w.])from[ \t]+(\.*)[ \t]*(?!import(?!\w))([\w.]*)/g;
const IMPORT = /(?<![\w.])import[ \t]+([\w., \t]+)/g;
const COMPUTED = /(?<!\w)(?:importlib|__import__|runpy|pkgutil|zipimport|exec|eval)(?!\w)/;
const ENDINGS = [".py", ".pyc", ".so", ".pyd"];

/** Errs on the safe side, like `importsOf`: a comment counts too. `folders` is where Python looks for modules. */
export function pythonImportsOf(text: string, file: string, folders: readonly string[]): PythonImports {
  const joined = text.replace(/\\\r?\n/g, " ");
  const places = new Set<string>();
  const add = (bases: readonly string[], name: string): void => {
    for (const base of bases) for (const place of placesOf(base, name)) places.add(place);
  };
  for (const [, dots = "", name = ""] of joined.matchAll(FROM)) {
    if (dots === "") add(folders, name);
    else {
      let base = dirname(file);
      for (let up = 1; up < dots.length; up++) base = dirname(base);
      if (name === "") places.add(base);
      else add([base], name);
    }
  }
  for (const [, list = ""] of joined.matchAll(IMPORT))
    for (const part of list.split(",")) add(folders, part.trim().split(/\s/)[0] ?? "");
  return { places: [...places].sort(), computed: COMPUTED.test(joined) };
}

/** A module's file or its package's folder, with the file or `__init__.py` of every parent package. */
function placesOf(base: string, name: string): string[] {
  const parts = name.split(".").filter((part) => part !== "");
  const found: string[] = [];
  for (const [index] of parts.entries()) {
    const place = join(base, ...parts.slice(0, index + 1));
    const isLast = index === parts.length - 1;
    const candidates = [
      ...ENDINGS.map((ending) => place + ending),
      ...(isLast ? [place] : ENDINGS.map((ending) => join(place, `__init__${ending}`))),
    ];
    found.push(...candidates.filter((candidate) => existsSync(candidate)));
  }
  return found;
}
