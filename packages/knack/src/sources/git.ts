import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KnackError } from "@knack/core";
import { executionError, notFound } from "../options.ts";
import { type ProgramOptions, type Ran, runProgram } from "../run-program.ts";
import { requireProgram, throwIfAborted } from "./scratch.ts";
import {
  type FetchPlace,
  type GitSource,
  publicName,
  SOURCE_LIMITS,
  tooLarge,
  withoutSecrets,
} from "./source.ts";

/** What git says, and what to do about it. The first that fits. */
const REASONS: readonly (readonly [said: RegExp, reason: string])[] = [
  [
    /Could not resolve host|Name or service not known/i,
    "the host was not found. Check the address and your network.",
  ],
  [
    /terminal prompts disabled|Authentication failed|could not read Username|Permission denied \(publickey/i,
    "it does not exist, or you have no access. Check the name, and sign in to the host with git.",
  ],
  [
    /Repository not found|not found|does not appear to be a git repository|does not exist/i,
    "no repository was found there. Check the address.",
  ],
  [
    /Host key verification failed/i,
    "the key of the host is unknown. Connect to it once with ssh, then try again.",
  ],
  [
    /dubious ownership/i,
    "the repository belongs to another user. Git needs safe.directory for it (git help config).",
  ],
  [
    /Connection (?:refused|timed out|reset)|Failed to connect|Couldn't connect|unable to connect|Operation timed out/i,
    "the host does not answer. Check the address and your network.",
  ],
  [/SSL|certificate/i, "the connection is not secure. Check the certificate of the host."],
  [
    /fsck|badTree|gitmodules|hasDot|fullPathname|duplicateEntries/i,
    "its objects are not well formed, so they were refused.",
  ],
  [/transport '.*' not allowed/i, "its transport is not allowed."],
];

export function gitFailure(stderr: string, name: string): KnackError {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const said = lines.find((line) => /^(?:fatal|error|remote):/i.test(line)) ?? lines.at(-1) ?? "git failed";
  const reason = REASONS.find(([pattern]) => pattern.test(stderr))?.[1];
  const shown = said.slice(0, 300);
  if (reason === undefined) return executionError(`${name} could not be fetched.\ngit: ${shown}`);
  return notFound(`${name} could not be fetched: ${reason}\ngit: ${shown}`);
}

/**
 * Variables of git that belong to the user's own setup. Every other `GIT_*` is dropped: it could lead git to another
 * repository, or have it run something.
 */
const KEPT =
  /^GIT_(?:ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT|SSL_.+|HTTP_.+|PROXY_.+|EXEC_PATH|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+|ALLOW_PROTOCOL)$/i;

/** Nothing that a repository brings is run, and nothing of it is checked out. */
const SETTINGS = [
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.bigFileThreshold=16m"],
  ...["protocol.allow=never", "protocol.ext.allow=never", "protocol.fd.allow=never"],
  ...["https", "http", "ssh", "git", "file"].map((name) => `protocol.${name}.allow=always`),
  ...["submodule.recurse=false", "fetch.recurseSubmodules=false", "fetch.unpackLimit=1"],
  ...["gc.auto=0", "maintenance.auto=false", "fetch.writeCommitGraph=false"],
  ...["transfer.fsckObjects=true", "fetch.fsckObjects=true"],
  // Faults of old commits, which say nothing of the files.
  ...[
    "missingSpaceBeforeDate",
    "missingEmail",
    "missingNameBeforeEmail",
    "badTimezone",
    "zeroPaddedFilemode",
  ].map((fault) => `fetch.fsck.${fault}=ignore`),
];

/** Wins over a repository's own attributes: `git archive` leaves nothing out and changes no byte. */
const ATTRIBUTES = "* -export-ignore -export-subst -text -eol -ident -filter -working-tree-encoding\n";

type CommandOptions = Partial<Pick<ProgramOptions, "signal" | "read">>;

export type Git = Awaited<ReturnType<typeof openGit>>;

/** A bare repository of our own, with git as the user has set it up. */
export async function openGit(place: FetchPlace, source: GitSource) {
  const folder = join(place.scratch, "git");
  const start = async (words: readonly string[], options: CommandOptions): Promise<Ran> => {
    const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
    const ran = await runProgram(requireProgram("git", place.env), [...settings, ...words], {
      cwd: place.scratch,
      env: gitEnvironment(place),
      signal: place.signal,
      mayAsk: place.mayAsk,
      ...options,
    });
    throwIfAborted(place.signal);
    return { ...ran, stderr: withoutSecrets(ran.stderr, source) };
  };
  const requireDone = ({ code, stdout, stderr }: Ran): string => {
    if (code === 0) return stdout;
    throw gitFailure(stderr, publicName(source));
  };
  const inFolder = `--git-dir=${folder}`;
  requireDone(await start(["init", "--quiet", "--bare", "--template=", "--", folder], {}));
  mkdirSync(join(folder, "info"), { recursive: true });
  writeFileSync(join(folder, "info", "attributes"), ATTRIBUTES);
  return {
    /** The output of a command; its failure as an error for people. */
    run: async (words: readonly string[], options: CommandOptions = {}): Promise<string> =>
      requireDone(await start([inFolder, ...words], options)),
    /** Whether a fetch succeeded. What a server sends is measured while it comes. */
    tryFetch: async (words: readonly string[]) => {
      const stop = new AbortController();
      const pack = join(folder, "objects", "pack");
      const watch = setInterval(() => {
        if (folderBytes(pack) > SOURCE_LIMITS.downloadBytes) stop.abort();
      }, 200);
      try {
        const { code, stderr } = await start(
          [
            ...[inFolder, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules"],
            ...["--no-write-fetch-head", ...words],
          ],
          { signal: AbortSignal.any([stop.signal, place.signal]) },
        );
        if (stop.signal.aborted || folderBytes(pack) > SOURCE_LIMITS.downloadBytes)
          throw tooLarge(`${publicName(source)} has`, SOURCE_LIMITS.downloadBytes);
        return { ok: code === 0, stderr };
      } finally {
        clearInterval(watch);
      }
    },
  };
}

function gitEnvironment({ env, mayAsk }: Pick<FetchPlace, "env" | "mayAsk">): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^GIT_/i.test(name) || KEPT.test(name));
  return {
    ...Object.fromEntries(kept),
    // Its messages are read; and nothing is replaced by large files from elsewhere.
    LC_ALL: "C",
    LANGUAGE: "C",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    ...(mayAsk ? {} : { GIT_TERMINAL_PROMPT: "0", GCM_INTERACTIVE: "never" }),
  };
}

function folderBytes(folder: string): number {
  let sum = 0;
  for (const name of readdirSync(folder))
    sum += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return sum;
}
