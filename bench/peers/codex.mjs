import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import manifest from "@openai/codex/package.json" with { type: "json" };

// The program is in an optional package per platform; without it, fail here and not in load().
import.meta.resolve(`@openai/codex-${process.platform}-${process.arch}/package.json`);
const bin = fileURLToPath(import.meta.resolve("@openai/codex/bin/codex.js"));
// No sync with the plugin service at start, and without codex's own skills.
const args = ["app-server", "--disable", "plugins", "--disable", "apps", "-c", "skills.bundled.enabled=false"];
const deadProxy = "http://127.0.0.1:9"; // if it tries the network anyway, it gets nowhere

export const name = "codex";
export const version = manifest.version;
/** Times of the last load(), in ms: request = skills/list sent to answered, process = spawn to exit. */
export const timing = { request: 0, process: 0 };

export async function load(root) {
  // A separate repository (.git marks its top) with root as its skills folder. Not in $CODEX_HOME/skills: codex writes its
  // own skills there, which would end up in root.
  const temp = mkdtempSync(join(tmpdir(), "knack-codex-"));
  const home = join(temp, "home");
  for (const dir of [".git", ".agents", "home"]) mkdirSync(join(temp, dir));
  symlinkSync(resolve(root), join(temp, ".agents", "skills"), "dir");
  const start = performance.now();
  // Nothing else from the environment: no keys, and no skills from the user's home.
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, HTTP_PROXY: deadProxy, HTTPS_PROXY: deadProxy };
  const child = spawn(process.execPath, [bin, ...args], { cwd: temp, env, stdio: ["pipe", "pipe", "ignore"], timeout: 120_000 });
  const closed = new Promise((done) => child.once("close", done));
  child.stdin.on("error", () => {}); // call() reports a child that exited early
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const call = async (id, method, params) => {
    send({ id, method, params });
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const answer = JSON.parse(line.value);
      if (answer.id !== id) continue; // a notification
      if (answer.error) throw new Error(`codex: ${method}: ${answer.error.message}`);
      return answer.result;
    }
    throw new Error(`codex ended before it answered ${method}`);
  };
  try {
    await call(1, "initialize", { clientInfo: { name: "knack-bench", version: "0.0.0" } });
    send({ method: "initialized" });
    const asked = performance.now();
    const { data } = await call(2, "skills/list", { cwds: [temp] });
    timing.request = performance.now() - asked;
    return data.flatMap((entry) => entry.skills).filter((skill) => skill.scope === "repo").length;
  } finally {
    child.stdin.end(); // the server ends with its input
    await closed;
    timing.process = performance.now() - start;
    rmSync(temp, { recursive: true, force: true });
  }
}
