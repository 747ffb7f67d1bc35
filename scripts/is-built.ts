import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Whether the built program is there and newer than everything that it is made from. */
export function isBuilt(root: string): boolean {
  const program = statSync(join(root, "packages", "knack", "dist", "main.js"), { throwIfNoEntry: false });
  if (program === undefined) return false;
  return sources(root).every((path) => statSync(path).mtimeMs <= program.mtimeMs);
}

/** Folders are listed too: only their time shows that a file was removed. */
function sources(root: string): string[] {
  const packages = join(root, "packages");
  const folders = readdirSync(packages).map((name) => join(packages, name, "src"));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
  return [join(root, "scripts", "build.ts"), ...folders, ...files];
}
