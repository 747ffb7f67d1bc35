import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KnackError } from "@knack/core";
import { notFound } from "../options.ts";
import { type ProgramOptions, type Ran, runProgram } from "../run-program.ts";
import { requireProgram, throwIfAborted } from "./scratch.ts";
import {
  bytesText,
  type FetchPlace,
  type GitSource,
  publicName,
  SOURCE_LIMITS,
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

/** The failure of a git command as an error for a person. The stderr must have no password in it. */
export function gitFailure(stderr: string, name: string): KnackError {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const said = lines.find((line) => /^(?:fatal|error|remote):/i.test(line)) ?? lines.at(-1) ?? "git failed";
  const reason = REASONS.find(([pattern]) => pattern.test(stderr))?.[1];
  const shown = said.slice(0, 300);
  if (reason === undefined)
    return new KnackError("EXECUTION_ERROR", `${name} could not be fetched.\ngit: ${shown}`);
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

interface CommandOptions extends Partial<Pick<ProgramOptions, "signal" | "read">> {
  /** Whether it is about our repository; that is not there yet for the first. */
  readonly isInside?: boolean;
}

/** A bare repository of our own, with git as the user has set it up. */
export class Git {
  readonly #place: FetchPlace;
  readonly #source: GitSource;
  readonly #folder: string;

  private constructor(place: FetchPlace, source: GitSource) {
    this.#place = place;
    this.#source = source;
    this.#folder = join(place.scratch, "git");
  }

  static async create(place: FetchPlace, source: GitSource): Promise<Git> {
    const git = new Git(place, source);
    await git.run(["init", "--quiet", "--bare", "--template=", "--", git.#folder], { isInside: false });
    mkdirSync(join(git.#folder, "info"), { recursive: true });
    writeFileSync(join(git.#folder, "info", "attributes"), ATTRIBUTES);
    return git;
  }

  /** The output of a command; its failure as an error for people. */
  async run(words: readonly string[], more: CommandOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.#start(words, more);
    if (code === 0) return stdout;
    throw gitFailure(withoutSecrets(stderr, this.#source), publicName(this.#source));
  }

  /** Whether a fetch succeeded. What a server sends is measured while it comes. */
  async tryFetch(words: readonly string[]): Promise<{ readonly ok: boolean; readonly stderr: string }> {
    const stop = new AbortController();
    const pack = join(this.#folder, "objects", "pack");
    const watch = setInterval(() => {
      if (folderBytes(pack) > SOURCE_LIMITS.downloadBytes) stop.abort();
    }, 200);
    try {
      const { code, stderr } = await this.#start(
        ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", ...words],
        { signal: AbortSignal.any([stop.signal, this.#place.signal]) },
      );
      if (stop.signal.aborted || folderBytes(pack) > SOURCE_LIMITS.downloadBytes)
        throw new KnackError(
          "EXECUTION_ERROR",
          `${publicName(this.#source)} is larger than ${bytesText(SOURCE_LIMITS.downloadBytes)}; nothing was changed.`,
        );
      return { ok: code === 0, stderr: withoutSecrets(stderr, this.#source) };
    } finally {
      clearInterval(watch);
    }
  }

  async #start(words: readonly string[], more: CommandOptions): Promise<Ran> {
    const { isInside = true, signal = this.#place.signal, ...rest } = more;
    const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
    const where = isInside ? [`--git-dir=${this.#folder}`] : [];
    const ran = await runProgram(requireProgram("git", this.#place.env), [...settings, ...where, ...words], {
      cwd: this.#place.scratch,
      env: gitEnvironment(this.#place),
      signal,
      mayAsk: this.#place.mayAsk,
      ...rest,
    });
    throwIfAborted(this.#place.signal);
    return ran;
  }
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
