/** A system call filter (seccomp) as classic BPF, against what no skill needs and what has been a way out of sandboxes. */
export type FilterKind =
  /** With its own process and network namespaces: internet sockets only reach the sandbox's loopback. */
  | "in namespaces"
  /** Shares the machine's processes and network: creates no sockets, touches no other process, cannot leave its group. */
  | "no namespaces";

type Architecture = "x64" | "arm64";

/** `AUDIT_ARCH_X86_64`, `AUDIT_ARCH_AARCH64`. */
const AUDIT_ARCH = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** Refused for all arguments: each with its numbers on x64 and arm64, `-` if the architecture has no such call. */
const REFUSED = [
  // Other processes.
  "ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, process_madvise 440 440",
  "pidfd_getfd 438 438, kcmp 312 272, move_pages 279 239, migrate_pages 256 238",
  // The kernel's keys, BPF and performance counters.
  "add_key 248 217, request_key 249 218, keyctl 250 219, bpf 321 280",
  "userfaultfd 323 282, perf_event_open 298 241, io_uring_setup 425 425, io_uring_enter 426 426",
  "io_uring_register 427 427, fanotify_init 300 262, lookup_dcookie 212 18",
  // Namespaces and mounts.
  "setns 308 268, mount 165 40, umount2 166 39, pivot_root 155 41",
  "chroot 161 51, open_tree 428 428, move_mount 429 429, fsopen 430 430",
  "fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442",
  "open_tree_attr 467 467",
  // Opening files by handle, past folder permissions.
  "name_to_handle_at 303 264, open_by_handle_at 304 265",
  // The machine itself.
  "kexec_load 246 104, kexec_file_load 320 294, init_module 175 105, finit_module 313 273",
  "delete_module 176 106, reboot 169 142, swapon 167 224, swapoff 168 225",
  "quotactl 179 60, quotactl_fd 443 443, acct 163 89, syslog 103 116",
  "settimeofday 164 170, clock_settime 227 112, adjtimex 159 171, clock_adjtime 305 266",
  "sethostname 170 161, setdomainname 171 162, vhangup 153 58, nfsservctl 180 42",
  "iopl 172 -, ioperm 173 -, modify_ldt 154 -, uselib 134 -",
].flatMap((line) => line.split(", ").map((call) => call.split(" ").slice(1).map(Number)));

/** Calls that change a process. `argument` is the position of its process id; 0 means the caller. */
const OF_PROCESSES: readonly { readonly x64: number; readonly arm64: number; readonly argument: number }[] = [
  { x64: 141, arm64: 140, argument: 1 }, // setpriority
  { x64: 251, arm64: 30, argument: 1 }, // ioprio_set
  { x64: 142, arm64: 118, argument: 0 }, // sched_setparam
  { x64: 144, arm64: 119, argument: 0 }, // sched_setscheduler
  { x64: 203, arm64: 122, argument: 0 }, // sched_setaffinity
  { x64: 314, arm64: 274, argument: 0 }, // sched_setattr
  { x64: 302, arm64: 261, argument: 0 }, // prlimit64
];

/** Filtered by their arguments, or answered with a special result. */
const CALL = {
  socket: { x64: 41, arm64: 198 },
  unshare: { x64: 272, arm64: 97 },
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435 },
  ioctl: { x64: 16, arm64: 29 },
  personality: { x64: 135, arm64: 92 },
  setsid: { x64: 112, arm64: 157 },
  setpgid: { x64: 109, arm64: 154 },
} as const;

const EPERM = 1;
const ENOSYS = 38;

