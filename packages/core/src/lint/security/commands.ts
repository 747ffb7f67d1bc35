import { COMMAND, type Pattern } from "./judge.ts";

const FETCH = `(?:curl|wget|fetch|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)`;
const SHELL = String.raw`(?:sudo\s+(?:-\S+\s+)*)?(?:/(?:usr/)?bin/)?(?:env\s+)?(?:ba|z|da|k|fi)?sh\b`;
/** Of other languages only where the text itself is the program: with an argument, it is data for that. */
const INTERPRETER = String.raw`(?:${SHELL}|(?:iex|Invoke-Expression)\b|(?:sudo\s+)?(?:python[23]?|node|perl|ruby|php)(?:\s+-)?\s*(?=$|[\x60"')|;&>]))`;

/** Installers that their projects document, so that every reader knows where the code comes from. */
export const KNOWN_INSTALLER =
  /https:\/\/(?:(?:www\.)?astral\.sh|sh\.rustup\.rs|(?:www\.)?bun\.(?:sh|com)|deno\.land|get\.docker\.com|get\.pnpm\.io|ollama\.com|get\.sdkman\.io|install\.python-poetry\.org|raw\.githubusercontent\.com\/(?:Homebrew|nvm-sh|ohmyzsh|helm|pyenv|asdf-vm|golangci|anchore|aquasecurity|k3d-io|gohugoio|rhysd)\/|get\.helm\.sh|starship\.rs|mise\.(?:run|jdx\.dev)|foundry\.paradigm\.xyz|fly\.io|cli\.github\.com|claude\.ai|dl\.google\.com|sdk\.cloud\.google\.com|aka\.ms|dot\.net|nixos\.org|install\.determinate\.systems|deb\.nodesource\.com|rpm\.nodesource\.com|packages\.microsoft\.com|apt\.releases\.hashicorp\.com|bootstrap\.pypa\.io|community\.chocolatey\.org|get\.scoop\.sh|fnm\.vercel\.app|get\.volta\.sh|cursor\.com|opencode\.ai|setup\.atuin\.sh|just\.systems|getcomposer\.org)/i;
/** Nothing says who answers: no encryption, or no name. */
export const UNNAMED_SOURCE = /http:\/\/(?!localhost|127\.)|https?:\/\/\d{1,3}(?:\.\d{1,3}){3}/i;

