import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { availableParallelism, constants, setPriority, tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Duplex } from "node:stream";
import { endGroup } from "@knack/core/process";
import { pluralize } from "@knack/core/text";
import { ownName, RUN_FOLDER } from "../artifacts/temporary.ts";
import { Slots } from "../shared/slots.ts";
import { BoundedLog, encodeRequest, FrameReader, NONCE_BYTES } from "./channel.ts";
import { EXECUTION_LIMITS, failed, LAST_BYTES_MS, signalOf } from "./execution.ts";
import { GUEST_MEMORY_MB, type GuestRequest, guestCommand } from "./guest/guest-command.ts";

interface GuestLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/** What a built-in returned (not validated), or why it returned nothing. */
export type GuestAnswer = { readonly output: unknown } | { readonly code: string; readonly message: string };

/** A process for one built-in on one set of files. It can be ended at any time and never outlives its host. */
export class Guest {
  /** The run's folder, not created yet. Besides its own code the guest can only read this, and write in `artifacts` inside it. */
  readonly folder = join(tmpdir(), ownName(RUN_FOLDER));
  readonly gone: Promise<void>;
  readonly #nonce = randomBytes(NONCE_BYTES / 2).toString("hex");
  readonly #child: ChildProcess;
  readonly #errors = new BoundedLog(16 * 1024);
  #failure: Error | undefined;
  #isGone = false;

