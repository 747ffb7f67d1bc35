import { fstatSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { homeFolder } from "@knack/core/config";
import { removeQuietly } from "@knack/core/files";
import { quote } from "@knack/core/text";
import { listAccessTokens, workCounts } from "@knack/engine";
import type { CommandOptions } from "../cli/table/table.ts";
import { type Host, openHost } from "../host/host.ts";
import { announceServer, linkFile } from "../host/process-files.ts";
import { endedBySignal } from "../host/signals.ts";
import { readToken, type Token } from "../host/token.ts";
import { conflict, invalid } from "../options.ts";
import { note, paint, print, printJson } from "../terminal/output.ts";
import { escapeControl, pluralize } from "../terminal/visible.ts";
import { type Bind, isShared } from "./access/address.ts";
import { checkReach, PORT, readBind, type StatedBind } from "./access/read-bind.ts";
import { LIMITS } from "./server/limits.ts";
import { followTls, readTls } from "./server/tls-files.ts";
import { WebServer } from "./web-server.ts";

const END_MS = 10_000;

/** `knack serve`: serves HTTP until a signal, or the end of a pipe on standard input, stops it. */
export async function serve(options: CommandOptions<"serve">): Promise<void> {
  const env = process.env;
  const stated = readBind(options);
  const { port, files } = stated;
  let tls = files && readTls(files);
  const bind: Bind = {
    ...stated,
    scheme: tls ? "https" : "http",
    isCertified: (name) => tls?.isFor(name) ?? false,
  };
  // Where others can reach the server it takes named tokens alone.
  const token = isShared(bind) ? undefined : await readToken(env, homeFolder(env));
  // Child processes do not need the token.
  delete env.KNACK_TOKEN;
  using end = await watchForEnd(files !== undefined);
  for (const line of token?.notes ?? []) note(`note: ${escapeControl(line)}`);
  const host = await openHost(options, "serve", { isServer: true });
  await checkTokens(stated, host);
  // The first search builds the index, which takes seconds for thousands of skills. Begin now, so that no client waits.
  const { catalog } = host.runtime;
  // Counting begins with the server, so that /metrics has everything since then.
  const { openMeters } = await import("../telemetry/metering.ts");
  openMeters().observe(async () => {
    const { engine } = host;
    return workCounts(await engine.history(), engine.hasStore ? (await engine.store()).now() : new Date());
  });
  catalog.search("knack", { limit: 1 });
  const server = new WebServer(host, { bind, port, tls, token: token?.text ?? null, limits: LIMITS });
  let forget = (): void => {};
  let unfollow = (): void => {};
  try {
    await server.listen().catch((error: unknown) => {
      throw listenError(error, bind, port);
    });
    // The user's own programs look for a server that takes their token.
    if (token && !tls)
      forget = announceServer({ env, home: homeFolder(env) }, server.port, {
        project: catalog.projectRoot,
        host: bind.host,
      });
    if (files)
      unfollow = followTls(
        files,
        (renewed) => {
          tls = renewed;
          server.renew(renewed);
        },
        (line) => note(`note: ${escapeControl(line)}`),
      );
    tell(server, token, catalog.skills.length, options);
    if (catalog.entries.length === 0 && catalog.errors.length === 0 && catalog.waitingForTrust === 0)
      note('note: There are no skills here yet; "knack new my-skill" creates one.');
    process.exitCode = await end.code;
  } finally {
    forget();
    unfollow();
    removeQuietly(linkFile(env));
    // Exit even if something does not stop by itself.
    setTimeout(() => process.exit(), END_MS).unref();
    await server.close();
  }
}

/** Throws where others can reach the server and it has no access token or no encryption. */
async function checkTokens(stated: StatedBind, host: Host): Promise<void> {
  try {
    const tokens = await listAccessTokens(await host.engine.history());
    checkReach(stated, tokens.filter(({ revoked_at }) => revoked_at === null).length);
  } catch (error) {
    await host.close();
    throw error;
  }
}

function tell(
  server: WebServer,
  token: Token | undefined,
  skills: number,
  options: CommandOptions<"serve">,
): void {
  const { origin, address, port } = server;
  if (options.json) {
    // Without the token, because output is often logged.
    const shown = { url: origin, port, mcp: `${origin}/mcp`, api: `${origin}/api`, listens: address };
    printJson({ ...shown, token_file: token?.file ?? null });
    return;
  }
  print(
    [
      `${pluralize(skills, "skill")} on ${paint("bold", origin)}`,
      `  MCP   ${origin}/mcp`,
      `  API   ${origin}/api/openapi.json`,
      `  page  ${origin}/${token ? `#token=${encodeURIComponent(token.text)}` : ""}`,
    ].join("\n"),
  );
  if (!token) note("note: Everybody needs an access token of their own: knack token add NAME --role ROLE");
}

/**
 * Resolves with the exit code when the server should stop: 0 for SIGTERM and for the end of a pipe on standard input, 130
 * for SIGINT. A pipe that is already at its end (`ssh -n`, a job without input), a terminal, a file and /dev/null do not
 * stop it. Disposed, a pipe that somebody holds open does not keep the process, also where the server was refused.
 */
async function watchForEnd(reloads: boolean): Promise<Disposable & { readonly code: Promise<number> }> {
  const { promise, resolve } = Promise.withResolvers<number>();
  void endedBySignal().then(resolve);
  // The terminal was closed. Without one, SIGHUP asks to read the certificate again.
  if (!reloads || process.stdin.isTTY) process.on("SIGHUP", () => resolve(0));
  const stats = fstatSync(0);
  if (stats.isFIFO() || stats.isSocket()) {
    process.stdin.on("error", () => undefined).resume();
    // A pipe that is already at its end reports that in the next ticks.
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    if (!process.stdin.readableEnded) process.stdin.on("close", () => resolve(0)).on("end", () => resolve(0));
  }
  return { code: promise, [Symbol.dispose]: () => process.stdin.destroy() };
}

function listenError(error: unknown, { host }: Bind, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const at = `${host}:${port}`;
  if (code === "EADDRINUSE")
    return conflict(
      `${at} is in use, perhaps by another knack serve. Stop that one, or use another port: --port ${port + 1}, or --port 0 for any free one.`,
    );
  if (code === "EACCES")
    return conflict(
      `${at} cannot be used without more rights; use a port above 1023, such as --port ${PORT}.`,
    );
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return invalid(`${quote(host)} is not an address of this machine.`);
  return error;
}