/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID`, `NEWNET`; `unshare` also has `NEWTIME`. */
const NEW_NAMESPACES = 0x7e020000;
const NEW_TIME = 0x80;
/** Types into the terminal that Knack was started from. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** `AF_INET`, `AF_INET6`, `AF_NETLINK`: what a network namespace isolates; of Unix, vsock and others it does not. */
const NAMESPACED_FAMILIES = [2, 10, 16];
const SAME_PERSONALITY = 0xffffffff;
/** Calls of the x32 ABI have this bit set and would not match a list of numbers. */
const X32 = 0x40000000;

/** `null` on an architecture whose system call numbers we do not have. */
export function syscallFilter(kind: FilterKind, architecture: string = process.arch): Buffer | null {
  if (architecture !== "x64" && architecture !== "arm64") return null;
  const arch: Architecture = architecture;
  const number = (name: keyof typeof CALL): number => CALL[name][arch];
  const others = kind === "in namespaces" ? [] : OF_PROCESSES;
  const families = kind === "in namespaces" ? NAMESPACED_FAMILIES : [];
  const refused = REFUSED.map(([x64 = 0, arm64 = 0]) => (arch === "x64" ? x64 : arm64)).filter(
    Number.isFinite,
  );
  const leaving = kind === "in namespaces" ? [] : [number("setsid"), number("setpgid")];
  return Buffer.concat([
    load(ARCH),
    unlessEqual(AUDIT_ARCH[arch], [fail(EPERM)]),
    load(NUMBER),
    ...(arch === "x64" ? [whenAtLeast(X32, [fail(EPERM)])] : []),
    ...refused.map((call) => whenEqual(call, [fail(EPERM)])),
    // The C library falls back to `clone`, whose flags a filter can read; those of `clone3` are in memory.
    whenEqual(number("clone3"), [fail(ENOSYS)]),
    whenEqual(number("clone"), [load(argument(0)), whenAnyBit(NEW_NAMESPACES, [fail(EPERM)]), ALLOW]),
    whenEqual(number("unshare"), [
      load(argument(0)),
      whenAnyBit(NEW_NAMESPACES | NEW_TIME, [fail(EPERM)]),
      ALLOW,
    ]),
    whenEqual(number("ioctl"), [
      load(argument(1)),
      ...[TIOCSTI, TIOCLINUX].map((request) => whenEqual(request, [fail(EPERM)])),
      ALLOW,
    ]),
    whenEqual(number("personality"), [
      load(argument(0)),
      ...[0, SAME_PERSONALITY].map((persona) => whenEqual(persona, [ALLOW])),
      fail(EPERM),
    ]),
    whenEqual(number("socket"), [
      load(argument(0)),
      ...families.map((family) => whenEqual(family, [ALLOW])),
      fail(EPERM),
    ]),
    ...others.map((call) =>
      whenEqual(call[arch], [load(argument(call.argument)), whenEqual(0, [ALLOW]), fail(EPERM)]),
    ),
    // Pretends success: programs continue, and stay in their group.
    ...leaving.map((call) => whenEqual(call, [fail(0)])),
    ALLOW,
  ]);
}

/** Offsets in `struct seccomp_data`: little-endian, so the low half comes first. */
const NUMBER = 0;
const ARCH = 4;
const argument = (place: number): number => 16 + 8 * place;

/** One instruction: its code, the jumps if a condition holds and if not, and a value. */
function instruction(code: number, value: number, yes = 0, no = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}

const load = (offset: number): Buffer => instruction(0x20, offset);
const ALLOW = instruction(0x06, 0x7fff0000);
/** The call does nothing and returns this error. */
const fail = (error: number): Buffer => instruction(0x06, 0x00050000 | error);

const JUMP = { equal: 0x15, atLeast: 0x35, anyBit: 0x45 } as const;
const length = (body: Buffer): number => body.length / 8;

/** Runs `body` if the condition holds, otherwise skips it. */
function when(code: number, value: number, body: readonly Buffer[]): Buffer {
  const inner = Buffer.concat(body);
  return Buffer.concat([instruction(code, value, 0, length(inner)), inner]);
}
const whenEqual = (value: number, body: readonly Buffer[]): Buffer => when(JUMP.equal, value, body);
const whenAtLeast = (value: number, body: readonly Buffer[]): Buffer => when(JUMP.atLeast, value, body);
const whenAnyBit = (value: number, body: readonly Buffer[]): Buffer => when(JUMP.anyBit, value, body);
function unlessEqual(value: number, body: readonly Buffer[]): Buffer {
  const inner = Buffer.concat(body);
  return Buffer.concat([instruction(JUMP.equal, value, length(inner), 0), inner]);
}
