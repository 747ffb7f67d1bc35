import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { environment, makeProject, type Outcome, PROGRAM, program } from "./run.ts";

let folder: Folder;
let server: Server;

beforeAll(async () => {
  folder = makeProject({
    "bin/xdg-open": '#!/bin/sh\nprintf "%s\\n" "$@" > "$OPENED"\n',
  });
  chmodSync(folder.at("bin/xdg-open"), 0o755);
  server = await Server.start(folder);
});
afterAll(async () => {
  await server.end();
  folder[Symbol.dispose]();
});

const open = (args: readonly string[], env: NodeJS.ProcessEnv = {}, port = server.port): Outcome =>
  program(folder, ["open", "--port", String(port), ...args], {
    env: { PATH: `${folder.at("bin")}:${process.env.PATH}`, OPENED: folder.at("opened"), ...env },
  });

describe("knack open", () => {
  it("prints the link where there is no screen, or with --print", () => {
    const link = `${server.url}/#token=${server.token}\n`;
    expect(open([]).stdout).toBe(link);
    expect(open(["--print"], { DISPLAY: ":1" }).stdout).toBe(link);
    expect(existsSync(folder.at("opened"))).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "opens the page in the browser, and gives no program the token as an argument",
    async () => {
      const { stdout, code } = open([], { DISPLAY: ":1" });
      expect(code).toBe(0);
      expect(stdout).toContain(`Opened ${server.url}`);
      await expect.poll(() => existsSync(folder.at("opened"))).toBe(true);
      const file = folder.at("home/.knack/open.html");
      await expect.poll(() => readFileSync(folder.at("opened"), "utf8")).toBe(`${file}\n`);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, "utf8")).toContain(`0;url=${server.url}/#token=${server.token}"`);
      expect(stdout).not.toContain(server.token);
    },
  );

  it("keeps a token of the environment out of files", () => {
    const outcome = open(["--json"], { DISPLAY: ":1", KNACK_TOKEN: server.token });
    expect(outcome.json()).toEqual({ url: server.url, opened: false, token_file: null });
  });

  it("says how to start a server where none answers, and what is wrong with the one that does", async () => {
    const asked: unknown[] = [];
    const other = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end('{"project":"/x","mcp":"y"}');
    }).listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    // Not by `open`, which would keep the server in this process from answering.
    const strange = spawn(process.execPath, [PROGRAM, "open", "--port", String(port)], {
      env: environment(folder),
    });
    expect(await text(strange.stderr)).toContain('No "knack serve" of yours runs at');
    // Anybody on the machine can listen there, so nothing is sent.
    expect(asked).toEqual([]);
    other.close();
    const gone = open([], {}, 1);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("knack serve --port 1")]);
    expect(open([], { KNACK_TOKEN: "another-token-of-mine" }).stderr).toContain(
      "refuses the token of KNACK_TOKEN",
    );
    expect(open(["--port", "x"]).stderr).toContain("--port takes a number");
  });

  it("says whose skills the server shows, where that is another project", () => {
    folder.write({ "other/.git/": "" });
    expect(open(["--print", "--cwd", folder.at("other")]).stderr).toContain(folder.at("repo"));
    expect(open(["--print"]).stderr).toBe("");
  });
});
