import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { KnackError } from "@knack/core";
import { executionError, notFound } from "../options.ts";
import { runProgram } from "../run-program.ts";
import { digestOfFile, unpackArchive, withoutTopFolder } from "./archive.ts";
import { requireProgram, throwIfAborted } from "./scratch.ts";
import type { Fetched, FetchPlace, NpmSource } from "./source.ts";

/** Through the user's npm, so that registries, tokens and proxies are the user's. No script of the package runs. */
export async function fetchNpm(source: NpmSource, place: FetchPlace): Promise<Fetched> {
  const text = await npm(["pack", "--json", "--pack-destination=.", "--", spec(source)], source, place);
  const packed = readPacked(text);
  const file = join(place.scratch, basename(packed.filename));
  const digest = `sha512-${(await digestOfFile(file, "sha512")).toString("base64")}`;
  // npm takes a SHA-1 for enough, and makes the other digest itself.
  const named = await newestVersion({ ...source, version: packed.version }, place);
  if (packed.integrity !== digest || !named.split(/\s+/).includes(digest))
    throw executionError(
      `npm:${source.name} does not have the content that the registry names by its SHA-512.`,
    );
  return {
    entries: withoutTopFolder(await unpackArchive(file, place)),
    source: `npm:${source.name}`,
    ref: source.version,
    commit: `${packed.version} ${digest}`,
    path: "",
    name: source.name.replace(/^@[^/]*\//, "").toLowerCase(),
  };
}

export async function newestVersion(source: NpmSource, place: FetchPlace): Promise<string> {
  const text = await npm(["view", "--json", "--", spec(source), "version", "dist.integrity"], source, place);
  const answer: unknown = JSON.parse(text);
  // Of a range npm lists every version that fits, oldest first.
  const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
  // Of one field alone npm prints the value.
  const found = typeof last === "string" ? { version: last } : last;
  const { version, "dist.integrity": integrity } = found as Record<string, unknown>;
  if (typeof version !== "string") throw unfetched(source, "no version was found");
  if (typeof integrity !== "string" || !/\bsha512-/.test(integrity))
    throw unfetched(
      source,
      "the registry names no SHA-512 of it, and others can be made with the same SHA-1",
    );
  return `${version} ${integrity}`;
}

const spec = ({ name, version }: NpmSource): string => `${name}@${version ?? "latest"}`;

async function npm(words: readonly string[], source: NpmSource, place: FetchPlace): Promise<string> {
  // A project's own .npmrc is not the user's: a stranger's project could name another registry.
  writeFileSync(join(place.scratch, "package.json"), "{}");
  const kept = Object.entries(place.env).filter(([name]) => !/^npm_(?:package|lifecycle)_/i.test(name));
  const { code, stdout, stderr } = await runProgram(
    requireProgram("npm", place.env),
    ["--ignore-scripts", "--no-update-notifier", "--loglevel=error", ...words],
    { cwd: place.scratch, env: Object.fromEntries(kept), signal: place.signal, mayAsk: false },
  );
  throwIfAborted(place.signal);
  if (code === 0) return stdout;
  if (/E404|ETARGET|ENOVERSIONS/.test(stderr))
    throw unfetched(source, "the registry has no such package or version");
  const said = /npm (?:error|ERR!) (?!code|A complete log)(.+)/.exec(stderr)?.[1] ?? "npm failed";
  throw unfetched(source, said.slice(0, 200));
}

const unfetched = ({ name, version }: NpmSource, reason: string): KnackError =>
  notFound(`npm:${name}${version === null ? "" : `@${version}`} could not be fetched: ${reason}.`);

function readPacked(text: string) {
  try {
    const parsed = JSON.parse(text);
    // npm 11 prints a list, npm 12 an object by name.
    const first = Array.isArray(parsed) ? parsed[0] : Object.values(parsed)[0];
    const { version, filename, integrity } = first as Record<string, unknown>;
    if (typeof version === "string" && typeof filename === "string" && typeof integrity === "string")
      return { version, filename, integrity };
  } catch {
    // Told below.
  }
  throw executionError("npm pack printed something that Knack does not understand; update npm.");
}
