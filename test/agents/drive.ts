import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import type { Client, Setting } from "./clients/client.ts";
import { homeEnv } from "./project.ts";

/** Longest that a client may take for one conversation. */
const LIMIT_MS = 240_000;

export interface Ended {
  readonly code: number | null;
  readonly isTimedOut: boolean;
  readonly output: string;
  readonly milliseconds: number;
}

/** Runs a client in the project until it ends, with no way out but loopback. */
export async function drive(
  client: Client,
  installed: string,
  folder: Folder,
  setting: Setting,
  args: readonly string[],
): Promise<Ended> {
  const files = client.files(setting);
  folder.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`home/${name}`, text])));
  const program = join(installed, client.program.path);
  const [command, before] = client.program.isScript ? [process.execPath, [program]] : [program, []];
  const begun = performance.now();
  const child = spawn(command, [...before, ...args], {
    cwd: folder.at("repo"),
    env: { ...homeEnv(folder), ...noNetwork(setting), ...client.env(setting) },
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
function noNetwork({ modelUrl }: Setting): Record<string, string> {
  const local = "127.0.0.1,localhost,::1";
  return {
    HTTP_PROXY: modelUrl,
    HTTPS_PROXY: modelUrl,
    http_proxy: modelUrl,
    https_proxy: modelUrl,
    NO_PROXY: local,
    no_proxy: local,
  };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
