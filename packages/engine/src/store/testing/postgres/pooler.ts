import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether pgbouncer is installed; no test depends on it alone. */
export const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0;

/** A pgbouncer before a server, on a free port of loopback, until it is disposed. */
export async function startPooler(
  serverPort: number,
  mode: "session" | "transaction",
): Promise<AsyncDisposable & { readonly port: number }> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  const folder = mkdtempSync(join(tmpdir(), "knack-pooler-"));
  chmodSync(folder, 0o755);
  const lines = [
    ...["[databases]", `postgres = host=127.0.0.1 port=${serverPort} user=knack`],
    ...["[pgbouncer]", "listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir ="],
    ...[
      "auth_type = any",
      `pool_mode = ${mode}`,
      "default_pool_size = 10",
      "ignore_startup_parameters = extra_float_digits",
    ],
  ];
  writeFileSync(join(folder, "pooler.ini"), lines.join("\n"));
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const pooler = spawn("pgbouncer", [...user, join(folder, "pooler.ini")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const text of pooler.stderr) if (String(text).includes("process up")) break;
  pooler.stderr.resume();
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      const exit = once(pooler, "exit");
      pooler.kill("SIGQUIT");
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
