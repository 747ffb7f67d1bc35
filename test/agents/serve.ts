import { spawn } from "node:child_process";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { homeEnv, PROGRAM } from "./project.ts";

export interface Serving extends AsyncDisposable {
  /** Of `/mcp`. */
  readonly url: string;
}

/** `knack serve` on the project, on any free port. */
export async function serve(folder: Folder): Promise<Serving> {
  const child = spawn(process.execPath, [PROGRAM, "serve", "--port", "0"], {
    cwd: folder.at("repo"),
    env: homeEnv(folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((done) => child.on("exit", () => done()));
  let said = "";
  const url = await new Promise<string>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const found = said.match(/http:\/\/\S+\/mcp/)?.[0];
        if (found) done(found);
      });
    child.on("exit", (code) => fail(new Error(`knack serve ended with ${code}: ${said}`)));
  });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
