import { execFile } from "node:child_process";
import { type Dirent, readdirSync, readFileSync, realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isInside } from "@knack/core/files";
import { findSystemProgram } from "@knack/core/process";
import { SYSTEM } from "./bubblewrap.ts";
import { syscallFilter } from "./syscall-filter.ts";

/**
 * A Perl program that drops its own rights and then executes a command. Perl, because neither Node nor a shell can make these
 * system calls, a compiled helper would have to be built for each system, and Debian, Ubuntu and their images always have Perl.
 *
 * Arguments: the system call filter in hexadecimal, the number of `prctl` on this architecture, pairs of a letter and a path,
 * `--`, the command. Letters: `s` and `r` read and execute, `w` also write, `l` list names, `d` a device to read and write.
 * Links are followed only for `s` and `d`, the system's own paths. A missing path is skipped. Any other failure exits with 126:
 * the command never starts with more rights.
 */
const LAUNCHER = String.raw`
use strict;
my ($filter, $prctl) = (pack("H*", shift @ARGV), int(shift @ARGV));
sub fail { print STDERR "isolation could not be set up: $_[0]: $!\n"; exit 126 }

# Landlock: files, TCP, abstract sockets and signals, as far as this kernel supports them.
my ($create_ruleset, $add_rule, $restrict_self) = (444, 445, 446);
my $abi = syscall($create_ruleset, 0, 0, 1);
fail("Landlock") if $abi < 1;
my $known = $abi >= 5 ? 0xffff : $abi >= 3 ? 0x7fff : $abi == 2 ? 0x3fff : 0x1fff;
my $attributes = pack("Q", $known);
$attributes .= pack("Q", 3) if $abi >= 4;
$attributes .= pack("Q", 3) if $abi >= 6;
my $ruleset = syscall($create_ruleset, $attributes, length($attributes), 0);
fail("ruleset") if $ruleset < 0;

my ($execute, $write_file, $read_file, $read_dir, $truncate, $ioctl) = (1, 2, 4, 8, 0x4000, 0x8000);
my $of_files = $execute | $write_file | $read_file | $truncate | $ioctl;
# May not create sockets or devices.
my $all_but_special = 0xffff & ~(0x40 | 0x200 | 0x800 | $ioctl);
my $read = $execute | $read_file | $read_dir;
my %rights = (s => $read, r => $read, l => $read_dir, w => $all_but_special, d => $read_file | $write_file | $ioctl);
while (@ARGV && (my $letter = shift @ARGV) ne "--") {
  my $path = shift @ARGV;
  my $wanted = $rights{$letter} & $known;
  # Open the path only (O_PATH), and never follow an untrusted link.
  my ($o_path, $o_nofollow) = (0x200000, $prctl == 167 ? 0x8000 : 0x20000);
  sysopen(my $place, $path, $letter =~ /[rwl]/ ? $o_path | $o_nofollow : $o_path) or next;
  $wanted &= $of_files unless -d $place;
  my $rule = pack("Ql", $wanted, fileno($place));
  fail("rule for $path") if syscall($add_rule, $ruleset, 1, $rule, 0) != 0;
  close($place);
}

my ($set_no_new_privs, $set_seccomp, $filter_mode) = (38, 22, 2);
fail("no_new_privs") if syscall($prctl, $set_no_new_privs, 1, 0, 0, 0) != 0;
fail("restrict") if syscall($restrict_self, $ruleset, 0) != 0;
# Close all except standard input, output, error and the channel.
my $close_range = 436;
fail("descriptors") if syscall($close_range, 4, 0xffffffff, 0) != 0;
my $program = pack("S x![P] P", length($filter) / 8, $filter);
fail("seccomp") if syscall($prctl, $set_seccomp, $filter_mode, $program, 0, 0) != 0;
exec { $ARGV[0] } @ARGV or fail($ARGV[0]);
`;

/** How the kernel can confine a process without a sandbox (Landlock and a system call filter), or why it cannot here. */
export type Confinement =
  | {
      readonly works: true;
      readonly program: string;
      readonly filter: string;
      /** Landlock's ABI version: 6 and newer also confine signals. */
      readonly abi: number;
    }
  | { readonly works: false; readonly reason: string };

