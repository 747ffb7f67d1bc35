import { expect, it } from "vitest";
import { refusedVariable } from "./environment.ts";

// All of them are in core/src/shared/process/loader-variables.test.ts.
it.each([
  ...["NODE_OPTIONS", "node_options", "LD_PRELOAD", "PYTHONPATH", "PERL5OPT", "BASH_FUNC_ulimit%%", "ENV"],
  ...["RUBYOPT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "A=B"],
])("refuses to pass on %s, which can load other code", (name) => {
  expect(refusedVariable({ OK: "1", [name]: "x" })).toEqual({ name, why: "it can load other code" });
});

it("refuses to pass on certificates that Node would trust", () => {
  const refused = { name: "NODE_EXTRA_CA_CERTS", why: "it decides which servers are trusted" };
  expect(refusedVariable({ NODE_EXTRA_CA_CERTS: "x" })).toEqual(refused);
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
