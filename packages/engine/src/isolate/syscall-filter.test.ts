import { describe, expect, it } from "vitest";
import { type FilterKind, syscallFilter } from "./syscall-filter.ts";

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
  arm64: {
    read: 63,
    ptrace: 117,
    keyctl: 219,
    clone: 220,
    unshare: 97,
    socket: 198,
    setsid: 157,
    prlimit: 261,
  },
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