interface Rights {
  /** Readable and executable; a link gives no right to its target. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Names in and below it may be listed: Python finds modules that way. */
  readonly listed: readonly string[];
}

/** Not secret: the same on every machine of a kind. Many runtimes fail if one exists but cannot be read. */
const SETTINGS = namesIn(
  "/etc",
  "ld.so.cache ld-musl-x86_64.path alternatives localtime timezone os-release debian_version",
  "ssl/openssl.cnf pki/tls/openssl.cnf mime.types magic fonts nsswitch.conf locale.alias",
);
const ABOUT_THE_MACHINE = [
  ...namesIn("/proc", "self meminfo cpuinfo stat loadavg uptime version filesystems"),
  "/sys/devices/system/cpu",
];
const DEVICES = namesIn("/dev", "null zero full random urandom");
const PRCTL = { x64: 157, arm64: 167 } as const;

function namesIn(folder: string, ...lists: readonly string[]): string[] {
  return lists.flatMap((list) => list.split(" ")).map((name) => `${folder}/${name}`);
}

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
    const rights = { readable: [node], writable: [], listed: [] };
    const [launcher, ...args] = confined([node, "-e", "0"], confinement, rights);
    await run(launcher, args, { timeout: 10_000, env: {}, cwd: "/" });
    return confinement;
  } catch (error) {
    const last = (error as Error).message.trim().split("\n").at(-1) ?? "";
    return { works: false, reason: `Landlock cannot be used here: ${last.slice(0, 200)}` };
  }
}

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

/** The kernel's `O_CLOEXEC`, in octal as in `/proc`. */
const CLOSE_ON_EXEC = 0o2000000;

/** What every child would inherit, because this program was given it. Node marks its own; on macOS it closes all. */
export function inheritedDescriptors(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && passesOn(descriptor))
    .sort((a, b) => a - b);
}

function passesOn(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1");
    const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
    return (flags & CLOSE_ON_EXEC) === 0;
  } catch (error) {
    // The descriptor that listed the folder is closed by now.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Walking more entries than this would take longer than most skills. */
const MAX_ENTRIES = 100_000;

/** The largest parts of a folder that cover all but what is hidden. Node follows links to outside: leave them out. */
export function readableParts(
  root: string,
  hidden: readonly string[],
  links: "left out" | "as they are",
): { readonly parts: readonly string[] } | { readonly problem: string } {
  const parts: string[] = [];
  let seen = 0;
  /** Whether the whole folder can be read; if not, its readable parts are added to `parts`. */
  const isWhole = (path: string, entry: Dirent | null): boolean => {
    seen += 1;
    // A `*` in a name would make Node allow more than that file.
    if (hidden.includes(path) || (links === "left out" && entry?.name.includes("*"))) return false;
    if (entry?.isSymbolicLink() && links === "left out") return staysInside(path);
    const isLookedInto =
      entry === null ||
      (entry.isDirectory() &&
        (links === "left out" || hidden.some((hiddenPath) => isInside(hiddenPath, path))));
    if (!isLookedInto || seen > MAX_ENTRIES) return true;
    const whole: string[] = [];
    let all = entry !== null;
    for (const child of readdirSync(path, { withFileTypes: true })) {
      const place = join(path, child.name);
      if (isWhole(place, child)) whole.push(place);
      else all = false;
    }
    if (!all) parts.push(...whole);
    return all;
  };
  const staysInside = (link: string): boolean => {
    try {
      const real = realpathSync(link);
      return isInside(real, root) && !hidden.some((path) => isInside(real, path));
    } catch {
      // A broken link: its target may appear later.
      return false;
    }
  };
  isWhole(root, null);
  if (seen > MAX_ENTRIES)
    return {
      problem: `the project has more than ${MAX_ENTRIES} files, too many to check for links to outside; install bubblewrap`,
    };
  return { parts: parts.sort() };
}