  /** `preload`: the extension of the file that it will probably get, `*` if unknown. */
  constructor(preload: string) {
    const start = {
      host: process.pid,
      nonce: this.#nonce,
      maxBytes: GUEST_MEMORY_MB * 1024 ** 2,
      maxLogBytes: EXECUTION_LIMITS.maxLogBytes,
      preload,
    };
    const { program, args, env, cwd } = guestCommand(start, this.folder);
    this.#child = spawn(program, args, {
      env,
      cwd,
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    stepBack(this.#child.pid);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gone = promise;
    const settle = (error?: Error): void => {
      this.#failure ??= error;
      this.#isGone = true;
      resolve();
    };
    this.#child.once("error", settle).once("exit", () => settle());
    this.#child.stderr?.on("data", (chunk: Buffer) => this.#errors.push(chunk)).on("error", () => {});
    this.#channel?.on("error", () => {});
    this.#keepHost(false);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Settles on the first of: an answer, an exit, a limit, a cancellation. Then the process is ended. */
  async run(request: GuestRequest, limits: GuestLimits): Promise<GuestAnswer> {
    this.#keepHost(true);
    const answer = await this.#answer(request, limits);
    this.end();
    // A guest that has answered is idle. A cancelled one may still write until it exits.
    if ("code" in answer) await this.gone;
    return answer;
  }

  end(): void {
    if (this.#isGone || this.pid === undefined) return;
    endGroup(this.pid);
    for (const stream of this.#child.stdio) stream?.destroy();
    // It exits in a moment; the caller can wait for that.
    this.#child.ref();
  }

  get #channel(): Duplex | null {
    return (this.#child.stdio?.[3] as Duplex | undefined) ?? null;
  }

  /** An idle guest must not keep the host's process alive. */
  #keepHost(keep: boolean): void {
    const handles = [this.#child, ...(this.#child.stdio ?? [])] as ({
      ref?(): void;
      unref?(): void;
    } | null)[];
    for (const handle of handles) {
      if (keep) handle?.ref?.();
      else handle?.unref?.();
    }
  }

  #answer({ skill, context }: GuestRequest, limits: GuestLimits): Promise<GuestAnswer> {
    return new Promise((resolve) => {
      const channel = this.#channel;
      const timers: NodeJS.Timeout[] = [];
      const settle = (answer: GuestAnswer): void => {
        for (const timer of timers) clearTimeout(timer);
        limits.signal.removeEventListener("abort", cancel);
        channel?.off("data", hear);
        resolve(answer);
      };
      const cancel = (): void => settle(failed("SKILL_INTERRUPTED", "The run was cancelled."));
      const tellEnd = (): void => settle(guestEnd(skill, this.#child, this.#errors.text(), this.#failure));
      const reader = new FrameReader(this.#nonce, EXECUTION_LIMITS.maxResultBytes);
      const hear = (chunk: Buffer): void => {
        for (const { kind, payload } of reader.push(chunk)) {
          if (kind === "G") limits.log(payload);
          else if (kind === "M") settle(overMemory(skill));
          else if (kind === "T") settle(failed("SKILL_FAILED", payload));
          else if (kind === "R") settle({ output: JSON.parse(payload) });
        }
        if (reader.fault !== null)
          settle(failed("SKILL_BAD_OUTPUT", `The result of ${skill} is larger than 8 MiB.`));
      };
      limits.signal.addEventListener("abort", cancel, { once: true });
      if (limits.signal.aborted) return cancel();
      const late = failed(
        "SKILL_TIMEOUT",
        `Timed out after ${pluralize(limits.timeoutMs / 1000, "second")}.`,
      );
      timers.push(setTimeout(settle, limits.timeoutMs, late));
      void this.gone.then(() => {
        if (!channel || channel.closed || channel.destroyed) return tellEnd();
        channel.once("close", tellEnd);
        timers.push(setTimeout(tellEnd, LAST_BYTES_MS));
      });
      channel?.on("data", hear);
      channel?.write(encodeRequest({ skill, context }));
    });
  }
}

/** Lowers the priority, so that a server answers other requests first. */
function stepBack(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has exited, or the system does not allow a change of priority; continue anyway.
  }
}

function overMemory(skill: string): GuestAnswer {
  return failed(
    "TOO_LARGE",
    `${skill} needed more than ${GUEST_MEMORY_MB} MB of memory, the limit of a built-in skill. Split the file, or save it again from the program that created it.`,
  );
}

function guestEnd(
  skill: string,
  child: ChildProcess,
  errors: string,
  failure: Error | undefined,
): GuestAnswer {
  const fail = (what: string): GuestAnswer => failed("SKILL_FAILED", `The process for ${skill} ${what}`);
  if (failure) return fail(`could not be started: ${failure.message}`);
  if (/out of memory|allocation failed|bad_alloc|OOM error/i.test(errors)) return overMemory(skill);
  const signal = signalOf(child.exitCode, child.signalCode);
  if (signal === "SIGKILL")
    return fail(
      "was killed by the system, probably because the machine ran out of memory. Free some memory and run it again.",
    );
  const last = errors.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  const how = signal ? `crashed (${signal})` : `exited with code ${child.exitCode}`;
  return fail(`${how} before it answered${last === "" ? "" : `: ${last}`}`);
}

const IDLE_MS = 5 * 60 * 1000;
/** More guests than processors would slow each other and the host, and each needs memory. */
const MOST_AT_ONCE = Math.max(1, availableParallelism());

/** The guests of one engine, each for one run. After the first, one is kept ready: to start it takes longer than to parse. */
export class GuestPool {
  readonly #keepsWarm: boolean;
  readonly #all = new Set<Guest>();
  #waiting: Guest | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Whoever wants to parse a file enters first. */
  readonly slots = new Slots(MOST_AT_ONCE);

  constructor(keepsWarm: boolean) {
    this.#keepsWarm = keepsWarm;
  }

  /** Starts a guest for a file of this name while the run is being prepared. */
  expect(file: string): void {
    this.#prepare(extname(file).toLowerCase());
  }

  /** The idle guest, or a new one. The caller disposes of it. */
  take(): Guest {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(this.#idle);
    return waiting && !waiting.isGone ? waiting : this.#start("");
  }

  restock(): void {
    if (this.#keepsWarm) this.#prepare("*");
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    for (const guest of this.#all) guest.end();
    await Promise.all([...this.#all].map((guest) => guest.gone));
  }

  #start(preload: string): Guest {
    const guest = new Guest(preload);
    this.#all.add(guest);
    void guest.gone.then(() => this.#all.delete(guest));
    return guest;
  }

  #prepare(preload: string): void {
    if (this.#isClosed || (this.#waiting && !this.#waiting.isGone)) return;
    const guest = this.#start(preload);
    this.#waiting = guest;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#waiting === guest) this.#waiting = undefined;
      guest.end();
    }, IDLE_MS).unref();
  }
}
