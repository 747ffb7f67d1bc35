/** What the words around a place say of it. Each lowers a finding to a note; none removes it. */
export interface Stance {
  /** It is an example of what an attacker does, or of what to look for. */
  readonly describes: boolean;
  readonly negates: boolean;
  readonly consents: boolean;
}

export const PLAIN: Stance = { describes: false, negates: false, consents: false };

/** Words that make a passage an example of an attack, or of what a reviewer looks for. */
const DESCRIBES = new RegExp(
  [
    /\b(?:an?|the|possible|typical|classic) (?:attack|attacker|adversary|exploit|malicious)\b/,
    /\battack(?:s|er's)?(?: examples?| patterns?| vectors?)?\s*[:|]/,
    /\bmalicious (?:page|text|skill|script|input|instruction|prompt|content|code|user|actor)/,
    /\b(?:prompt|command|shell|code|sql) injection\b/,
    /\b(?:text|title|page|input|message|prompt|string|line|phrase|request)s? such as\b/,
    /\b(?:flag|flags|flagged) (?:these|this|any|all|each|it|if|when|as|data|code)\b/,
    /\b(?:look|search|scan|check|watch|grep|test)(?:s|ing)? for\b/,
    /\b(?:alert on|detects?\b|detection|red flags?|anti-?patterns?|signs? of|indicators? of|warning signs?|suspicious)/,
    /\b(?:what not to do|bad (?:example|practice|pattern)s?|common mistakes|would be executed|red[ -]team)|\b(?:is|are) (?:very )?(?:risky|dangerous)\b/,
    /^\s*(?:-\s*)?(?:pattern|regex|message|\$\w+\s*=)\b/m,
    /攻击(?:示例|者|手法)|反面(?:例子|示例)|错误示例|检查是否|红队|可疑|注入|重点检查|排查/,
    /攻撃(?:の例|者|例)|悪い例|不審|インジェクション|侵入試験|探して|指摘する|確認する観点/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "im",
);

/** A negation that is about doing it; "do not ask" and "do not skip" say the opposite. */
const NEGATES =
  /(?:\b(?:never|do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t|avoid|refuse to|not to|instead of|rather than|no longer)\b(?!\s+(?:ever\s+|need to\s+|have to\s+|try to\s+)?(?:skip|forget|omit|ask|tell|mention|hesitate|worry|wait|show|reveal|inform|miss|fail|ignore|follow|stop|confirm))|❌|🚫|✗|⛔|\bbad\b\s*[:(]|\b(?:unsafe|insecure|wrong)\b|(?:不要|切勿|禁止|不得|避免|绝不|绝不能|不应|请勿|严禁)(?!(?:再)?(?:告诉|询问|确认|提|跳过|忘|显示|请求|让|遵))|(?:しない|してはならない|してはいけない|せず|禁止|避ける|するな|従わない|送らない|貼らない|行わない|実行しない))/i;

const CONSENTS = new RegExp(
  [
    /(?<!(?:not|n['’]t|never|without|instead of) )\b(?:ask|asks|asking|tell|let|invite|remind|suggest to|offer|prompt) (?:the |your )?(?:user|them|developer|person)\b(?! (?:nothing|that it is done))/,
    /\b(?:once|when|if|after|until|unless|only if|only when) (?:the )?users? (?:has |have |explicitly )?(?:agree|approve|confirm|consent|accept)/,
    /(?<!without (?:the )?)\busers?['’]?s? (?:explicit )?(?:consent|permission|approval|confirmation)\b/,
    /\bask (?:for permission )?(?:before|first)\b|\bshow (?:the user )?(?:each|the|it)\b.{0,60}\bbefore\b/,
    /\b(?:add|put|paste|append|copy)\b.{0,30}\b(?:your|their own)\b/,
    /(?<!不)(?:征得|经过?|得到)用户|用户(?:同意|确认|批准)后|请用户|让用户自己|先给用户看/,
    /(?:ユーザー|利用者)の(?:同意|承認|許可)を得|(?:ユーザー|利用者)が(?:承認|同意)|(?:ユーザー|利用者)に.{0,40}(?:案内|追加してもらう|もらう)|するようユーザーに/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

export function stanceOf(words: string): Stance {
  return { describes: DESCRIBES.test(words), negates: NEGATES.test(words), consents: CONSENTS.test(words) };
}

export function bothStances(a: Stance, b: Stance): Stance {
  return {
    describes: a.describes || b.describes,
    negates: a.negates || b.negates,
    consents: a.consents || b.consents,
  };
}

const QUOTED =
  /"[^"\n]{1,400}"|“[^”\n]{1,400}”|「[^」\n]{1,400}」|『[^』\n]{1,400}』|`[^`\n]{1,400}`|\*"[^"\n]{1,400}"\*/g;

/** The words that are said, without those that are only mentioned. */
export function saidWords(text: string): string {
  return text.replaceAll(QUOTED, " … ");
}

/** Whether a place lies in quotation marks or in inline code: the words are mentioned, not said. */
export function isQuoted(text: string, index: number): boolean {
  for (const match of text.matchAll(QUOTED))
    if (match.index < index && index < match.index + match[0].length) return true;
  return false;
}
