import { basename, dirname } from "node:path";
import type { Catalog } from "@knack/core";
import {
  canonical,
  type Diagnostic,
  fixSkill,
  isInside,
  readRegularFile,
  toDiagnostic,
} from "@knack/core/internal";
import type { Problems } from "./find-problems.ts";

/** The change of one file that fixes what has one safe remedy. */
export interface FilePlan {
  readonly path: string;
  readonly before: Buffer;
  readonly after: Buffer;
  readonly fixes: readonly Diagnostic[];
  readonly renamed?: { readonly from: string; readonly to: string };
}

const MAX_BYTES = 1024 * 1024;
/** The first byte of a byte order mark; no other file without a problem needs a closer look. */
const MARK = 0xef;

/** The changes that fix these problems. Files that only a link leads to are somebody else's and stay. */
export function planFixes({ files, errors, warnings, catalog, given }: Problems): FilePlan[] {
  const known = Map.groupBy([...errors, ...warnings], ({ path }) => path);
  const project = canonical(catalog.projectRoot);
  // A folder of the project that is a link to outside is not the project's to change, and a plugin not the user's.
  const roots = catalog.roots.filter(
    ({ real, ofProject, isManaged }) => !isManaged && (!ofProject || isInside(real, project)),
  );
  const places = [...roots.map(({ real }) => real), ...given];
  return files.flatMap((path) => {
    if (!places.some((place) => isInside(path, place))) return [];
    const problems = known.get(path) ?? [];
    const content = readRegularFile(path, MAX_BYTES, false);
    if ("fault" in content || content.stats.nlink > 1) return [];
    if (problems.length === 0 && content.bytes[0] !== MARK) return [];
    // A skill that loads is used by its name; that changes only where somebody names the skill.
    const renames = given.length > 0 || problems.some(({ code }) => code.startsWith("E_"));
    const fixed = fixSkill(content.bytes, placeOf(path, catalog), { renames });
    if (!fixed) return [];
    const fixes = fixed.fixed.map((fault) => {
      const reported = problems.find(({ code }) => code.slice(2) === fault.fault);
      return reported ?? toDiagnostic(fault, path, "strict");
    });
    const { renamed } = fixed;
    return [{ path, before: content.bytes, after: fixed.bytes, fixes, ...(renamed ? { renamed } : {}) }];
  });
}

/** How the innermost root around the file reads it. */
function placeOf(path: string, catalog: Catalog): Parameters<typeof fixSkill>[1] {
  const dir = dirname(path);
  const [root] = catalog.roots
    .filter(({ real }) => isInside(path, real))
    .sort((a, b) => b.real.length - a.real.length);
  return {
    folder: basename(dir),
    dialect: root?.dialect ?? "agentskills",
    bareIsLily: root?.bareIsLily === true && dirname(dir) === root.real,
  };
}
