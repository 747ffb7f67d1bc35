/** The three skill formats that Knack reads, as data. Which one applies is decided by the root a skill is found in. */

export type DialectName = "agentskills" | "project" | "lily";

export interface Dialect {
  readonly name: DialectName;
  /** `tree`: any depth below the root. `children`: only folders directly in the root. */
  readonly looksIn: "tree" | "children";
  readonly nameFrom: "frontmatter" | "folder";
  readonly nameEqualsFolder: boolean;
  readonly frontmatterRequired: boolean;
  readonly descriptionKey: "description" | "summary";
  /** Limits in code points; `null` where the format has none. */
  readonly maxName: number | null;
  readonly maxDescription: number | null;
  readonly maxCompatibility: number | null;
  readonly sameName: "keep-all" | "last-path-wins" | "nearest-scope-wins";
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  agentskills: {
    name: "agentskills",
    looksIn: "tree",
    nameFrom: "frontmatter",
    nameEqualsFolder: true,
    frontmatterRequired: true,
    descriptionKey: "description",
    maxName: 64,
    maxDescription: 1024,
    maxCompatibility: 500,
    sameName: "keep-all",
  },
  project: {
    name: "project",
    looksIn: "tree",
    nameFrom: "frontmatter",
    nameEqualsFolder: false,
    frontmatterRequired: true,
    descriptionKey: "description",
    maxName: null,
    maxDescription: null,
    maxCompatibility: null,
    sameName: "last-path-wins",
  },
  lily: {
    name: "lily",
    looksIn: "children",
    nameFrom: "folder",
    nameEqualsFolder: false,
    frontmatterRequired: false,
    descriptionKey: "summary",
    maxName: null,
    maxDescription: null,
    maxCompatibility: null,
    sameName: "nearest-scope-wins",
  },
};

export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];
