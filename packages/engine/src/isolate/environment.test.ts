import { expect, it } from "vitest";
import { installTracing, type Span } from "../../../core/src/shared/telemetry.ts";
import { environmentOf, refusedVariable } from "./environment.ts";

const NO_SPAN: Span = { set() {}, rename() {}, fail() {} };

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

it("hands the trace on where a process can reach Knack, and to no other", () => {
  const headers = { traceparent: "00-1-2-01" };
  installTracing({
    span: (_name, _attributes, work) => work(NO_SPAN),
    headers: () => headers,
    end: async () => true,
  });
  try {
    expect(environmentOf({}, "/f", "mark", "x@1")).toMatchObject({ TRACEPARENT: "00-1-2-01" });
    expect(environmentOf({}, "/f", null)).not.toHaveProperty("TRACEPARENT");
  } finally {
    installTracing(undefined);
  }
  expect(environmentOf({}, "/f", "mark", "x@1")).not.toHaveProperty("TRACEPARENT");
});
