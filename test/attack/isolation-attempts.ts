/**
 * The attempts of the table in docs/isolation.md, in both languages. Each returns what it got, or "did it" if there is
 * nothing to get; otherwise it fails. `p` has paths, ports and the host's process id.
 */

/** By row name. Missing ones cannot be expressed in JavaScript. */
export const IN_JAVASCRIPT: Readonly<Record<string, string>> = {
  "read what Knack's parent left open": `
    let found = "";
    for (let fd = 4; fd < 64; fd++) try { const b = Buffer.alloc(99); found += b.toString("utf8", 0, fs.readSync(fd, b, 0, 99, 0)); } catch {}
    return found;`,
  "write to what Knack's parent left open": `
    for (let fd = 4; fd < 64; fd++) try { fs.writeSync(fd, "changed!!", 0); } catch {}`,
  "read a file outside the project": "return fs.readFileSync(p.secret, 'utf8');",
  "write a file outside the project": "fs.writeFileSync(p.target, 'changed');",
  "read Knack's environment": "return fs.readFileSync('/proc/' + p.host + '/environ', 'utf8');",
  "read Knack's state": "return fs.readFileSync(p.project + '/.knack/state.db', 'utf8');",
  "follow a link in the project that leads out": `
    const found = [];
    for (const way of ["/way/secret.txt", "/data/state"]) {
      const path = p.project + way;
      for (const read of [
        () => fs.readFileSync(path, "utf8"),
        () => { fs.copyFileSync(path, "copied"); return fs.readFileSync("copied", "utf8"); },
        async () => (await fs.openAsBlob(path)).text(),
        async () => (await fs.promises.readFile(path, "utf8")),
        async () => { let text = ""; for await (const part of fs.createReadStream(path)) text += part; return text; },
      ]) try { found.push(await read()); } catch (error) { found.push(error.code); }
    }
    return found.join();`,
  "write through a link": `
    const ways = [
      () => { fs.cpSync(p.project + "/data", "a", { recursive: true }); return "a/target"; },
      () => { fs.cpSync(p.project + "/data", "b", { recursive: true, verbatimSymlinks: true }); return "b/target"; },
      () => { fs.cpSync(p.project + "/way", "c", { recursive: true }); return "c/target.txt"; },
      async () => { await fs.promises.cp(p.project + "/data", "d", { recursive: true }); return "d/target"; },
      async () => { await promisify(fs.cp)(p.project + "/data", "e", { recursive: true }); return "e/target"; },
      () => { process.getBuiltinModule("fs").cpSync(p.project + "/data/target", "f"); return "f"; },
      () => { fs.symlinkSync(p.target, "g"); return "g"; },
      () => { fs.linkSync(p.project + "/data/target", "h"); return "h"; },
      () => { fs.renameSync(p.project + "/data/target", "i"); return "i"; },
      () => p.project + "/data/target",
      () => p.project + "/way/target.txt",
    ];
    for (const way of ways) try { fs.writeFileSync(await way(), "changed"); } catch {}`,
  "signal Knack": `
    for (const send of [() => process.kill(p.host, "SIGUSR2"), () => process._kill(p.host, 12), () => process.kill(-p.host, "SIGUSR2")])
      try { send(); } catch {}
    await new Promise((done) => setTimeout(done, 200));`,
  "open Knack's debugger":
    "process._debugProcess(p.host); await new Promise((done) => setTimeout(done, 500));",
  "change Knack's priority or limits": "os.setPriority(p.host, 1); return 'did it';",
  "connect to a port of the machine": "return await talk({ port: p.port, host: '127.0.0.1' });",
  "send a datagram to the machine": `
    const socket = (await import("node:dgram")).createSocket("udp4");
    return await new Promise((done, fail) => {
      socket.on("error", fail).on("message", (text) => done(String(text)));
      socket.send("hello", p.udp, "127.0.0.1", (error) => error && fail(error));
      setTimeout(() => fail(new Error("no answer")), 1000);
    }).finally(() => socket.close());`,
  "connect to an abstract socket": "return await talk({ path: String.fromCharCode(0) + p.abstract });",
  "connect to a socket in the project": "return await talk({ path: p.socket });",
  "leave a process behind": `
    const { spawn } = await import("node:child_process");
    spawn("/bin/sh", ["-c", "setsid env -i /bin/sh -c 'while :; do date +%s%N > alive; sleep 0.1; done' & sleep 0.5"], { detached: true, stdio: "ignore", env: {} }).unref();
    await new Promise((done) => setTimeout(done, 800));`,
};

export const javascript = (attempts: Readonly<Record<string, string>>): string => `
  import fs from "node:fs"; import net from "node:net"; import os from "node:os"; import { promisify } from "node:util";
  const talk = (where) => new Promise((done, fail) => {
    let text = "";
    net.connect(where).on("error", fail).on("data", (part) => { text += part; }).on("end", () => done(text));
    setTimeout(() => fail(new Error("no answer")), 2000);
  });
  const attempts = { ${Object.entries(attempts)
    .map(([name, code]) => `${JSON.stringify(name)}: async (p) => { ${code} }`)
    .join(", ")} };
  export async function run({ params: p }) {
    const found = {};
    for (const [name, attempt] of Object.entries(attempts))
      try { found[name] = String(await attempt(p)); } catch (error) { found[name] = "failed: " + (error.code ?? error.message); }
    return found;
  }`;

