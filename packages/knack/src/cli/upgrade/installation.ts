/** How Knack was installed, and the commands that install a newer version the same way. */
export interface Installation {
  readonly installed: "npm" | "pnpm" | "yarn" | "bun" | "npx" | "checkout" | "project" | "unknown";
  /** In words, for a person. */
  readonly how: string;
  /** Each as its words. */
  readonly commands: readonly (readonly string[])[];
}

export interface InstallationFacts {
  /** The real path of the package's folder. */
  readonly folder: string;
  /** The name of the package in a registry. */
  readonly name: string;
  /** Where npm installs what is for every folder, if it is not told otherwise. */
  readonly npmPrefix: string | undefined;
  readonly exists: (path: string) => boolean;
}

/** Programs that run a package once from a cache of theirs, and global folders of package managers, by a part of the path. */
const PLACES: readonly (readonly [
  part: RegExp,
  Installation["installed"],
  how: string,
  ...words: string[],
])[] = [
  [/\/_npx\//, "npx", "run by npx", "npx"],
  [/\/pnpm\/(?:.*\/)?dlx[-/]/, "npx", "run by pnpm dlx", "pnpm", "dlx"],
  [/\/bunx-/, "npx", "run by bunx", "bunx"],
  [/\/pnpm\/global\//, "pnpm", "installed with pnpm", "pnpm", "add", "-g"],
  [/\/\.bun\/install\/global\//, "bun", "installed with bun", "bun", "add", "-g"],
  [/\/yarn\/(?:data\/)?global\//i, "yarn", "installed with yarn", "yarn", "global", "add"],
];

/** The lock file of a project tells its package manager. */
const LOCKS: readonly (readonly [file: string, ...words: string[]])[] = [
  ["pnpm-lock.yaml", "pnpm", "update", "--latest"],
  ["bun.lock", "bun", "update", "--latest"],
  ["bun.lockb", "bun", "update", "--latest"],
  [".yarnrc.yml", "yarn", "up"],
  ["yarn.lock", "yarn", "upgrade", "--latest"],
];

export function findInstallation({ folder, name, npmPrefix, exists }: InstallationFacts): Installation {
  const path = folder.replaceAll("\\", "/");
  const newest = `${name}@latest`;
  const place = PLACES.find(([part]) => part.test(path));
  if (place) {
    const [, installed, how, ...words] = place;
    return { installed, how, commands: [[...words, newest]] };
  }
  // The outermost one: pnpm has further ones inside.
  const holder = path.split("/node_modules/")[0] ?? path;
  if (holder === path) return checkoutOrUnknown(path, newest, exists);
  const prefix = holder.replace(/\/lib$/, "");
  if (exists(`${prefix}/bin/knack`) || exists(`${holder}/knack.cmd`)) {
    const elsewhere = prefix === npmPrefix ? [] : ["--prefix", prefix];
    return {
      installed: "npm",
      how: "installed with npm",
      commands: [["npm", "install", "-g", ...elsewhere, newest]],
    };
  }
  if (!exists(`${holder}/package.json`)) return unknown(newest);
  const [file, ...words] = LOCKS.find(([lock]) => exists(`${holder}/${lock}`)) ?? [];
  const update = file === undefined ? ["npm", "install", newest] : [...words, name];
  return { installed: "project", how: `a dependency of ${holder}`, commands: [["cd", holder], update] };
}

function checkoutOrUnknown(path: string, newest: string, exists: InstallationFacts["exists"]): Installation {
  const root = path.replace(/\/packages\/[^/]+$/, "");
  if (root === path || !exists(`${root}/.git`)) return unknown(newest);
  const commands = [
    ["cd", root],
    ["git", "pull"],
    ["npm", "ci"],
    ["npm", "run", "build"],
  ];
  return { installed: "checkout", how: "a checkout with git", commands };
}

const unknown = (newest: string): Installation => ({
  installed: "unknown",
  how: "installed in a way that Knack does not know",
  commands: [["npm", "install", "-g", newest]],
});
