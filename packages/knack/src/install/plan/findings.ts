import { relative, sep } from "node:path";
import { canonical, type Finding, lintSkills } from "@knack/core/internal";

/** A finding of `knack lint` with the skill and the file that it is about. */
export interface SkillFinding extends Omit<Finding, "path" | "suppressed"> {
  readonly skill: string;
  readonly file: string;
}

const ORDER = { error: 0, warning: 1, note: 2 } as const;

/** What `knack lint` says of skills in these folders, by name; errors first. */
export function findingsOf(folders: ReadonlyMap<string, string>): SkillFinding[] {
  const names = new Map([...folders].map(([name, dir]) => [canonical(dir), name]));
  const dirs = [...names.keys()].sort();
  return lintSkills(dirs)
    .filter(({ suppressed }) => suppressed === undefined)
    .flatMap(({ path, suppressed: _, ...finding }) => {
      const dir = dirs.findLast((one) => path.startsWith(one + sep));
      if (dir === undefined) return [];
      return [{ ...finding, skill: names.get(dir) ?? "", file: relative(dir, path).split(sep).join("/") }];
    })
    .sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}
