import { span } from "@knack/core/internal";

/** These serve until they are stopped: each of their requests is a trace, not all of them together. */
const LASTING = new Set(["mcp", "rpc", "serve", "shell", "tui", "worker"]);

/** A command as a span, by its name in the table: its arguments could be anything. */
export async function tracedCommand(name: string, work: () => Promise<unknown>): Promise<void> {
  if (LASTING.has(name)) {
    await work();
    return;
  }
  await span(`knack ${name}`, { "knack.command": name }, async (traced) => {
    await work();
    const code = Number(process.exitCode ?? 0);
    traced.set({ "process.exit.code": code });
    if (code !== 0) traced.fail(`EXIT_${code}`);
  });
}