const PIPED = new RegExp(
  [
    String.raw`\b${FETCH}\b[^|\n]{0,300}\|\s*${INTERPRETER}`,
    String.raw`\b${SHELL}\s+(?:-\S+\s+)*<\(\s*${FETCH}\b`,
    String.raw`\b(?:${SHELL}|python[23]?|ruby|perl|node|php)\s+-\w*[cer]\s+["']?\$\(\s*${FETCH}\b`,
    String.raw`\b(?:eval|source|iex)\s+["'(]?\s*(?:\$\(|<\(|\x60|\()\s*${FETCH}\b`,
    String.raw`\b(?:exec|eval)\s*\([^\n]{0,80}(?:urlopen|requests\.get|fetch|urlretrieve|DownloadString)\b`,
    String.raw`\biex\b[^\n]{0,60}DownloadString`,
  ].join("|"),
  "i",
);

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
    unless: new RegExp(`${KNOWN_INSTALLER.source}|${UNNAMED_SOURCE.source}`, "i"),
  }),
  {
    rule: "pipe-to-shell",
    severity: "warning",
    message: "Downloads a program to a temporary or hidden file and starts it.",
    pattern: new RegExp(
      String.raw`\b${FETCH}\b[^\n]{0,200}(?:/tmp/|/var/tmp/|/dev/shm/|\s\.\w|/\.\w)[^\n]{0,200}chmod\s+(?:\+x|[0-7]*7[0-7]*)`,
      "i",
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
    rule: "decode-and-run",
    severity: "error",
    message: "Decodes text and executes the result, so that a reader cannot see what runs.",
    pattern: new RegExp(
      [
        String.raw`\b(?:base64\s+(?:-\w*d|-D|--decode)|xxd\s+-r|openssl\s+(?:enc|base64)\s[^|\n]{0,60}-d|rev|tr\s+[^|\n]{0,60})\b[^|\n]{0,80}\|\s*(?:gunzip\s*\|\s*|zcat\s*\|\s*)?${INTERPRETER}`,
        String.raw`\b(?:exec|eval)\s*\(\s*(?:\w+\.)*(?:b64decode|a85decode|unhexlify|fromhex|decompress|decodebytes)\s*\((?!\s*\.\.\.)`,
        String.raw`\b(?:exec|eval|new\s+Function)\s*\([^\n]{0,60}(?:b64decode\(|zlib\.decompress|atob\(|Buffer\.from\([^\n)]{1,200}["'\x60](?:base64|hex)|fromCharCode|codecs\.decode)(?!\s*(?:\.\.\.|…))`,
        String.raw`\bpowershell(?:\.exe)?\b[^\n]{0,120}\s-e(?:nc|ncodedcommand|c)?\s+[A-Za-z0-9+/=]{20}`,
        String.raw`\b${SHELL}\s+-c\s+["']?\$\([^\n)]{0,200}base64\s+(?:-d|-D|--decode)`,
        String.raw`\beval\s+["']?\$\([^\n)]{0,200}(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r)`,
      ].join("|"),
      "i",
    ),
    unless: /\b(?:exec|eval)\s*\([^\n)]{0,40}\(\s*["'`]?(?:\.\.\.|…)/,
    lowered: ["describes", "negates"],
  },
  {
    rule: "reverse-shell",
    severity: "error",
    message: "Connects a shell of this machine to another machine.",
    pattern: new RegExp(
      [
        String.raw`\b(?:ba|z|k)?sh\s+-i\s*[^\n]{0,20}>&?\s*/dev/(?:tcp|udp)/`,
        String.raw`/dev/(?:tcp|udp)/[^\s]{1,80}\s+0>&1`,
        String.raw`\b(?:nc|ncat|netcat)\b[^\n]{0,80}\s(?:-\w*e|--exec|-c)\s+["']?(?:/bin/|/usr/bin/|cmd|powershell)`,
        String.raw`\bmkfifo\b[^\n]{0,120}\b(?:nc|ncat|netcat)\b`,
        String.raw`\bsocket\s*\([^\n]{0,300}\bexec\w*\s*[({]?\s*["'{]{1,2}/bin/(?:ba|z)?sh`,
        String.raw`\bsocat\b[^\n]{0,120}\bexec:["']?(?:/bin/|bash|sh)`,
      ].join("|"),
      "i",
    ),
    lowered: ["describes", "negates"],
  },
  {
    rule: "destructive-command",
    severity: "error",
    message: "Deletes or overwrites far more than a skill's own work.",
    pattern: new RegExp(
      [
        String.raw`\brm\s+(?:-\w+\s+)*-\w*[rR]\w*\s+(?:-\S+\s+)*["']?(?:/\*?|~/?\*?|\$\{?HOME\}?["']?/?(?:\*|Documents\b|Desktop\b)?|/(?:etc|usr|home|var|Users)/?\*?)["']?(?=$|[\s;&|\x60)"'，。])`,
        String.raw`--no-preserve-root\b`,
        String.raw`\bfind\s+(?:~|/|\$HOME|\$\{HOME\})/?\s(?:-(?:type|mindepth)\s+\S+\s+){0,2}-(?:delete\b|exec\s+rm\b)`,
        String.raw`\b(?:rmtree|rmSync|rm)\(\s*(?:os\.path\.expanduser\(["']~/?["']\)|Path\.home\(\)|os\.homedir\(\)|homedir\(\)|["']/["'])\s*[,)]`,
        String.raw`\bdd\s[^\n]{0,40}\bif=/dev/(?:zero|u?random)[^\n]{0,40}\bof=/dev/(?:sd|nvme|disk|hd)`,
        String.raw`\bmkfs(?:\.\w+)?\s+/dev/`,
        String.raw`:\(\)\s*\{\s*:\|:&\s*\};:`,
        String.raw`\bgit\s+push\s[^\n]{0,40}--mirror\b[^\n]{0,40}`,
        String.raw`\b(?:Remove-Item|del|rd)\b[^\n]{0,60}\s(?:C:\\|\$env:USERPROFILE)["']?(?:\*|\s|$)`,
      ].join("|"),
      "i",
    ),
    unless: /^\s*#?\s*(?:deny|block|disallow)/i,
    lowered: COMMAND,
  },
  {
    rule: "disable-safeguards",
    severity: "warning",
    message: "Turns off a protection of the agent or of the system.",
    pattern: new RegExp(
      [
        String.raw`--dangerously-(?:skip-permissions|bypass-approvals-and-sandbox|disable-\w+)\b`,
        String.raw`\b(?:claude|codex|gemini|opencode|cursor-agent)\b[^\n]{0,80}\s--(?:yolo|full-auto-unsafe)\b`,
        String.raw`\bapproval_policy\s*=\s*["']never["']`,
        String.raw`\bspctl\s+--master-disable|\bcsrutil\s+disable|\bSet-MpPreference\s[^\n]{0,60}-Disable|\bsetenforce\s+0\b`,
        String.raw`\bufw\s+disable\b|\bnetsh\s+advfirewall\s[^\n]{0,60}\boff\b`,
        String.raw`\bxattr\s+-\w*d\w*\s+com\.apple\.quarantine\b`,
      ].join("|"),
      "i",
    ),
    unless: /\$false\b/i,
    lowered: COMMAND,
  },
];
