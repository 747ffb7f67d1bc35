import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { PROGRAM } from "./run.ts";

export interface WindowOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A real terminal, by tmux: a shell in `repo/`, with `home/` and `cache/` beside it, where `knack` is the built program. */
export class TerminalWindow implements Disposable {
  readonly #folder: Folder;
  /** Each window has its own server. */
  readonly #socket: string;
  /** A pane gets the PATH of the command that opens it, whatever `-e` says. */
  readonly #path: string;

  constructor(folder: Folder, { columns = 80, rows = 24, env = {} }: WindowOptions = {}) {
    this.#folder = folder;
    this.#socket = `window-${randomUUID()}`;
    this.#path = env.PATH ?? process.env.PATH ?? "";
    folder.write({ "tmux/": "", "home/": "", "repo/": "", "home/knack.sh": shellSetup() });
    const given = { HOME: folder.at("home"), XDG_CACHE_HOME: folder.at("cache"), PS1: "$ ", ...env };
    const size = ["-x", String(columns), "-y", String(rows)];
    const variables = Object.entries(given).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    this.#tmux("new-session", "-d", ...size, ...variables, "-c", folder.at("repo"), "sh");
    this.#tmux("set", "-g", "status", "off");
    this.type(`. ${folder.at("home/knack.sh")}`);
    this.press("Enter");
  }

  /** Types a command and Enter. */
  run(command: string): void {
    this.type(command);
    this.press("Enter");
  }

  /** An empty screen at the shell's prompt: what was shown before cannot be taken for what comes next. */
  async clear(): Promise<void> {
    this.run("clear");
    await this.shows((screen) => !screen.trim().includes("\n") && !screen.includes("clear"));
  }

  /** Literal text. */
  type(text: string): void {
    this.#tmux("send-keys", "-l", "--", text);
  }

  /** Keys by tmux's names: `Enter`, `Down`, `C-t`. */
  press(...keys: string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  /** Bytes as a terminal would send them. */
  bytes(...bytes: number[]): void {
    this.#tmux("send-keys", "-H", ...bytes.map((byte) => byte.toString(16)));
  }

  /** As a terminal pastes: with bracketed paste if the program enabled it. */
  paste(text: string): void {
    this.#tmux("set-buffer", "--", text);
    this.#tmux("paste-buffer", "-p", "-r");
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  get lines(): string[] {
    return this.#tmux("capture-pane", "-p").split("\n").slice(0, -1);
  }

  get screen(): string {
    return this.lines.join("\n");
  }

  /** The same with its colours. */
  get colours(): string {
    return this.#tmux("capture-pane", "-p", "-e");
  }

  /** A flag of the terminal: `alternate_on`, `cursor_flag`, `wrap_flag`. */
  state(name: string): string {
    return this.#tmux("display-message", "-p", `#{${name}}`).trim();
  }

  /** Waits until the screen shows it; fails with the current screen. */
  async shows(wanted: string | RegExp | ((screen: string) => boolean), seconds = 100): Promise<string> {
    const isThere = (screen: string): boolean =>
      typeof wanted === "function"
        ? wanted(screen)
        : typeof wanted === "string"
          ? screen.includes(wanted)
          : wanted.test(screen);
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(25)) {
      const { screen } = this;
      if (isThere(screen)) return screen;
    }
    throw new Error(`The terminal never showed ${wanted}. It shows:\n${this.screen}`);
  }

  /** A file in `repo/` that a command wrote. */
  file(name: string): string {
    const path = this.#folder.at("repo", name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  /** Resolves when no process of this window runs any more: one that still writes would refill a folder that is being removed. */
  [Symbol.dispose](): void {
    const session = this.state("pane_pid");
    this.#tmux("kill-server");
    for (const end = Date.now() + 10_000; isSessionAlive(session) && Date.now() < end; ) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }

  #tmux(...args: string[]): string {
    const { status, stdout, stderr, error } = spawnSync(
      "tmux",
      ["-u", "-f", "/dev/null", "-L", this.#socket, ...args],
      {
        env: {
          PATH: this.#path,
          LANG: "C.UTF-8",
          TERM: "xterm-256color",
          TMUX_TMPDIR: this.#folder.at("tmux"),
        },
        encoding: "utf8",
      },
    );
    if (error) throw new Error(`These tests need tmux (apt-get install tmux): ${error.message}`);
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  }
}

/** A pane's shell leads its own session; whatever it started belongs to it. A zombie (Z) has ended. */
function isSessionAlive(leader: string): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-s", leader], { encoding: "utf8" });
  return stdout.split("\n").some((state) => state !== "" && !state.startsWith("Z"));
}

/** `knack` writes its process id to `pid` and prints its exit code. */
function shellSetup(): string {
  return [
    `knack() { sh -c 'echo $$ > pid; exec "$@"' sh '${process.execPath}' '${PROGRAM}' "$@"; }`,
    'told() { "$@"; echo "ended with $?" >&2; }',
    "clear",
    "",
  ].join("\n");
}
