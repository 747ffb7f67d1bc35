import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runnerEnvironment } from "../../dispatch/runner/runner.ts";
import { type Folder, makeFolder } from "../../testing/index.ts";
import { findProgram, findSystemProgram, LOADER_VARIABLES, loadsForeignCode } from "./find-program.ts";

function makePrograms(): Folder {
  const folder = makeFolder({
    "a/tool": "",
    "b/tool": "",
    "a/plain": "",
    "a/runner.CMD": "",
    "cwd/tool": "",
  });
  for (const file of ["a/tool", "b/tool", "a/runner.CMD", "cwd/tool"]) chmodSync(folder.at(file), 0o755);
  chmodSync(folder.at("a/plain"), 0o644);
  mkdirSync(folder.at("a/folder"));
  return folder;
}

describe.skipIf(process.platform === "win32")("a program on the PATH", () => {
  it("is the first that can be executed", () => {
    using folder = makePrograms();
    const PATH = `${folder.at("none")}:${folder.at("b")}:${folder.at("a")}`;
    expect(findProgram("tool", { PATH })).toBe(folder.at("b/tool"));
    expect(findProgram("missing", { PATH })).toBeUndefined();
  });

  it("is a file with the executable bit, by a link too", () => {
    using folder = makePrograms();
    symlinkSync("tool", folder.at("a/link"));
    symlinkSync("gone", folder.at("a/dangling"));
    const find = (name: string) => findProgram(name, { PATH: folder.at("a") });
    expect(find("link")).toBe(folder.at("a/link"));
    for (const name of ["plain", "folder", "dangling"]) expect(find(name)).toBeUndefined();
  });

  it("is never in a relative or empty entry, which would mean the project's own files", () => {
    using folder = makePrograms();
    const before = process.cwd();
    process.chdir(folder.at("cwd"));
    try {
      for (const PATH of ["", ".", "./", "::", ".:..:../cwd", "../cwd", "~"])
        expect(findProgram("tool", { PATH })).toBeUndefined();
      expect(findProgram("tool", { PATH: `.::${folder.at("a")}:` })).toBe(folder.at("a/tool"));
    } finally {
      process.chdir(before);
    }
  });

  it("has a name without a separator", () => {
    using folder = makePrograms();
    const PATH = folder.at("a");
    for (const name of [
      "",
      "../b/tool",
      "./tool",
      folder.at("a/tool"),
      "a\\tool",
      "too\0l",
      "x".repeat(5_000),
    ])
      expect(findProgram(name, { PATH })).toBeUndefined();
  });

  it("is not there without a PATH", () => {
    expect(findProgram("sh", {})).toBeUndefined();
    expect(findProgram("sh", Object.create({ PATH: "/bin" }))).toBeUndefined();
  });

  it("may be the system's before that of the PATH", () => {
    using folder = makeFolder({ sh: "" });
    chmodSync(folder.at("sh"), 0o755);
    const env = { PATH: folder.path };
    expect(findProgram("sh", env)).toBe(folder.at("sh"));
    expect(findSystemProgram("sh", env)).toMatch(/^\/(?:usr\/)?bin\/sh$/);
  });

  it("has one of the endings of PATHEXT on Windows, however its variables are written", () => {
    using folder = makePrograms();
    // A path of this machine is absolute there too.
    const find = (env: NodeJS.ProcessEnv) => findProgram("runner", env, "win32");
    expect(find({ Path: `.;${folder.at("a")}`, PATHEXT: ".EXE;.CMD" })).toBe(folder.at("a/runner.CMD"));
    expect(find({ PATH: folder.at("a") })).toBe(folder.at("a/runner.CMD"));
    expect(find({ PATH: folder.at("a"), PathExt: ".EXE" })).toBeUndefined();
  });
});

/** Every variable that is known to make some program run other code, and the programs' own words for it. */
const NAMES = [
  ...["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH"],
  ...["GCONV_PATH", "LOCPATH", "MALLOC_PERTURB_", "GLIBC_TUNABLES"],
  ...["OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES"],
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_V8_COVERAGE", "NODE_REPL_EXTERNAL_MODULE", "BUN_OPTIONS"],
  ...["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONBREAKPOINT", "PYTHON_GIL"],
  ...["PERL5OPT", "PERL5LIB", "PERLLIB", "PERL5DB", "RUBYOPT", "RUBYLIB"],
  ...["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"],
  ...["BASH", "BASH_ENV", "BASH_FUNC_ulimit%%", "ENV", "IFS"],
];
const SETTINGS = [
  ...["PATH", "HOME", "LANG", "TZ", "NODE_ENV", "NODE_EXTRA_CA_CERTS", "ENVIRONMENT", "LDAP_URL", "LDX"],
  ...["PYTHIA", "http_proxy", "JAVA_HOME", "API_KEY", "BASHRC", "MY_LD_PRELOAD"],
];

describe("variables that load foreign code", () => {
  it.each(NAMES)("%s is one, however it is written", (name) => {
    for (const spelled of [name, name.toLowerCase()]) {
      expect(loadsForeignCode(spelled)).toBe(true);
      expect(runnerEnvironment({ [spelled]: "x", KEPT: "y" })).toEqual({ KEPT: "y" });
    }
  });

  it.each(SETTINGS)("%s loads no foreign code", (name) => {
    expect(loadsForeignCode(name)).toBe(false);
  });

  it("has no entry that this test does not name", () => {
    const known = (entry: string) => NAMES.some((name) => name.startsWith(entry.replace("*", "")));
    expect(LOADER_VARIABLES.filter((entry) => !known(entry))).toEqual([]);
  });
});
