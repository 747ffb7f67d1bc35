import { execFile } from "node:child_process";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { homeFolder, knackHome } from "@knack/core/config";
import { canonical, isInside } from "@knack/core/files";
import { findSystemProgram } from "@knack/core/process";
import { syscallFilter } from "./syscall-filter.ts";

const run = promisify(execFile);

export type Bubblewrap =
  | {
      readonly works: true;
      readonly program: string;
      readonly version: string;
      readonly options: readonly string[];
    }
  | { readonly works: false; readonly reason: string };

/** Programs and their libraries: the same on every machine of a kind, so not secret. */
export const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
const SETTINGS = ["/etc/ld.so.cache", "/etc/ld-musl-x86_64.path", "/etc/alternatives", "/etc/localtime"];

/** The private /tmp is in memory, so it is small. */
const PRIVATE_BYTES = 256 * 1024 ** 2;
export const PRIVATE_FOLDER = "/tmp";

let found: Promise<Bubblewrap> | undefined;

/** Probed once per process, by running it. */
export function bubblewrapHere(): Promise<Bubblewrap> {
  found ??= probeBubblewrap(
    process.platform === "linux" ? findSystemProgram("bwrap", process.env) : undefined,
  );
  return found;
}

export async function probeBubblewrap(program: string | undefined): Promise<Bubblewrap> {
  if (program === undefined)
    return {
      works: false,
      reason: process.platform === "linux" ? "bubblewrap is not installed" : "bubblewrap works on Linux only",
    };
  try {
    const { stdout: version } = await run(program, ["--version"], { timeout: 10_000, env: {} });
    const { stdout: help } = await run(program, ["--help"], { timeout: 10_000, env: {} });
    // Without --size the private folders could use half of the machine's memory.
    if (!help.includes("--size "))
      return { works: false, reason: `${version.trim()} is too old: 0.7 or newer is required` };
    const wanted = help.includes("--disable-userns ") ? [["--disable-userns"], []] : [[]];
    let reason = "";
    for (const options of wanted) {
      reason = await complaintOf(program, options);
      if (reason === "") return { works: true, program, version: version.trim(), options };
    }
    return { works: false, reason: `bubblewrap cannot create its namespaces here: ${reason}` };
  } catch (error) {
    return { works: false, reason: `bubblewrap does not run: ${lastLine(String((error as Error).message))}` };
  }
}

/** Runs this Node in a sandbox and checks that it cannot write the kernel's switches (/proc/sys). */
async function complaintOf(program: string, options: readonly string[]): Promise<string> {
  const check = '[ ! -w /proc/sys/kernel/core_pattern ] || exit 3; exec "$0" --version';
  const command = ["/bin/sh", "-c", check, process.execPath];
  const filter = syscallFilter("in namespaces");
  const args = [
    ...namespaces(options),
    ...fileSystem({ readOnly: [process.execPath], hidden: [], writable: [] }),
    ...(filter === null ? [] : ["--seccomp", "0"]),
    ...command,
  ];
  try {
    const probe = run(program, args, { timeout: 10_000, env: {} });
    // If it ends before it reads everything, its exit reports that.
    probe.child.stdin?.on("error", () => {}).end(filter ?? undefined);
    await probe;
    return "";
  } catch (error) {
    const { code, stderr, message } = error as { code?: unknown; stderr?: string; message: string };
    return code === 3 ? "the kernel's settings would be writable" : lastLine(stderr?.trim() || message);
  }
}

export interface Mounts {
  /** In order: a folder comes before the folders inside it. */
  readonly readOnly: readonly string[];
  /** Folders that appear empty. */
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
}

/** The arguments before the command. bubblewrap writes its first process id to descriptor 4 and reads the filter from 5. */
export function bubblewrapArguments(
  options: readonly string[],
  mounts: Mounts,
  workingFolder: string,
  hasFilter: boolean,
): string[] {
  const filter = hasFilter ? ["--seccomp", "5"] : [];
  const start = ["--chdir", workingFolder, "--info-fd", "4"];
  return [...namespaces(options), ...fileSystem(mounts), ...start, ...filter];
}

/** The folders inside a project that are hidden from skills: Knack's state, with the store and the trust records. */
export function hiddenFolders(projectRoot: string): string[] {
  const ofUser = canonical(knackHome(process.env, homeFolder(process.env)));
  const candidates = new Set([join(projectRoot, ".knack"), ofUser]);
  return [...candidates].filter(
    (path) =>
      path !== projectRoot &&
      isInside(path, projectRoot) &&
      (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false),
  );
}

function namespaces(options: readonly string[]): string[] {
  const all = ["user", "pid", "net", "ipc", "uts"].map((name) => `--unshare-${name}`);
  // Run as nobody inside the sandbox: if root starts it, it would otherwise have root's user id.
  const identity = process.getuid?.() === 0 ? ["--uid", "65534", "--gid", "65534"] : [];
  const session = "--unshare-cgroup-try --hostname skill --new-session --die-with-parent --cap-drop ALL";
  return [...all, ...options, ...identity, ...session.split(" ")];
}

function fileSystem(mounts: Mounts): string[] {
  const size = ["--size", String(PRIVATE_BYTES)];
  return [
    ...SYSTEM.flatMap(systemFolder),
    ...SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--dev", "/dev", ...size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...[...size, "--tmpfs", PRIVATE_FOLDER],
    ...mounts.readOnly.slice(0, 1).flatMap((path) => ["--ro-bind", path, path]),
    ...mounts.hidden.flatMap((path) => ["--tmpfs", path]),
    ...mounts.readOnly.slice(1).flatMap((path) => ["--ro-bind", path, path]),
    ...mounts.writable.flatMap((path) => ["--bind", path, path]),
    // Root's processes own the files of /proc even here, so a writable /proc/sys would be a way out.
    ...[...mounts.hidden, "/proc", "/"].flatMap((path) => ["--remount-ro", path]),
  ];
}

/** Keeps /lib a link if it is one. */
function systemFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !existsSync(path)) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
