import { spawn } from "node:child_process";
import { join } from "node:path";
import { homeEnv } from "./project.ts";
import type { Way } from "./way.ts";

/** Longest that a client may take for one conversation. */
const LIMIT_MS = 240_000;

export interface Ended {
  readonly code: number | null;
  readonly isTimedOut: boolean;
  readonly output: string;
  readonly milliseconds: number;
}

/** Runs a client in the project until it ends, with no way out but loopback. */
export async function drive(way: Way, args: readonly string[]): Promise<Ended> {
  const { client, folder } = way;
  const program = join(way.installed, client.program.path);
  const [command, before] = client.program.isScript ? [process.execPath, [program]] : [program, []];
  const begun = performance.now();
  const child = spawn(command, [...before, ...args], {
    cwd: folder.at("repo"),
    env: clientEnv(way),
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that the servers which it started end with it.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-20_000);
    });
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    endGroup(child.pid);
  }, LIMIT_MS);
  const code = await new Promise<number | null>((done) => {
    child.on("error", (error) => {
      output += String(error);
      done(null);
    });
    child.on("exit", (status) => done(status));
  });
  clearTimeout(timer);
  endGroup(child.pid);
  return { code, isTimedOut, output, milliseconds: Math.round(performance.now() - begun) };
}

/** The scripted model is the proxy too: it refuses all that is not on loopback. */
export function clientEnv({ client, folder, model: { url } }: Way): Record<string, string> {
  const local = "127.0.0.1,localhost,::1";
  return {
    ...homeEnv(folder),
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    NO_PROXY: local,
    no_proxy: local,
    ...client.env(url),
  };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
