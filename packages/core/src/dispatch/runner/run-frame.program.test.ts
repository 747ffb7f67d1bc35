import { chmodSync, existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/files.ts";
import { failureOf } from "../dispatcher.ts";
import { DETACH, DONE, isGone, run } from "./testing/run-program.ts";

describe("a runner that ends by itself", () => {
  it("gets the frame on standard input; what it prints is passed on as it comes", async () => {
    const { result, stdout, stderr } = await run(
      'process.stdin.pipe(process.stdout); process.stderr.write("told")',
      { frame: "請追查\n" },
    );
    expect({ result, out: stdout.toString(), err: stderr.toString() }).toEqual({
      result: DONE,
      out: "請追查\n",
      err: "told",
    });
  });

  it.each([1, 3, 127, 255])("exit code %i is told as it is", async (code) => {
    const { result } = await run(`process.exit(${code})`);
    expect(result).toEqual({ ...DONE, exit_code: code });
    expect(failureOf({ runner: result })).toEqual(expect.any(String));
  });

  it("a signal is no exit code", async () => {
    const { result } = await run('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)');
    expect(result).toEqual({ exit_code: null, signal: "SIGKILL", timed_out: false });
  });

  it("may leave what it was given unread", async () => {
    const { result } = await run("process.exit(0)", { frame: "x".repeat(5_000_000) });
    expect(result).toEqual(DONE);
  });

  it("takes with it what it left behind, detached or not", async () => {
    using folder = makeFolder();
    const { result } = await run(`${DETACH(folder.at("pid"))}`);
    expect(result).toEqual(DONE);
    expect(await isGone(folder.at("pid"))).toBe(true);
  });
});

describe("a runner that does not start", () => {
  const start = async (argv: string[], frame = "f") => (await run("", { argv, frame })).result;

  it("is told with the program's name", async () => {
    const result = await start(["no-such-program-here"]);
    expect(result).toMatchObject({ exit_code: null, signal: null, timed_out: false });
    expect(result.error).toContain('"no-such-program-here"');
    expect(failureOf({ runner: result })).toEqual(expect.any(String));
  });

  it("is never a shell's: what follows a semicolon is a word", async () => {
    using folder = makeFolder();
    const result = await start(["node;", "touch", folder.at("pwn")]);
    expect(result.error).toContain('"node;"');
    expect(existsSync(folder.at("pwn"))).toBe(false);
  });

  it("is looked for in absolute folders of the PATH alone: a project brings no runner", async () => {
    using folder = makeFolder({ agent: "#!/bin/sh\necho ran\n", "bin/agent": "#!/bin/sh\necho $0 own\n" });
    chmodSync(folder.at("agent"), 0o755);
    chmodSync(folder.at("bin/agent"), 0o755);
    const startIn = async (PATH: string, program = "agent") => {
      const { result, stdout } = await run("", { argv: [program], cwd: folder.path, env: { PATH } });
      return { error: result.error, printed: stdout.toString() };
    };
    for (const PATH of [".", "", ":/nonexistent", ".:bin"])
      expect((await startIn(PATH)).error).toContain('no program "agent"');
    expect(await startIn(`.:${folder.at("bin")}`)).toMatchObject({
      error: undefined,
      printed: `${folder.at("bin/agent")} own\n`,
    });
    // A path is the user's own choice.
    expect((await startIn("", "./agent")).printed).toBe("ran\n");
  });

  it("says when the frame is too large for an argument, or holds a zero byte", async () => {
    expect((await start([process.execPath, "-e", "0", "$(cat)"], "x".repeat(3_000_000))).error).toContain(
      "3000000 bytes",
    );
    expect((await start([process.execPath, "-e", "0", "$(cat)"], "a\0b")).error).toContain("zero byte");
  });

  it("gives no loader variable to those that do", async () => {
    const env = { ...process.env, NODE_OPTIONS: "--no-such-option", LD_PRELOAD: "/none.so", KEPT: "yes" };
    const { result, stdout } = await run(
      "console.log(process.env.NODE_OPTIONS, process.env.LD_PRELOAD, process.env.KEPT)",
      { env },
    );
    expect(result).toEqual(DONE);
    expect(stdout.toString()).toBe("undefined undefined yes\n");
  });
});

describe("a runner that does not end", () => {
  it("is ended at its time limit, which is told apart from a signal", async () => {
    const { result } = await run("setInterval(() => {}, 1000)", { timeoutMs: 300 });
    expect(result).toEqual({ exit_code: null, signal: "SIGTERM", timed_out: true });
  });

  it("may use the moment it is given to end by itself", async () => {
    const { result } = await run(
      'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000)',
      { timeoutMs: 500 },
    );
    expect(result).toEqual({ exit_code: 0, signal: null, timed_out: true });
    expect(failureOf({ runner: result })).toEqual(expect.any(String));
  });

  it("is ended where nobody reads what it prints", async () => {
    const onOutput = (): never => {
      throw new Error("nobody reads");
    };
    await expect(run('setInterval(() => console.log("x"), 10)', { onOutput })).rejects.toThrow(
      "nobody reads",
    );
  });
});
