import { symlinkSync } from "node:fs";
import { type FileSpec, makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { installTracing, type Span } from "../../../core/src/shared/telemetry.ts";
import { readableParts } from "./confinement.ts";
import { environmentOf, refusedVariable } from "./execution.ts";
import { isolationAdvice } from "./limits.ts";
import { type FilterKind, syscallFilter } from "./syscall-filter.ts";

function makeProject(links: Readonly<Record<string, string>>, files: Record<string, FileSpec> = {}) {
  const folder = makeFolder({
    "p/.knack/state.db": "",
    "p/a/one.txt": "",
    "p/a/deep/two.txt": "",
    "p/b.txt": "",
    "out/secret": "",
    ...files,
  });
  for (const [place, target] of Object.entries(links)) symlinkSync(target, folder.at("p", place));
  const parts = (how: "left out" | "as they are") => {
    const found = readableParts(folder.at("p"), [folder.at("p/.knack")], how);
    return "problem" in found
      ? found.problem
      : found.parts.map((part) => part.slice(folder.at("p").length + 1));
  };
  return { parts, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe.skipIf(process.platform === "win32")("the readable parts of a project", () => {
  it("are its entries, without what is hidden", () => {
    using project = makeProject({});
    expect(project.parts("left out")).toEqual(["a", "b.txt"]);
    expect(project.parts("as they are")).toEqual(["a", "b.txt"]);
  });

  it.each([
    ["out of it", "../../out"],
    ["to a file out of it", "../../out/secret"],
    ["into what is hidden", "../.knack"],
    ["to nothing", "../../later"],
    ["to the whole file system", "/"],
    ["to itself", "link"],
  ])("leave out a link that leads %s, and keep what is beside it", (_where, target) => {
    using project = makeProject({ "a/link": target });
    expect(project.parts("left out")).toEqual(["a/deep", "a/one.txt", "b.txt"]);
    expect(project.parts("as they are")).toEqual(["a", "b.txt"]);
  });

  it("keep links that stay inside, and leave out a link that reaches outside through a second link", () => {
    using inside = makeProject({ "a/link": "deep/two.txt", c: "a" });
    expect(inside.parts("left out")).toEqual(["a", "b.txt", "c"]);
    using chained = makeProject({ "a/first": "second", "a/second": "../../out" });
    expect(chained.parts("left out")).toEqual(["a/deep", "a/one.txt", "b.txt"]);
  });

  it("leave out names that Node would take for a pattern", () => {
    using project = makeProject({}, { "p/a/*": "", "p/c*/d": "" });
    expect(project.parts("left out")).toEqual(["a/deep", "a/one.txt", "b.txt"]);
  });
});

describe("the advice where a machine has no isolation", () => {
  it.each([
    ["linux", "Install bubblewrap"],
    ["darwin", "Run Knack on Linux"],
    ["win32", "Run Knack on Linux"],
  ] as const)("is one that can be followed on %s", (platform, advice) => {
    expect(isolationAdvice(platform)).toContain(advice);
  });
});

describe("variables of the environment", () => {
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
    const names = "API_KEY NODE_ENV PATH HOME LANG TZ ENVIRONMENT LDAP_URL PYTHIA http_proxy".split(" ");
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
});

const ALLOWED = "allowed";
const ARCH = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** Interprets the filter as the kernel would: only the classic BPF instructions that it uses. */
function answer(filter: Buffer, arch: number, call: number, ...given: number[]): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call >>> 0, 0);
  data.writeUInt32LE(arch, 4);
  for (const [place, value] of given.entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * place);
  let loaded = 0;
  for (let at = 0; ; at++) {
    if (at * 8 >= filter.length) throw new Error("it runs over its end");
    const code = filter.readUInt16LE(at * 8);
    const [yes, no] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)];
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x15) at += loaded === value ? yes : no;
    else if (code === 0x35) at += loaded >= value ? yes : no;
    else if (code === 0x45) at += (loaded & value) !== 0 ? yes : no;
    else if (code === 0x06) return value === 0x7fff0000 ? ALLOWED : `error ${value & 0xffff}`;
    else throw new Error(`an instruction ${code} at ${at}`);
  }
}

const KINDS: FilterKind[] = ["in namespaces", "no namespaces"];
const NUMBERS = {
  x64: { read: 0, ptrace: 101, keyctl: 250, clone: 56, unshare: 272, socket: 41, setsid: 112, prlimit: 302 },
  // biome-ignore format: a table
  arm64: { read: 63, ptrace: 117, keyctl: 219, clone: 220, unshare: 97, socket: 198, setsid: 157, prlimit: 261 },
} as const;

describe.each(["x64", "arm64"] as const)("the filter of system calls on %s", (arch) => {
  const call = NUMBERS[arch];

  it.each(KINDS)("allows what it does not name and refuses what it names (%s)", (kind) => {
    const filter = syscallFilter(kind, arch) ?? Buffer.alloc(0);
    const ask = (number: number, ...given: number[]) => answer(filter, ARCH[arch], number, ...given);
    expect(ask(call.read)).toBe(ALLOWED);
    expect(ask(call.ptrace)).toBe("error 1");
    expect(ask(call.keyctl)).toBe("error 1");
    expect(ask(435)).toBe("error 38");
    expect(ask(call.clone, 0x003d0f00)).toBe(ALLOWED);
    expect(ask(call.clone, 17)).toBe(ALLOWED);
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(ask(call.clone, flag | 17), flag.toString(16)).toBe("error 1");
    expect(ask(call.unshare, 0x400)).toBe(ALLOWED);
    expect(ask(call.unshare, 0x80)).toBe("error 1");
    expect(ask(call.socket, 1)).toBe("error 1");
    expect(ask(call.socket, 2)).toBe(kind === "in namespaces" ? ALLOWED : "error 1");
    expect(ask(call.setsid)).toBe(kind === "in namespaces" ? ALLOWED : "error 0");
    expect(ask(call.prlimit, 0)).toBe(ALLOWED);
    expect(ask(call.prlimit, 4711)).toBe(kind === "in namespaces" ? ALLOWED : "error 1");
  });

  it("refuses the calls of other architectures, and of the x32 interface", () => {
    const filter = syscallFilter("in namespaces", arch) ?? Buffer.alloc(0);
    expect(answer(filter, 0x40000003, 3)).toBe("error 1");
    if (arch === "x64") expect(answer(filter, ARCH.x64, 0x40000000 | call.read)).toBe("error 1");
  });
});

it("there is no filter for an architecture with unknown system call numbers", () => {
  expect(syscallFilter("in namespaces", "riscv64")).toBeNull();
});
