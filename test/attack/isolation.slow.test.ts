import { createSocket } from "node:dgram";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Folder } from "@knack/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { code, makeEngineScene } from "../../packages/engine/src/testing/engine-scene.ts";
import { IN_JAVASCRIPT, IN_PYTHON, javascript, python as pythonCode } from "./isolation-attempts.ts";
import {
  CANARY,
  documentedAttempts,
  executeOnHost,
  type HostResult,
  LEVELS,
  makeMachine,
  python,
} from "./isolation-scene.ts";

const documented = documentedAttempts();
const isLinux = process.platform === "linux";

/** Servers on this machine that send the canary to every client. */
async function listenFor(folder: Folder) {
  const listen = (where: string | number): Promise<Server> =>
    new Promise((done) => {
      const server = createServer((socket) => socket.on("error", () => {}).end(CANARY));
      if (typeof where === "number") server.listen(where, "127.0.0.1", () => done(server));
      else server.listen(where, () => done(server));
    });
  const abstract = `knack-attack-${process.pid}-${folder.path.slice(-6)}`;
  const [tcp, named] = [await listen(0), await listen(folder.at("project/live.sock"))];
  const servers = [tcp, named, ...(isLinux ? [await listen(`\0${abstract}`)] : [])];
  const udp = createSocket("udp4");
  udp.on("message", (_text, { port, address }) => udp.send(CANARY, port, address));
  await new Promise<void>((done) => udp.bind(0, "127.0.0.1", done));
  return {
    params: {
      abstract,
      port: (tcp.address() as { port: number }).port,
      udp: udp.address().port,
      socket: folder.at("project/live.sock"),
      project: folder.at("project"),
      secret: folder.at("outside/secret.txt"),
      target: folder.at("outside/target.txt"),
    },
    close: () => {
      udp.close();
      for (const server of servers) server.close();
    },
  };
}

/** Whether a process still writes its mark into the folder of a run that has ended. */
async function isLeftBehind(folder: Folder): Promise<boolean> {
  const read = () =>
    existsSync(folder.at("artifacts/alive")) ? readFileSync(folder.at("artifacts/alive"), "utf8") : "";
  const last = read();
  await wait(600);
  return read() !== last;
}

/** Ends what a successful attempt left running, found by its working directory. */
function endLeftBehind(folder: Folder): void {
  for (const pid of isLinux ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [])
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) === folder.at("artifacts")) process.kill(Number(pid), "SIGKILL");
    } catch {
      // Gone, or another user's.
    }
}

/** Tracing by ordinary users may be disabled on the whole machine (Yama). */
const isRestricted = (attempt: string): boolean =>
  /^(?:trace|read) Knack's? ?(?:memory)?$/.test(attempt) &&
  process.getuid?.() !== 0 &&
  existsSync("/proc/sys/kernel/yama/ptrace_scope") &&
  readFileSync("/proc/sys/kernel/yama/ptrace_scope", "utf8").trim() !== "0";
/** A container may already have removed this from the whole machine; then the kernel's limits decide. */
const OF_THE_KERNEL = /^(?:use the kernel|load a program|watch the processor|make namespaces)/;

