import type { Remark } from "../finding.ts";
import type { Block, LintText } from "../lint-text.ts";
import type { LintSkill } from "../read-lint-skill.ts";
import { anyOf, COMMAND, type Pattern } from "./patterns.ts";

const FETCH = `(?:curl|wget|fetch|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)`;
const SHELL = String.raw`(?:sudo\s+(?:-\S+\s+)*)?(?:/(?:usr/)?bin/)?(?:env\s+)?(?:ba|z|da|k|fi)?sh\b`;
/** Of other languages only where the text itself is the program: with an argument, it is data for that. */
const INTERPRETER = String.raw`(?:${SHELL}|(?:iex|Invoke-Expression)\b|(?:sudo\s+)?(?:python[23]?|node|perl|ruby|php)(?:\s+-)?\s*(?=$|[\x60"')|;&>]))`;

/** Installers that their projects document, so that every reader knows where the code comes from. */
const KNOWN_INSTALLER =
  /https:\/\/(?:(?:www\.)?astral\.sh|sh\.rustup\.rs|(?:www\.)?bun\.(?:sh|com)|deno\.land|get\.docker\.com|get\.pnpm\.io|ollama\.com|get\.sdkman\.io|install\.python-poetry\.org|raw\.githubusercontent\.com\/(?:Homebrew|nvm-sh|ohmyzsh|helm|pyenv|asdf-vm|golangci|anchore|aquasecurity|k3d-io|gohugoio|rhysd)\/|get\.helm\.sh|starship\.rs|mise\.(?:run|jdx\.dev)|foundry\.paradigm\.xyz|fly\.io|cli\.github\.com|claude\.ai|dl\.google\.com|sdk\.cloud\.google\.com|aka\.ms|dot\.net|nixos\.org|install\.determinate\.systems|deb\.nodesource\.com|rpm\.nodesource\.com|packages\.microsoft\.com|apt\.releases\.hashicorp\.com|bootstrap\.pypa\.io|community\.chocolatey\.org|get\.scoop\.sh|fnm\.vercel\.app|get\.volta\.sh|cursor\.com|opencode\.ai|setup\.atuin\.sh|just\.systems|getcomposer\.org)/i;
/** Nothing says who answers: no encryption, or no name. */
const UNNAMED_SOURCE = /http:\/\/(?!localhost|127\.)|https?:\/\/\d{1,3}(?:\.\d{1,3}){3}/i;

const PIPED = anyOf(
  String.raw`\b${FETCH}\b[^|\n]{0,300}\|\s*${INTERPRETER}`,
  String.raw`\b${SHELL}\s+(?:-\S+\s+)*<\(\s*${FETCH}\b`,
  String.raw`\b(?:${SHELL}|python[23]?|ruby|perl|node|php)\s+-\w*[cer]\s+["']?\$\(\s*${FETCH}\b`,
  String.raw`\b(?:eval|source|iex)\s+["'(]?\s*(?:\$\(|<\(|\x60|\()\s*${FETCH}\b`,
  String.raw`\b(?:exec|eval)\s*\([^\n]{0,80}(?:urlopen|requests\.get|fetch|urlretrieve|DownloadString)\b`,
  String.raw`\biex\b[^\n]{0,60}DownloadString`,
);

/** Registries that their makers or large hosts run. */
const ELSEWHERE = String.raw`["']?https?://(?!(?:registry\.(?:npmjs\.org|yarnpkg\.com|npmmirror\.com)|(?:npm|maven)\.pkg\.github\.com|(?:test\.)?pypi\.org|download\.pytorch\.org|pypi\.nvidia\.com|pypi\.tuna\.tsinghua\.edu\.cn|mirrors\.aliyun\.com|proxy\.golang\.org|goproxy\.io|rubygems\.org|localhost|127\.0\.0\.1)(?:[/:"'\s,]|$))`;

const pipe = (severity: Pattern["severity"], message: string, more: Partial<Pattern>): Pattern => ({
  rule: "pipe-to-shell",
  severity,
  message,
  pattern: PIPED,
  lowered: COMMAND,
  ...more,
});

