import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Check } from "./checks/check.ts";
import { clientEnv } from "./drive.ts";
import { PROGRAM } from "./project.ts";
import type { Way } from "./way.ts";

/** What `knack setup` did. */
interface SetUp {
  /** The client's own file. */
  readonly file: string;
  /** The others that it has changed. */
  readonly files: readonly { readonly file: string }[];
  /** Absent where nothing had to be changed. */
  readonly check: { readonly connected: boolean | null; readonly message: string } | null;
}

/** Sets the client up as a user does, with the client's own check of the connection; over HTTP if there is a server. */
export function setUp(
  way: Way,
  url?: string,
  more: readonly string[] = ["--no-hooks"],
  version?: string,
): SetUp & { readonly asCheck: Check } {
  const { client, folder } = way;
  writeFiles(way);
  const http = url === undefined ? [] : ["--http", url];
  const env = clientEnv(way);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, "setup", client.name, "--yes", "--json", ...http, ...more],
    {
      cwd: folder.at("repo"),
      env: { ...env, PATH: `${onPath(way, version)}${delimiter}${env.PATH}` },
      encoding: "utf8",
    },
  );
  if (!stdout.startsWith("{")) throw new Error(`knack setup ${client.name} failed: ${stderr}`);
  const made = JSON.parse(stdout) as SetUp;
  if (!made.file) throw new Error(`knack setup ${client.name} failed: ${stdout}`);
  const { connected, message } = made.check ?? { connected: null, message: "unchanged" };
  return { ...made, asCheck: { name: "setup", ok: connected !== false, detail: message } };
}

/** The client's own files. What the home has of them stays: TOML goes before it, as it may end in a table. */
export function writeFiles({ client, folder, model }: Way): void {
  for (const [name, text] of Object.entries(client.files(model.url))) {
    const file = `home/${name}`;
    const old = existsSync(folder.at(file)) ? readFileSync(folder.at(file), "utf8") : "";
    if (!old) folder.write({ [file]: text });
    else if (name.endsWith(".toml") && !old.startsWith(text)) folder.write({ [file]: text + old });
  }
}

/** A folder with the client under its own name, as an installation would put it on the search path; it may say another version. */
function onPath({ client, installed, folder }: Way, version?: string): string {
  const program = join(installed, client.program.path);
  const start = client.program.isScript ? `"${process.execPath}" "${program}"` : `"${program}"`;
  const says = version === undefined ? "" : `[ "$1" = --version ] && echo ${version} && exit\n`;
  folder.write({ [`bin/${client.name}`]: `#!/bin/sh\n${says}exec ${start} "$@"\n` });
  chmodSync(folder.at("bin", client.name), 0o755);
  return folder.at("bin");
}

/** While this lasts, the client starts another server than Knack. */
export function startInstead(file: string, server: string): Disposable {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(PROGRAM, server));
  return { [Symbol.dispose]: () => writeFileSync(file, text) };
}