describe.skipIf(!isLinux).each(LEVELS)(
  "docs/isolation.md: what gets through at $column ($language)",
  (level) => {
    const attempts = level.language === "python" ? IN_PYTHON : IN_JAVASCRIPT;
    let folder: Folder;
    let told: HostResult;
    let found: Record<string, string>;
    let leftBehind: boolean;

    beforeAll(async () => {
      folder = makeMachine();
      const machine = await listenFor(folder);
      try {
        // Attempts that change the file are identified by its content.
        const code = level.language === "python" ? pythonCode(attempts) : javascript(attempts);
        told = await executeOnHost(folder, level, code, machine.params);
        leftBehind = await isLeftBehind(folder);
      } finally {
        machine.close();
        endLeftBehind(folder);
      }
      if (!told.result.ok) throw new Error(`${told.result.message}\n${told.result.log}`);
      found = told.result.output as Record<string, string>;
    });
    afterAll(() => folder?.[Symbol.dispose]());

    const gotThrough = (attempt: string): boolean => {
      if (attempt === "signal Knack") return told.result.signals > 0;
      if (attempt === "open Knack's debugger") return told.stderr.includes("Debugger listening");
      if (attempt === "leave a process behind") return leftBehind;
      return found[attempt]?.includes(CANARY) || found[attempt] === "did it" || false;
    };
    const isWrite = (attempt: string): boolean => attempt.startsWith("write ");

    it.each([...documented.keys()].filter((attempt) => !isWrite(attempt)))("%s", (attempt) => {
      if (level.language === "python") expect(Object.keys(found)).toContain(attempt);
      const says = documented.get(attempt)?.get(level.column);
      if (says === "no") expect(gotThrough(attempt), found[attempt]).toBe(false);
      else {
        expect(says).toBe("**yes**");
        if (!OF_THE_KERNEL.test(attempt) && !isRestricted(attempt))
          expect(gotThrough(attempt), found[attempt]).toBe(true);
      }
    });

    it.each([...documented.keys()].filter(isWrite))("%s", async (attempt) => {
      using own = makeMachine();
      const alone = { [attempt]: attempts[attempt] ?? "" };
      const machine = await listenFor(own);
      const code = level.language === "python" ? pythonCode(alone) : javascript(alone);
      const { result } = await executeOnHost(own, level, code, machine.params).finally(machine.close);
      expect(result.ok, JSON.stringify(result)).toBe(true);
      const isChanged = readFileSync(own.at("outside/target.txt"), "utf8") !== "as it was";
      const isOutside = readFileSync(own.at("outside/secret.txt"), "utf8") !== CANARY;
      expect(documented.get(attempt)?.get(level.column)).toBe(isChanged || isOutside ? "**yes**" : "no");
    });

    it("the project's own files and links can be read all the same", async () => {
      const code =
        level.language === "python"
          ? "def run(ctx): return [open(ctx['params']['project'] + way).read() for way in ('/data/inside.txt', '/data/stays')]"
          : "import fs from 'node:fs'; export const run = ({ params }) => ['/data/inside.txt', '/data/stays'].map((way) => fs.readFileSync(params.project + way, 'utf8'));";
      const { result } = await executeOnHost(folder, level, code, { project: folder.at("project") });
      expect(result).toMatchObject({ ok: true, output: ["inside", "inside"], isolation: level.level });
    });

    it("has no descriptor but standard input, output, error, the channel and its runtime's own", async () => {
      // Descriptors that a runtime opens for itself are not files: epoll, events, pipes to its threads.
      const code =
        level.language === "python"
          ? `import os
def run(ctx):
    found = {}
    for fd in range(4, 1024):
        try: found[fd] = os.readlink("/proc/self/fd/%d" % fd)
        except OSError: pass
        try: os.fstat(fd)
        except OSError: continue
        found.setdefault(fd, "open")
    return found`
          : `import fs from "node:fs";
export const run = () => Object.fromEntries(Array.from({ length: 1020 }, (_, place) => place + 4).flatMap((fd) => {
  try { const stats = fs.fstatSync(fd); return [[fd, stats.isFile() ? "file" : stats.isCharacterDevice() ? "device " + stats.rdev : stats.isSocket() ? "socket" : "other"]]; } catch { return []; }
}));`;
      const { result } = await executeOnHost(folder, level, code, {});
      expect(result.ok, JSON.stringify(result)).toBe(true);
      const open = Object.entries((result.ok ? result.output : {}) as Record<string, string>);
      if (level.language === "python") expect(open).toEqual([]);
      // Node itself opens /dev/null once.
      const own = open.filter(([, kind]) => kind !== `device ${statSync("/dev/null").rdev}`);
      expect(open.length - own.length).toBeLessThanOrEqual(1);
      for (const [descriptor, kind] of own) expect(kind, descriptor).toBe("other");
    });
  },
);

const BY_FILTER = LEVELS.filter(
  ({ language, column }) => language === "python" && column !== "none alone" && isLinux,
);

