import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { tryOr } from "../errors.ts";

/** Where distributions put their programs. Before the PATH for tools that a sandbox is made with. */
const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin"];

/** As an absolute path. Empty and relative entries of the PATH are skipped: they would mean files of the current project. */
export function findProgram(
  name: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { delimiter, isAbsolute } = platform === "win32" ? path.win32 : path.posix;
  const folders = variable(env, "PATH", platform).split(delimiter).filter(isAbsolute);
  const endings =
    platform === "win32" ? (variable(env, "PATHEXT", platform) || ".COM;.EXE;.BAT;.CMD").split(";") : [];
  return lookUp(name, folders, ["", ...endings]);
}

/** The same, but first where the system has its programs. */
export function findSystemProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return lookUp(name, SYSTEM_FOLDERS, [""]) ?? findProgram(name, env);
}

export function isProgram(file: string): boolean {
  // Not there, not for us, or a name that no file can have.
  return tryOr(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
}

function lookUp(name: string, folders: readonly string[], endings: readonly string[]): string | undefined {
  if (name === "" || /[/\\]/.test(name)) return undefined;
  return folders
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find(isProgram);
}

/** Windows does not tell the case of letters apart, but a copy of its environment does. */
function variable(env: NodeJS.ProcessEnv, name: string, platform: NodeJS.Platform): string {
  const key = platform === "win32" ? Object.keys(env).find((one) => one.toUpperCase() === name) : name;
  return (key !== undefined && Object.hasOwn(env, key) && env[key]) || "";
}

/** Variables that make a program run foreign code. `*` ends a prefix; case does not matter, as on Windows. */
export const LOADER_VARIABLES = [
  // The system's loader and C library.
  ...["LD_*", "DYLD_*", "GCONV_PATH", "LOCPATH", "MALLOC_*", "GLIBC_*"],
  // OpenSSL loads engines and providers that its configuration names.
  "OPENSSL_*",
  // Node and Bun.
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_V8_COVERAGE", "NODE_REPL_EXTERNAL_MODULE", "BUN_OPTIONS"],
  // Other interpreters.
  ...["PYTHON*", "PERL*", "RUBYOPT", "RUBYLIB"],
  ...["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"],
  // Shells.
  ...["BASH", "BASH_*", "ENV", "IFS"],
] as const;

const NAMES = new RegExp(`^(?:${LOADER_VARIABLES.map((name) => name.replace("*", ".*")).join("|")})$`, "is");

export function loadsForeignCode(name: string): boolean {
  return NAMES.test(name);
}
