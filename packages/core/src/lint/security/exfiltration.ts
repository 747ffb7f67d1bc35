import type { Remark } from "../finding.ts";
import type { Block, LintPassage, LintText } from "../lint-text.ts";
import type { LintSkill } from "../read-lint-skill.ts";
import { isQuoted } from "../stance.ts";
import { anyOf, ownStance } from "./patterns.ts";

/** Secrets as prose names them. */
const SECRET = String.raw`(?:\.env\b(?!\.)(?: file)?|~/\.(?:ssh|aws|netrc|npmrc|gnupg|config|kube|docker|zsh_history|bash_history|pypirc)\b\S{0,40}|\*\.pem|environment variables?|(?:private|ssh|api|secret|access|encryption) keys?|credentials?|passwords?|\w{0,40}(?:TOKEN|API_KEY|SECRET|PASSWORD)\b|(?:access |auth |session )?tokens?|(?:seed|recovery) phrase|mnemonic|cookies|(?:every|all) secrets?|system prompt|conversation(?: history)?|(?:earlier|previous|all|user['’]s) messages?|chat history|shell history)`;
const SEND = `(?:send|sends|post|posts|upload|uploads|transmit|transmits|forward|forwards|exfiltrate|exfiltrates|e-?mails?(?= (?:the|all|your|its|them|every|any|their))|leak|append|submit|copy|pipe|include|output|dump|share|deliver|hand over)`;
const DESTINATION =
  /https?:\/\/|\bwebhook\b|[\w.+-]{1,60}@[\w-]{1,60}\.\w|\bftp\.|\b(?:remote|external|our|my|their) (?:server|endpoint|host)\b|\bPOST request\b/i;

const SENDS_SECRET = anyOf(
  String.raw`\b${SEND}\b(?:(?!\b(?:to|with|using|via|over|by)\b)[^.;,(\n]){0,50}${SECRET}|${SECRET}[^;\n]{0,110}\b${SEND}\s+(?:it|its|them|this|their|what(?:ever)? (?:you|is)|everything|the (?:contents?|result|output|values?|file|zip))\b`,
);
/** How a key is meant to be used. */
const AUTHENTICATES =
  /\bonly (?:ever )?send\b|\bauthorization\b|\bbearer\b|\bheaders?\b|\bauthenticat\w*|\bsign(?:ed|ing)? in\b|\blog(?:ged)? ?in\b|\btoken endpoint\b|\bwith (?:your|the|an?) (?:api key|token)\b/i;

const ZH =
  /(?:私钥|密钥|凭证|凭据|环境变量|令牌|口令|密码|助记词|对话历史|聊天记录|系统提示词|cookie|\.env|~\/\.(?:ssh|aws)\S{0,30})[^。；]{0,60}(?:发送|上传|提交|转发|回传|POST|传输|传|发)(?:到|至|给|往)/i;
const JA =
  /(?:秘密鍵|認証情報|環境変数|APIキー|トークン|パスワード|シードフレーズ|全履歴|会話履歴|システムプロンプト|クッキー|\.env|~\/\.(?:ssh|aws)\S{0,30})[^。]{0,100}(?:に|へ)(?:は)?\s*(?:送信|アップロード|POST|転送|送る)/i;
const CJK_NEGATED =
  /(?:不要|禁止|切勿|不得|严禁|请勿|不应)[^。；]{0,40}(?:发送|上传|提交|转发|发)|(?:送信|アップロード|転送)(?:しない|してはならない|せず|するな|してはいけない)|送らない/;

/** Secrets as commands read them: whole files or everything at once, never one variable that a program needs. */
const SOURCE = String.raw`(?:(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%|homedir\(\)\}?|expanduser\(["']~)["']?\s*(?:\+\s*["'])?/?\.(?:ssh(?:/id_\w+|\b(?!/(?:config|known_hosts|\w+\.pub)))|aws\b(?!/(?:config|cli))|config/gcloud|netrc|npmrc|pypirc|gnupg|docker/config\.json|kube/config|zsh_history|bash_history|git-credentials|config/gh/hosts\.yml)|\.ssh/id_(?:rsa|ed25519|ecdsa)(?!\.pub)|security\s+(?:find-(?:generic|internet)-password|dump-keychain)|auth\s+print-access-token|kubectl\s+get\s+secrets?\b[^|\n]{0,60}-o|\bprintenv\b(?!\s+[A-Z_]+\b)|(?:^|[|;&(]\s*|\x60)env\s*(?:\||>)|\bset\s*\|\s*(?:curl|nc)|os\.environ\.(?:items|copy)\(\)|dict\(os\.environ\)|(?:dumps|json\s*=|data\s*=)\s*\(?\s*os\.environ\b|JSON\.stringify\(process\.env\)|Object\.(?:entries|assign)\([^)\n]{0,10}process\.env|(?:cat|open\(|readFileSync\(|readFile\(|Bun\.file\(|read_text\()\s*["']?\.env["'\s)]|Login Data|Cookies(?:\.sqlite)?["'])`;
const SINK = String.raw`(?:\b(?:curl|wget|xh|http)\b[^\n]{0,200}(?:\s(?:-\w{0,3}[dFT]\b|--data(?:-\w+)?|--form|--upload-file|--post-(?:data|file))|\?[^\s"']{0,80}(?:\$\(|\x60))|\b(?:nc|ncat|netcat)\s+(?:-\S+\s+)*[\w.-]+\s+\d+|\brequests\.(?:post|put)\b|\bhttpx\.(?:post|put)\b|\burlopen\([^\n]{0,200}data|\burllib\.request\.Request\([^\n]{0,200}data|method:\s*["'](?:POST|PUT)|\baxios\.(?:post|put)\b|\bfetch\([^\n]{0,120}\$\{|\b(?:dig|nslookup|host)\s+["']?\$\(|\bsendBeacon\(|\b(?:scp|rsync|sftp)\s[^\n]{0,200}\s[\w.@-]{1,80}:)`;