export const IN_PYTHON: Readonly<Record<string, string>> = {
  "read what Knack's parent left open": `
found = b""
for fd in range(4, 64):
    try: found += os.pread(fd, 99, 0)
    except OSError: pass
return found.decode("utf8", "replace")`,
  "write to what Knack's parent left open": `
for fd in range(4, 64):
    try: os.pwrite(fd, b"changed!!", 0)
    except OSError: pass`,
  "read a file outside the project": "return open(p['secret']).read()",
  "write a file outside the project": "open(p['target'], 'w').write('changed')",
  "read Knack's environment": "return open('/proc/%d/environ' % p['host']).read()",
  "read Knack's state": "return open(p['project'] + '/.knack/state.db').read()",
  "follow a link in the project that leads out": `
found = []
for way in ("/way/secret.txt", "/data/state"):
    try: found.append(open(p["project"] + way).read())
    except OSError as error: found.append(str(error))
return ",".join(found)`,
  "write through a link": `
os.symlink(p["target"], "link")
for way in ("link", p["project"] + "/data/target", p["project"] + "/way/target.txt"):
    try: open(way, "w").write("changed")
    except OSError: pass`,
  "signal Knack": `
import signal, time
for send in (lambda: os.kill(p["host"], signal.SIGUSR2), lambda: os.killpg(p["host"], signal.SIGUSR2), lambda: signal.pidfd_send_signal(os.pidfd_open(p["host"]), signal.SIGUSR2)):
    try: send()
    except OSError: pass
time.sleep(0.2)`,
  "open Knack's debugger": "import signal, time; os.kill(p['host'], signal.SIGUSR1); time.sleep(0.5)",
  "change Knack's priority or limits": `
import resource
for change in (lambda: os.setpriority(os.PRIO_PROCESS, p["host"], 1), lambda: resource.prlimit(p["host"], resource.RLIMIT_CORE, (0, 0)), lambda: os.sched_setaffinity(p["host"], os.sched_getaffinity(0))):
    try:
        change()
        return "did it"
    except OSError: pass`,
  "connect to a port of the machine": "return talk(socket.AF_INET, ('127.0.0.1', p['port']))",
  "send a datagram to the machine": `
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(1)
s.sendto(b"hello", ("127.0.0.1", p["udp"]))
return s.recv(99).decode()`,
  "connect to an abstract socket": "return talk(socket.AF_UNIX, chr(0) + p['abstract'])",
  "connect to a socket in the project": "return talk(socket.AF_UNIX, p['socket'])",
  "leave a process behind": `
import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sh", ["sh", "-c", "while :; do date +%s%N > alive; sleep 0.1; done"], {})
    os._exit(0)
time.sleep(0.8)`,
  "trace Knack": `
if libc.ptrace(0x4206, p["host"], None, None) == 0:
    libc.ptrace(17, p["host"], None, None)
    return "did it"
raise OSError(ctypes.get_errno(), "")`,
  "read Knack's memory": `
for line in open("/proc/%d/maps" % p["host"]):
    start = int(line.split("-")[0], 16); break
local = ctypes.create_string_buffer(16)
class Part(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
a, b = Part(ctypes.addressof(local), 16), Part(start, 16)
if libc.process_vm_readv(p["host"], ctypes.byref(a), 1, ctypes.byref(b), 1, 0) == 16: return "did it"
raise OSError(ctypes.get_errno(), "")`,
  "use the kernel's keys": "return call(250 if x64 else 219, 0, -3 & 0xffffffffffffffff, 1)",
  "load a program into the kernel":
    "return call(321 if x64 else 280, 0, ctypes.create_string_buffer(struct.pack('IIIII', 2, 4, 4, 1, 0).ljust(128, b'\\0')), 128)",
  "watch the processor": `
attributes = ctypes.create_string_buffer(struct.pack("IIQ", 1, 128, 0).ljust(128, b"\\0"))
return call(298 if x64 else 241, attributes, 0, -1 & 0xffffffffffffffff, -1 & 0xffffffffffffffff, 0)`,
  "make namespaces of its own": `
import subprocess
pid = os.fork()
if pid == 0: os._exit(0 if libc.unshare(0x10000000) == 0 else 1)
if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0: return "did it"
raise OSError(1, "")`,
};

export const python = (attempts: Readonly<Record<string, string>>): string => `
import ctypes, os, platform, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
libc.syscall.restype = ctypes.c_long
x64 = platform.machine() == "x86_64"
def call(number, *given):
    if libc.syscall(ctypes.c_long(number), *[ctypes.c_ulong(a) if isinstance(a, int) else a for a in given]) >= 0: return "did it"
    raise OSError(ctypes.get_errno(), "")
def talk(family, where):
    s = socket.socket(family); s.settimeout(2); s.connect(where)
    return s.recv(99).decode()
${Object.values(attempts)
  .map((code, place) => `def attempt_${place}(p):\n${code.trim().replace(/^/gm, "    ")}`)
  .join("\n")}
names = ${JSON.stringify(Object.keys(attempts))}
def run(ctx):
    found = {}
    for place, name in enumerate(names):
        try: found[name] = str(globals()["attempt_%d" % place](ctx["params"]))
        except Exception as error: found[name] = "failed: %s" % error
    return found
`;
