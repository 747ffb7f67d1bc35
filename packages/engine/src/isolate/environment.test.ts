import { expect, it } from "vitest";
import { refusedVariable } from "./environment.ts";

it.each([
  ...["NODE_OPTIONS", "node_options", "NODE_PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES"],
  ...[
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHON_GIL",
    "PERL5OPT",
    "PERL5LIB",
    "PERLLIB",
    "BASH_ENV",
    "BASH_FUNC_ulimit%%",
    "OPENSSL_CONF",
    "GCONV_PATH",
    "ENV",
    "A=B",
  ],
])("refuses to pass on %s, which can load other code", (name) => {
  expect(refusedVariable({ OK: "1", [name]: "x" })).toEqual({ name, why: "it can load other code" });
});

it("passes on what is a setting of the skill", () => {
  const names = [
    "API_KEY",
    "NODE_ENV",
    "PATH",
    "HOME",
    "LANG",
    "TZ",
    "ENVIRONMENT",
    "LDAP_URL",
    "PYTHIA",
    "http_proxy",
  ];
  expect(refusedVariable(Object.fromEntries(names.map((name) => [name, "x"])))).toBeNull();
});