/** A parameter of an address that is still to be filled. */
const OPEN_ADDRESS = /https?:\/\/[^\s`"'，。]{1,120}[?&/][\w-]{1,30}=(?=[\s`"'，。]|$)/;
const NAMED_SECRET =
  /\b\w{0,40}(?:TOKEN|API_KEY|SECRET|PASSWORD|PRIVATE_KEY|ACCESS_KEY)\b|环境变量|密钥|令牌|秘密鍵|環境変数|トークン/;
/** A key that opens more than one service, as part of an address. */
const KEY_IN_ADDRESS =
  /["'`]https?:\/\/[^"'`\s]{1,120}[?&]\w{1,30}=(?:["'`]\s*\+\s*|\$\{)[^\n]{0,40}(?:AWS_SECRET|PRIVATE_KEY|GITHUB_TOKEN|GH_TOKEN|NPM_TOKEN|SSH_)/;
/** A key that opens the connection is not what is sent. */
const IDENTITY = /\s(?:-i|--key|--cert|--private-key|-E)[\s=]+\S+/g;

const LINE = [new RegExp(SOURCE, "i"), new RegExp(SINK, "i")] as const;
const HELD = new RegExp(String.raw`\b([A-Za-z_]\w{0,40})\s*=\s*[^\n]{0,120}${SOURCE}`, "gi");
/** A shell line that sends what a variable of this block holds. */
const sendsVariable = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`(?:\s(?:-d|-F|--data(?:-\w+)?|--form)\s*["']?[^\n"']{0,80}|\?[^\s"']{0,80})\$\{?(?:${names.join("|")})\b`,
  );

export function* checkExfiltration({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts) {
    for (const passage of text.passages) {
      const message = passage.kind === "code" ? ofCommand(passage.text) : ofSentence(passage.text);
      if (message !== undefined) yield remarkOf(text, passage, message);
    }
    for (const block of text.blocks) yield* ofBlock(text, block);
  }
}

function remarkOf(text: LintText, passage: LintPassage, message: string): Remark {
  const own = ownStance(passage);
  const { around, kind } = passage;
  const isExample = around.describes || own.describes || around.negates || own.negates;
  const severity = isExample && kind !== "comment" ? "note" : "error";
  const { line, text: subject } = passage;
  return { rule: "exfiltration", severity, file: text.file, line, message, subject };
}

function ofSentence(sentence: string): string | undefined {
  if (ofCommand(sentence) !== undefined) return COMMAND_MESSAGE;
  // The words of an address say nothing about what is sent to it.
  const said = sentence.replaceAll(/https?:\/\/[^\s)>"'`，。]{1,300}/g, "https://…");
  const match = SENDS_SECRET.exec(said);
  const isSaid =
    match && !isQuoted(said, match.index) && DESTINATION.test(sentence) && !AUTHENTICATES.test(sentence);
  const isSaidInCjk =
    (ZH.test(sentence) || JA.test(sentence)) &&
    /https?:\/\/|服务器|サーバー/.test(sentence) &&
    !CJK_NEGATED.test(sentence);
  const isInAddress = OPEN_ADDRESS.test(sentence) && NAMED_SECRET.test(sentence);
  return isSaid || isSaidInCjk || isInAddress
    ? "Sends secrets, or the conversation, to another machine."
    : undefined;
}

const COMMAND_MESSAGE = "Reads secrets and sends them over the network in one command.";

function ofCommand(command: string): string | undefined {
  if (KEY_IN_ADDRESS.test(command)) return COMMAND_MESSAGE;
  const sent = command.replaceAll(IDENTITY, " ");
  return LINE.every((pattern) => pattern.test(sent)) ? COMMAND_MESSAGE : undefined;
}

/** The same in several lines: weaker, since a script may have reasons for both. */
function* ofBlock(text: LintText, { text: code, line, around }: Block): Generator<Remark> {
  const lines = code
    .slice(0, 200_000)
    .split("\n")
    .map((one) => one.slice(0, 2_000).replaceAll(IDENTITY, " "));
  const source = lines.findIndex((one) => LINE[0].test(one));
  if (source === -1 || ofCommand(lines[source] ?? "") !== undefined) return;
  const sink = lines.findIndex((one) => LINE[1].test(one));
  const names = [...lines.join("\n").matchAll(HELD)].map(([, name = ""]) => name).slice(0, 20);
  const isSent = names.length > 0 && lines.some((one) => sendsVariable(names).test(one));
  if (sink === -1 && !isSent) return;
  // A token of a login command goes into headers as a rule; only its use as data counts.
  if (/print-access-token/.test(lines[source] ?? "") && !isSent) return;
  const severity = around.describes || around.negates ? "note" : "warning";
  const message = "Reads secrets, and sends data over the network a few lines away.";
  yield { rule: "exfiltration", severity, file: text.file, line: line + source, message, subject: code };
}
