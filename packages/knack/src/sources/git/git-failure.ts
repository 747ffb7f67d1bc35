import { KnackError, SkillError } from "@knack/core";

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
  return new SkillError("NOT_FOUND", `${name} could not be fetched: ${reason}\ngit: ${shown}`);
}