describe.each(BY_FILTER)("the filter of system calls at $column (needs python3)", (level) => {
  const calls = (lines: string): string => `
import ctypes, os, platform, socket, subprocess, threading
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def errno(number, *given):
    ctypes.set_errno(0)
    answer = libc.syscall(ctypes.c_long(number), *[ctypes.c_ulong(a) for a in given])
    return ctypes.get_errno() if answer < 0 else 0
x64 = platform.machine() == "x86_64"
def run(ctx):
${lines.replace(/^/gm, "    ")}`;

  it("refuses each call that is on its list, whatever the arguments", async () => {
    using folder = makeMachine();
    // As root without a sandbox a mistake in the filter would really execute these, so they are harmless.
    const names =
      level.column === "bubblewrap"
        ? null
        : "ptrace keyctl bpf userfaultfd perf_event_open io_uring_setup setns kcmp pidfd_getfd process_vm_readv open_by_handle_at finit_module".split(
            " ",
          );
    const table = [
      ...readFileSync(
        new URL("../../packages/engine/src/isolate/syscall-filter.ts", import.meta.url),
        "utf8",
      ).matchAll(/(\w+) (\d+) (\d+|-)(?=[,"])/g),
    ]
      .map(([, name = "", x64, arm64]) => ({ name, number: process.arch === "x64" ? x64 : arm64 }))
      .filter(({ name, number }) => number !== "-" && (names === null || names.includes(name)));
    expect(table.length).toBeGreaterThan(names === null ? 55 : 11);
    const lines = `return {${table.map(({ name, number }) => `"${name}": errno(${number}, 0, 0, 0, 0, 0, 0)`).join(", ")}}`;
    const { result } = await executeOnHost(folder, level, calls(lines), {});
    expect(result).toMatchObject({
      ok: true,
      output: Object.fromEntries(table.map(({ name }) => [name, 1])),
    });
  });

  it("looks at the flags, requests and families of the others", async () => {
    using folder = makeMachine();
    const lines = `
def family(number):
    try: socket.socket(number).close(); return 0
    except OSError as error: return error.errno
return {
    "new user namespace by clone": errno(56 if x64 else 220, 0x10000000 | 17),
    "new mount namespace by clone": errno(56 if x64 else 220, 0x00020000 | 17),
    "clone3": errno(435, 0, 0),
    "new network by unshare": errno(272 if x64 else 97, 0x40000000),
    "new clock by unshare": errno(272 if x64 else 97, 0x80),
    "own files by unshare": errno(272 if x64 else 97, 0x400),
    "typing into a terminal": errno(16 if x64 else 29, 0, 0x5412, 0),
    "the same with a high half": errno(16 if x64 else 29, 0, 0x100005412, 0),
    "another personality": errno(135 if x64 else 92, 0x0040000),
    "asking for it": errno(135 if x64 else 92, 0xffffffff),
    "the x32 interface": errno(0x40000000 | 39) if x64 else 1,
    "unix": family(1), "internet": family(2), "vsock": family(40), "crypto": family(38), "packet": family(17),
}`.trim();
    const { result } = await executeOnHost(folder, level, calls(lines), {});
    expect(result).toMatchObject({
      ok: true,
      output: {
        "new user namespace by clone": 1,
        "new mount namespace by clone": 1,
        clone3: 38,
        "new network by unshare": 1,
        "new clock by unshare": 1,
        "own files by unshare": 0,
        "typing into a terminal": 1,
        "the same with a high half": 1,
        "another personality": 1,
        "asking for it": 0,
        "the x32 interface": 1,
        unix: 1,
        internet: level.column === "bubblewrap" ? 0 : 1,
        vsock: 1,
        crypto: 1,
        packet: 1,
      },
    });
  });

  it("leaves threads, children and pairs of sockets, in a sandbox pools of processes too", async () => {
    using folder = makeMachine();
    const lines = `
import concurrent.futures, multiprocessing
seen = []
thread = threading.Thread(target=seen.append, args=(1,)); thread.start(); thread.join()
a, b = socket.socketpair(); a.send(b"x"); seen.append(b.recv(1).decode())
seen.append(subprocess.run(["/bin/echo", "child"], capture_output=True, start_new_session=True, check=True).stdout.decode().strip())
if ctx["params"]["pool"]:
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        seen.append(sum(pool.map(abs, [-1, -2])))
return seen`.trim();
    // Without bubblewrap, the shared memory that they need belongs to the whole machine.
    const pool = level.column === "bubblewrap";
    const { result } = await executeOnHost(folder, level, calls(lines), { pool });
    expect(result).toMatchObject({ ok: true, output: [1, "x", "child", ...(pool ? [3] : [])] });
  });
});

describe("Knack's own variables are not passed on, listed or not", () => {
  const names = ["knack_token", "KNACK_HOME", "KNACK_RUN_MARK"];
  const everywhere = LEVELS.map((level) => ({ name: "KNACK_TOKEN", level }));
  // Whatever the level, the name decides.
  const once = LEVELS.slice(0, 1).flatMap((level) => names.map((name) => ({ name, level })));
  it.each([...everywhere, ...once])("$name at $level.column ($level.language)", async ({ name, level }) => {
    using folder = makeMachine();
    const code = level.language === "python" ? "def run(ctx): return 1" : "export const run = () => 1;";
    const { result } = await executeOnHost(folder, level, code, {}, { env: { [name]: CANARY } });
    expect(result).toMatchObject({
      ok: false,
      code: "ACCESS_DENIED",
      message: `run: the variable ${name} cannot be passed on: it belongs to Knack; remove it from the entry's env`,
    });
  });
});

it("a project with too many files to name each of them is refused, and told what helps", async () => {
  using folder = makeMachine();
  const names = Array.from({ length: 20_000 }, (_, n) => `project/${"x".repeat(60)}${n}`);
  folder.write(Object.fromEntries(names.map((name) => [name, ""])));
  for (const level of LEVELS.filter(({ level }) => level === "node-permission")) {
    const { result } = await executeOnHost(folder, level, "export const run = () => 1;", {});
    expect(result).toMatchObject({
      ok: false,
      code: "ACCESS_DENIED",
      message: expect.stringMatching(/too many files.*install bubblewrap/),
    });
  }
});

it("there is a test for each row of the table, and a row for each attempt", () => {
  expect([...documented.keys()].sort()).toEqual(Object.keys(IN_PYTHON).sort());
  expect(Object.keys(IN_JAVASCRIPT).filter((name) => !documented.has(name))).toEqual([]);
  for (const columns of documented.values())
    for (const says of columns.values()) expect(["no", "**yes**"]).toContain(says);
});

it.skipIf(python.found)("python3 is missing: the levels for Python were not tried", () => {});

const swapping = LEVELS.find(({ column }) => column === "bubblewrap");
describe.skipIf(swapping === undefined)("an artifact that is swapped for a link (needs bubblewrap)", () => {
  it("is taken as it was made or refused, and never followed, while a process goes on swapping", async () => {
    await using scene = makeEngineScene({
      "impl/x.mjs": code(
        '"made"',
        `const { spawn } = await import("node:child_process");
        spawn("/bin/sh", ["-c", "while :; do ln -sfn /proc/self/environ l; mv -T l o; printf made > f; mv -T f o; done"], { cwd: c.artifactsDir, detached: true, stdio: "ignore" }).unref();
        await new Promise((done) => setTimeout(done, 100));`,
      ),
    });
    const engine = await scene.open();
    const ended = new Set<string>();
    for (let round = 0; round < 12; round++) {
      scene.project.write({ "a.txt": `round ${round}` });
      const { run } = await engine.run("x", { inputs: [{ path: "a.txt" }] });
      ended.add(run.error?.code ?? run.status);
      for (const { path } of run.artifacts) expect(readFileSync(scene.project.at(path), "utf8")).toBe("made");
    }
    for (const end of ended) expect(["SUCCEEDED", "SKILL_BAD_OUTPUT", "SKILL_FAILED"]).toContain(end);
  });
});
