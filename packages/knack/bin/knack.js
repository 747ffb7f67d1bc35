#!/usr/bin/env node
// Node 18 and newer can read this file. It finds a Node that can run the rest: this one, or the one that was installed with Knack.
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import module from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

// Without a listener of ours this signal opens Node's debugger: any process of the user, a skill's too, could drive Knack by it.
process.on("SIGUSR1", () => {});

const NEEDED = [24, 15];
const INSTALL = `Install Node ${NEEDED.join(".")} or newer and run it again. On Linux and Windows, npm also installs a Node with Knack, unless optional dependencies are left out.`;
const here = dirname(fileURLToPath(import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  endWithLauncher();
  // Compiled code is kept between calls: it halves the time that a small command takes to start. In the user's own
  // folder, because Node would run whatever somebody else had put into a shared one.
  const cache = compileCache();
  if (cache) module.enableCompileCache?.(cache);
  if (existsSync(join(here, "../dist/main.js"))) await import("../dist/main.js");
  else stop("knack is not built here.", 'Run "npm run build" in this clone.');
} else {
  const runtime = pinnedRuntime();
  if (runtime) await runWith(runtime);
  else stop(`knack needs Node ${NEEDED.join(".")} or newer, and this is ${process.version}.`, INSTALL);
}

/** Runs the program with another Node, as if that had been started. */
async function runWith(runtime) {
  const args = ["--disable-sigusr1", ...process.argv.slice(1)];
  // Node 22.15 and newer can become the other program: no second process, and nothing to pass on.
  if (process.execve) process.execve(runtime, [runtime, ...args], process.env);
  const { spawn } = await import("node:child_process");
  const child = spawn(runtime, args, {
    stdio: "inherit",
    env: { ...process.env, KNACK_LAUNCHER: String(process.pid) },
  });
  child.on("error", ({ message }) =>
    stop(`The Node that was installed with Knack does not start: ${message}.`, INSTALL),
  );
  child.on("exit", (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exitCode = code ?? 1;
  });
  // A terminal signals both processes, and a second signal would cut the program off while it ends: so wait before passing it on.
  // On Windows the console always tells both, and to send a signal there would end the program at once.
  const isPassed = process.platform !== "win32";
  const pass = (signal) => isPassed && setTimeout(() => child.kill(signal), 1_000).unref();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, pass);
}

/** A launcher that was killed passes nothing on: the program ends when it is gone. */
function endWithLauncher() {
  const launcher = Number(process.env.KNACK_LAUNCHER);
  delete process.env.KNACK_LAUNCHER; // Not for programs that Knack starts.
  if (launcher !== process.ppid) return;
  setInterval(() => {
    if (process.ppid !== launcher) process.kill(process.pid, "SIGTERM");
  }, 1000).unref();
}

function stop(reason, advice) {
  process.stderr.write(`${reason}\n${advice}\n`);
  process.exitCode = 1;
}

/** A folder that nobody but the user can write to, or nothing. */
function compileCache() {
  const base = process.env.XDG_CACHE_HOME || join(process.env.HOME ?? "", ".cache");
  if (!isAbsolute(base)) return undefined;
  const folder = join(base, "knack", "compiled");
  try {
    // One after the other: where nothing can be made in a folder that is there, Node's own way never ends.
    for (const path of [base, dirname(folder), folder])
      if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    const stats = lstatSync(folder);
    const isOwn =
      process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
    return stats.isDirectory() && isOwn ? folder : undefined;
  } catch {
    return undefined; // Without it the program starts a little slower.
  }
}

/** The Node that came as an optional dependency, found as Node finds packages. */
function pinnedRuntime() {
  // It is built for glibc; without that (Alpine, NixOS) it does not start.
  const loader = { x64: "/lib64/ld-linux-x86-64.so.2", arm64: "/lib/ld-linux-aarch64.so.1" }[process.arch];
  if (process.platform === "linux" && !(loader && existsSync(loader))) return undefined;
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const program = process.platform === "win32" ? "node.exe" : "node";
  for (let dir = here; ; dir = dirname(dir)) {
    const candidate = join(dir, "node_modules", name, "bin", program);
    if (existsSync(candidate)) return candidate;
    if (dir === dirname(dir)) return undefined;
  }
}
