import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** Checks each package as npm would publish it, then uses the built libraries in separate programs. */

const root = join(import.meta.dirname, "..");
const licence = readFileSync(join(root, "LICENSE"), "utf8");
let problems = 0;
for (const name of ["core", "engine", "knack"]) {
  const pkgDir = join(root, "packages", name);
  const { messages, pkg } = await publint({ pkgDir, strict: true });
  for (const message of messages) {
    problems++;
    console.error(`${name}: ${formatMessage(message, pkg)}`);
  }
}

/** `@knack/core/testing` is for programs that embed Knack; all other test support is not published. */
const PUBLISHED_TESTING = /^dist\/testing\/(?:index|files|envelope)\.(?:js|d\.ts)$/;

/** What every package has besides its code. */
const REQUIRED = ["package.json", "README.md", "LICENSE"];
const ALSO: Readonly<Record<string, readonly string[]>> = {
  core: ["dist/index.js", "dist/index.d.ts", "dist/glossary/german.txt", "dist/THIRD-PARTY-NOTICES.txt"],
  engine: ["dist/index.js", "dist/index.d.ts", "dist/THIRD-PARTY-NOTICES.txt"],
  knack: [
    "bin/knack.js",
    "dist/main.js",
    "dist/glossary/german.txt",
    "dist/web/index.html",
    "man/knack.1",
    "dist/THIRD-PARTY-NOTICES.txt",
  ],
};

for (const name of ["core", "engine", "knack"]) {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: join(root, "packages", name),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const files: string[] = JSON.parse(packed)[0].files.map(({ path }: { path: string }) => path);
  const isStranger = (path: string): boolean =>
    /(?:^|\/)testing\/|\.test\.|^src\/|\.map$/.test(path) &&
    !(name === "core" && PUBLISHED_TESTING.test(path));
  for (const path of files.filter(isStranger)) {
    problems++;
    console.error(`${name}: ${path} is not for users and would be published`);
  }
  for (const path of [...REQUIRED, ...(ALSO[name] ?? [])].filter((one) => !files.includes(one))) {
    problems++;
    console.error(`${name}: ${path} would be missing`);
  }
  if (readFileSync(join(root, "packages", name, "LICENSE"), "utf8") !== licence) {
    problems++;
    console.error(`${name}: LICENSE is not the one of the repository`);
  }
}

const folder = mkdtempSync(join(tmpdir(), "knack-package-"));
try {
  const run = (program: string): string =>
    execFileSync(process.execPath, ["--input-type=module", "-e", program, folder], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  const skills = run(
    'import { openCatalog } from "@knack/core"; const c = await openCatalog({ cwd: process.argv[1], home: process.argv[1], env: {}, cache: false }); console.log(c.skills.length);',
  );
  if (skills !== "0") throw new Error(`The built library found ${skills} skills in an empty folder.`);
  const log = run(
    'import { openEngine, verifyLog } from "@knack/engine"; const projectRoot = process.argv[1]; const engine = await openEngine({ projectRoot, registry: [], store: "sqlite:" + projectRoot + "/state.db" }); console.log((await verifyLog((await engine.store()).db)).count); await engine.close();',
  );
  if (log !== "0") throw new Error(`The built engine found ${log} records in an empty log.`);
} finally {
  rmSync(folder, { recursive: true });
}
if (problems > 0) process.exit(1);
console.log("packages: ok");