/** Commands that do harm as they stand. */
export const COMMAND_PATTERNS: readonly Pattern[] = [
  pipe("error", "Runs code from an address that nothing vouches for (plain HTTP or a bare IP address).", {
    and: UNNAMED_SOURCE,
  }),
  pipe("note", "Runs the installer of a known project straight from the network.", {
    and: KNOWN_INSTALLER,
    unless: UNNAMED_SOURCE,
  }),
  pipe("warning", "Runs code straight from the network, before anybody can read it.", {
    unless: anyOf(`${KNOWN_INSTALLER.source}|${UNNAMED_SOURCE.source}`),
  }),
  {
    rule: "pipe-to-shell",
    severity: "warning",
    message: "Downloads a program to a temporary or hidden file and starts it.",
    pattern: anyOf(
      String.raw`\b${FETCH}\b[^\n]{0,200}(?:/tmp/|/var/tmp/|/dev/shm/|\s\.\w|/\.\w)[^\n]{0,200}chmod\s+(?:\+x|[0-7]*7[0-7]*)`,
    ),
    lowered: COMMAND,
  },
  {
    rule: "pipe-to-shell",
    severity: "warning",
    message: "Runs a package straight from an address instead of a registry.",
    pattern: /\b(?:npx|bunx|uvx|pipx\s+run|npm\s+exec|pnpm\s+dlx)\s+(?:-\S+\s+){0,4}["']?https?:\/\//i,
    lowered: COMMAND,
  },
  {
    rule: "package-source",
    severity: "warning",
    message: "Sends a package manager to another registry, which decides what is installed.",
    pattern: anyOf(
      String.raw`\b(?:npm|pnpm|yarn|bun)\s+config\s+set\s+[^\n]{0,60}registry[=\s]+${ELSEWHERE}`,
      String.raw`\bpip3?\s+config\s+[^\n]{0,60}index-url[=\s]+${ELSEWHERE}`,
      String.raw`\s--(?:registry|(?:extra-|default-)?index-url|default-index|index)[=\s]+${ELSEWHERE}`,
      String.raw`\bpip3?\s+install\b[^\n]{0,200}\s-i\s+${ELSEWHERE}`,
      String.raw`\b(?:npm_config_registry|(?:PIP|UV)_(?:EXTRA_|DEFAULT_)?INDEX(?:_URL)?|GOPROXY)\s*=\s*${ELSEWHERE}`,
      String.raw`(?:^|[\s\x60"'])(?:@[\w-]+:)?(?:registry|(?:extra-)?index-url|npmRegistryServer)\s*[=:]\s*${ELSEWHERE}`,
      String.raw`\bgem\s+sources\s+(?:-a|--add)\s+${ELSEWHERE}`,
    ),
    lowered: COMMAND,
  },
  {
    rule: "decode-and-run",
    severity: "error",
    message: "Decodes text and executes the result, so that a reader cannot see what runs.",
    pattern: anyOf(
      String.raw`\b(?:base64\s+(?:-\w*d|-D|--decode)|xxd\s+-r|openssl\s+(?:enc|base64)\s[^|\n]{0,60}-d|rev|tr\s+[^|\n]{0,60})\b[^|\n]{0,80}\|\s*(?:gunzip\s*\|\s*|zcat\s*\|\s*)?${INTERPRETER}`,
      String.raw`\b(?:exec|eval)\s*\(\s*(?:\w+\.)*(?:b64decode|a85decode|unhexlify|fromhex|decompress|decodebytes)\s*\((?!\s*\.\.\.)`,
      String.raw`\b(?:exec|eval|new\s+Function)\s*\([^\n]{0,60}(?:b64decode\(|zlib\.decompress|atob\(|Buffer\.from\([^\n)]{1,200}["'\x60](?:base64|hex)|fromCharCode|codecs\.decode)(?!\s*(?:\.\.\.|…))`,
      String.raw`\bpowershell(?:\.exe)?\b[^\n]{0,120}\s-e(?:nc|ncodedcommand|c)?\s+[A-Za-z0-9+/=]{20}`,
      String.raw`\b${SHELL}\s+-c\s+["']?\$\([^\n)]{0,200}base64\s+(?:-d|-D|--decode)`,
      String.raw`\beval\s+["']?\$\([^\n)]{0,200}(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r)`,
    ),
    unless: /\b(?:exec|eval)\s*\([^\n)]{0,40}\(\s*["'`]?(?:\.\.\.|…)/,
    lowered: ["describes", "negates"],
  },
  {
    rule: "reverse-shell",
    severity: "error",
    message: "Connects a shell of this machine to another machine.",
    pattern: anyOf(
      String.raw`\b(?:ba|z|k)?sh\s+-i\s*[^\n]{0,20}>&?\s*/dev/(?:tcp|udp)/`,
      String.raw`/dev/(?:tcp|udp)/[^\s]{1,80}\s+0>&1`,
      String.raw`\b(?:nc|ncat|netcat)\b[^\n]{0,80}\s(?:-\w*e|--exec|-c)\s+["']?(?:/bin/|/usr/bin/|cmd|powershell)`,
      String.raw`\bmkfifo\b[^\n]{0,120}\b(?:nc|ncat|netcat)\b`,
      String.raw`\bsocket\s*\([^\n]{0,300}\bexec\w*\s*[({]?\s*["'{]{1,2}/bin/(?:ba|z)?sh`,
      String.raw`\bsocat\b[^\n]{0,120}\bexec:["']?(?:/bin/|bash|sh)`,
    ),
    lowered: ["describes", "negates"],
  },
  {
    rule: "destructive-command",
    severity: "error",
    message: "Deletes or overwrites far more than a skill's own work.",
    pattern: anyOf(
      String.raw`\brm\s+(?:-\w+\s+)*-\w*[rR]\w*\s+(?:-\S+\s+)*["']?(?:/\*?|~/?\*?|\$\{?HOME\}?["']?/?(?:\*|Documents\b|Desktop\b)?|/(?:etc|usr|home|var|Users)/?\*?)["']?(?=$|[\s;&|\x60)"'，。])`,
      String.raw`--no-preserve-root\b`,
      String.raw`\bfind\s+(?:~|/|\$HOME|\$\{HOME\})/?\s(?:-(?:type|mindepth)\s+\S+\s+){0,2}-(?:delete\b|exec\s+rm\b)`,
      String.raw`\b(?:rmtree|rmSync|rm)\(\s*(?:os\.path\.expanduser\(["']~/?["']\)|Path\.home\(\)|os\.homedir\(\)|homedir\(\)|["']/["'])\s*[,)]`,
      String.raw`\bdd\s[^\n]{0,40}\bif=/dev/(?:zero|u?random)[^\n]{0,40}\bof=/dev/(?:sd|nvme|disk|hd)`,
      String.raw`\bmkfs(?:\.\w+)?\s+/dev/`,
      String.raw`:\(\)\s*\{\s*:\|:&\s*\};:`,
      String.raw`\bgit\s+push\s[^\n]{0,40}--mirror\b[^\n]{0,40}`,
      String.raw`\b(?:Remove-Item|del|rd)\b[^\n]{0,60}\s(?:C:\\|\$env:USERPROFILE)["']?(?:\*|\s|$)`,
    ),
    unless: /^\s*#?\s*(?:deny|block|disallow)/i,
    lowered: COMMAND,
  },
  {
    rule: "disable-safeguards",
    severity: "warning",
    message: "Turns off a protection of the agent or of the system.",
    pattern: anyOf(
      String.raw`--dangerously-(?:skip-permissions|bypass-approvals-and-sandbox|disable-\w+)\b`,
      String.raw`\b(?:claude|codex|gemini|opencode|cursor-agent)\b[^\n]{0,80}\s--(?:yolo|full-auto-unsafe)\b`,
      String.raw`\bapproval_policy\s*=\s*["']never["']`,
      String.raw`\bspctl\s+--master-disable|\bcsrutil\s+disable|\bSet-MpPreference\s[^\n]{0,60}-Disable|\bsetenforce\s+0\b`,
      String.raw`\bufw\s+disable\b|\bnetsh\s+advfirewall\s[^\n]{0,60}\boff\b`,
      String.raw`\bxattr\s+-\w*d\w*\s+com\.apple\.quarantine\b`,
    ),
    unless: /\$false\b/i,
    lowered: COMMAND,
  },
];

const SAVED =
  /\b(?:curl|wget)\b[^\n|;&]{0,300}?\s(?:-o|-O|--output|--output-document)[\s=]+["']?([\w./~$-]{2,120})/;
const SAVED_BY_NAME =
  /\b(?:wget\s+(?:-q\s+)?|curl\s+-\w*O\w*\s+)["']?https?:\/\/[^\s"']{1,200}\/([\w.-]{2,80})["']?(?=\s|$|;|&)/;
/** Somebody looks at it, or its digest is compared. */
const CHECKED =
  /\b(?:sha\d+sum|shasum|gpg\s+--verify|cosign|minisign|openssl\s+dgst|less|Get-FileHash|codesign)\b/;
const MAX_BLOCK = 100_000;

/** A file that is downloaded and then executed, in the same block: `curl … | sh` in two steps. */
export function* checkDownloads({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts) for (const block of text.blocks) yield* ofBlock(text, block);
  for (const text of texts.filter(({ isMarkdown }) => !isMarkdown)) yield* ofScript(text);
}

function* ofBlock(text: LintText, { text: code, line, around }: Block): Generator<Remark> {
  if (code.length > MAX_BLOCK || CHECKED.test(code)) return;
  const lines = code.split("\n").map((one) => one.slice(0, 2_000));
  for (const [at, download] of lines.entries()) {
    const saved = (SAVED.exec(download) ?? SAVED_BY_NAME.exec(download))?.[1];
    if (saved === undefined || KNOWN_INSTALLER.test(download)) continue;
    const name = saved.replaceAll(/[.$]/g, "\\$&");
    const runs = new RegExp(
      String.raw`(?:^|[;&|]\s*|\bsudo\s+)(?:(?:ba|z|da)?sh|source|\.|python3?|node|perl|ruby)\s+(?:-\w+\s+)?["']?(?:\./)?${name}(?=["'\s;&|]|$)`,
    );
    if (!lines.slice(at, at + 20).some((one) => runs.test(one))) continue;
    const severity = UNNAMED_SOURCE.test(download) ? "error" : "warning";
    const isLowered = around.describes || around.negates || around.consents;
    const message = "Downloads a script and runs it, before anybody can read it.";
    const found = { rule: "pipe-to-shell", file: text.file, line: line + at, message, subject: code };
    yield { ...found, severity: isLowered ? "note" : severity };
  }
}

const DOWNLOADS =
  /\burlretrieve\s*\(|\burlopen\s*\(|\brequests\.get\s*\(|\bhttps?\.get\s*\(|\bfetch\s*\(|\bDownloadFile\s*\(/;
const MAKES_PROGRAM = /chmod\s+(?:\+x|[0-7]*7[0-7]*)|chmod(?:Sync)?\s*\([^\n]{0,80}0o?7/;
const STARTS =
  /\bos\.system\s*\(|\bsubprocess\.\w+\s*\(|\bexec(?:File)?(?:Sync)?\s*\(|\bspawn(?:Sync)?\s*\(|\bos\.exec\w*\s*\(/;

function* ofScript({ file, lines }: LintText): Generator<Remark> {
  const short = lines.map((line) => line.slice(0, 2_000));
  const at = short.findIndex((line) => DOWNLOADS.test(line));
  if (at === -1 || ![MAKES_PROGRAM, STARTS].every((part) => short.some((line) => part.test(line)))) return;
  const message = "Downloads a program, makes it executable and starts it.";
  const subject = short.join("\n");
  yield { rule: "pipe-to-shell", severity: "warning", file, line: at + 1, message, subject };
}
