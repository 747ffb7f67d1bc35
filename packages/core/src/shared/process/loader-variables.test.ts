import { describe, expect, it } from "vitest";
import { runnerEnvironment } from "../../dispatch/runner/runner.ts";
import { LOADER_VARIABLES, loadsForeignCode } from "./find-program.ts";

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

  it.each(SETTINGS)("%s is none", (name) => {
    expect(loadsForeignCode(name)).toBe(false);
  });

  it("has no entry that this test does not name", () => {
    const known = (entry: string) => NAMES.some((name) => name.startsWith(entry.replace("*", "")));
    expect(LOADER_VARIABLES.filter((entry) => !known(entry))).toEqual([]);
  });
});
