#!/usr/bin/env node
// Any Node from 18 on can read this file: it only finds a runtime that is new enough for the rest.
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import module from "node:module";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

// Without a listener of ours this signal opens Node's debugger: any process of the user, a skill's too, could drive Knack by it.
process.on("SIGUSR1", () => {});

const NEEDED = [24, 15];
const here = dirname(fileURLToPath(import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  // Compiled code is kept between calls: it halves the time that a small command takes to start. In the user's own
  // folder, because Node would run whatever somebody else had put into a shared one.
  const cache = compileCache();
  if (cache) module.enableCompileCache?.(cache);
  await import("../dist/main.js");
} else {
  const runtime = pinnedRuntime();
  if (runtime) {
    const { spawn } = await import("node:child_process");
    const child = spawn(runtime, ["--disable-sigusr1", ...process.argv.slice(1)], { stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("exit", (code, signal) => {
      if (signal) {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      } else process.exitCode = code ?? 1;
    });
  } else {
    process.stderr.write(
      `knack needs Node ${NEEDED.join(".")} or newer, and this is ${process.version}. Install a newer Node and run it again.\n`,
    );
    process.exitCode = 1;
  }
}

/** A folder that nobody but the user can write to, or nothing. */
function compileCache() {
  const base = process.env.XDG_CACHE_HOME || join(process.env.HOME ?? "", ".cache");
  if (!isAbsolute(base)) return undefined;
  const folder = join(base, "knack", "compiled");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    const isOwn =
      process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
    return stats.isDirectory() && isOwn ? folder : undefined;
  } catch {
    return undefined; // Without it the program starts a little slower.
  }
}

/** A checkout of the repository brings its own Node as a package. */
function pinnedRuntime() {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const program = process.platform === "win32" ? "node.exe" : "node";
  for (let dir = here; ; dir = dirname(dir)) {
    const candidate = join(dir, "node_modules", name, "bin", program);
    if (existsSync(candidate)) return candidate;
    if (dir === dirname(dir)) return undefined;
  }
}
