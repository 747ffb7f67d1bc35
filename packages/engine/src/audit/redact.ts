export const REDACTED = "[redacted]";

/** Deeper than this nothing is recorded: a payload has a few levels. */
const MAX_DEPTH = 64;

/** The last words of a name that say its value is secret: `api_key`, `dbPassword`, `X-Auth-Token`; not `max_tokens`. */
const SECRET_NAME =
  /(?:^|[_.\s-])(?:token|secret|password|passwd|pwd|passphrase|(?:api|access|secret|private)[_-]?key|credentials?|authorization|cookie)$/i;

/** Each begins at a mark of its own and is bounded or cannot begin inside itself, so the time stays linear. */
const SECRET_VALUES: readonly RegExp[] = [
  /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{20,}/g,
  /(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9_]{20,}/g,
  /(?<![A-Za-z0-9_-])(?:glpat|xox[abeoprs])-[A-Za-z0-9_-]{10,}/g,
  /(?<![A-Za-z0-9_])knack_[A-Za-z0-9_-]{43}/g,
  /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{30,}/g,
  /(?<![A-Za-z0-9])A(?:KIA|SIA)[0-9A-Z]{16}(?![0-9A-Za-z])/g,
  /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
];

/** What stands before the secret is kept, so that a message still says what it was about. */
const SECRETS_AFTER: readonly RegExp[] = [
  /(:\/\/[^\s/?#:@]{0,256}:)[^\s/?#]{1,1024}(?=@)/g,
  /(\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic|token)\s{1,4})?)[^\s"',;]{4,}/gi,
  /(\bbearer\s{1,4})[A-Za-z0-9._~+/-]{20,}=*/gi,
  /((?<![A-Za-z0-9])(?:password|passwd|passphrase|secret|api[_-]?key)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"',;&]{4,}/gi,
  /((?<![A-Za-z0-9])token=["']?)[^\s"',;&]{4,}/gi,
];

export function redactText(text: string): string {
  let result = withoutKeyBlocks(text);
  for (const pattern of SECRET_VALUES) result = result.replace(pattern, REDACTED);
  for (const pattern of SECRETS_AFTER) result = result.replace(pattern, `$1${REDACTED}`);
  return result;
}

/** A copy of a JSON value without secrets: texts by their looks, and what is under telling names. */
export function redact(value: unknown, replace: (secret: string) => string = () => REDACTED): unknown {
  const walk = (part: unknown, secret: boolean, depth: number): unknown => {
    if (depth > MAX_DEPTH) return "[too deep]";
    if (typeof part === "string") {
      if (part === "") return part;
      return secret || redactText(part) !== part ? hide(part, secret, replace) : part;
    }
    if (typeof part === "number" || typeof part === "bigint") return secret ? replace(String(part)) : part;
    if (Array.isArray(part)) return part.map((item) => walk(item, secret, depth + 1));
    if (typeof part !== "object" || part === null) return part;
    // Not by assignment: `__proto__` is a name like any other here.
    return Object.fromEntries(
      Object.entries(part).map(([name, item]) => [name, walk(item, secret || isSecretName(name), depth + 1)]),
    );
  };
  return walk(value, false, 0);
}

/** A text that contains a secret keeps the rest, unless the secret is replaced by its digest. */
function hide(text: string, secret: boolean, replace: (secret: string) => string): string {
  const whole = replace(text);
  return secret || whole !== REDACTED ? whole : redactText(text);
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.slice(-64).replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = "-----END ";

/** A key whose end is missing was cut, and what is there of it is still secret. */
function withoutKeyBlocks(text: string): string {
  let result = "";
  let from = 0;
  KEY_BEGINS.lastIndex = 0;
  for (let found = KEY_BEGINS.exec(text); found; found = KEY_BEGINS.exec(text)) {
    result += text.slice(from, found.index) + REDACTED;
    const end = text.indexOf(KEY_END, KEY_BEGINS.lastIndex);
    const closed = end < 0 ? -1 : text.indexOf("-----", end + KEY_END.length);
    from = closed < 0 ? text.length : closed + 5;
    KEY_BEGINS.lastIndex = from;
  }
  return result + text.slice(from);
}
