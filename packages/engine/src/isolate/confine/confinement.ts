import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";
import { findSystemProgram } from "@knack/core/internal/engine";
import { SYSTEM } from "../bubblewrap.ts";
import { LAUNCHER } from "./launcher.ts";
import { syscallFilter } from "./syscall-filter.ts";

/** How the kernel can confine a process without a sandbox (Landlock and a system call filter), or why it cannot here. */
export type Confinement =
  | {
      readonly works: true;
      /** Perl, which runs the launcher. */
      readonly program: string;
      readonly filter: string;
      /** Landlock's ABI version: 6 and newer also confine signals. */
      readonly abi: number;
    }
  | { readonly works: false; readonly reason: string };

export interface Rights {
  /** Readable and executable; a link gives no right to its target. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Names in and below it may be listed: Python finds modules that way. */
  readonly listed: readonly string[];
}

/**
 * Not secret: the same on every machine of a kind. Runtimes and libraries read them, and many fail if a file exists but
 * cannot be read.
 */
const SETTINGS = [
  ...[
    "ld.so.cache",
    "ld-musl-x86_64.path",
    "alternatives",
    "localtime",
    "timezone",
    "os-release",
    "debian_version",
  ],
  ...[
    "ssl/openssl.cnf",
    "pki/tls/openssl.cnf",
    "mime.types",
    "magic",
    "fonts",
    "nsswitch.conf",
    "locale.alias",
  ],
].map((name) => `/etc/${name}`);
const ABOUT_THE_MACHINE = [
  ...["self", "meminfo", "cpuinfo", "stat", "loadavg", "uptime", "version", "filesystems"].map(
    (name) => `/proc/${name}`,
  ),
  "/sys/devices/system/cpu",
];
const DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
const PRCTL = { x64: 157, arm64: 167 } as const;

let found: Promise<Confinement> | undefined;

/** Probed once per process, by running it. */
export function confinementHere(): Promise<Confinement> {
  found ??= probeConfinement(
    process.platform === "linux" ? findSystemProgram("perl", process.env) : undefined,
  );
  return found;
}

export async function probeConfinement(program: string | undefined): Promise<Confinement> {
  if (process.platform !== "linux") return { works: false, reason: "Landlock works on Linux only" };
  const filter = syscallFilter("no namespaces");
  if (filter === null) return { works: false, reason: `no system calls are known for ${process.arch}` };
  if (program === undefined) return { works: false, reason: "Landlock needs Perl, which is not installed" };
  const run = promisify(execFile);
  try {
    const ask = ["-e", "print syscall(444, 0, 0, 1)"];
    const { stdout } = await run(program, ask, { timeout: 10_000, env: {} });
    const abi = Number(stdout);
    if (!(abi >= 1)) return { works: false, reason: "Landlock is not enabled in this kernel" };
    const confinement = { works: true, program, filter: filter.toString("hex"), abi } as const;
    const node = await realpath(process.execPath);
    const [launcher, ...args] = confined([node, "-e", "0"], confinement, {
      readable: [node],
      writable: [],
      listed: [],
    });
    await run(launcher, args, { timeout: 10_000, env: {}, cwd: "/" });
    return confinement;
  } catch (error) {
    const last = (error as Error).message.trim().split("\n").at(-1) ?? "";
    return { works: false, reason: `Landlock cannot be used here: ${last.slice(0, 200)}` };
  }
}

/** The command, started with only these rights. */
export function confined(
  command: readonly string[],
  { program, filter }: Confinement & { works: true },
  { readable, writable, listed }: Rights,
): [string, ...string[]] {
  const rules = [
    ...[...SYSTEM, ...SETTINGS, ...ABOUT_THE_MACHINE, ...pythonSettings()].flatMap((path) => ["s", path]),
    ...DEVICES.flatMap((path) => ["d", path]),
    ...readable.flatMap((path) => ["r", path]),
    ...listed.flatMap((path) => ["l", path]),
    ...writable.flatMap((path) => ["w", path]),
  ];
  const prctl = PRCTL[process.arch as keyof typeof PRCTL];
  return [program, "-e", LAUNCHER, filter, String(prctl), ...rules, "--", ...command];
}

/** Debian keeps a file of Python's standard library in /etc/python3.x. */
function pythonSettings(): string[] {
  return readdirSync("/etc")
    .filter((name) => /^python3[.\d]*$/.test(name))
    .map((name) => `/etc/${name}`);
}
