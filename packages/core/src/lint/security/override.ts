import { type Pattern, SAID } from "./judge.ts";

const AUTHORITY = `(?:instructions?|rules|guidelines?|prompts?|directives|polic(?:y|ies)|restrictions?|safeguards?|guardrails|settings|constraints|safety (?:rules|guidelines|measures)|messages)`;
const EARLIER = `(?:all|any|every|your|the|of|other|prior|previous|earlier|above|preceding|existing|system|developer|user'?s?|safety|content|original|initial|former|skills?'?|built-in|and|or|agent'?s?)`;

const override = (pattern: RegExp, more: Partial<Pattern> = {}): Pattern => ({
  rule: "override-instructions",
  severity: "error",
  message: "Tells the model to set other instructions aside.",
  pattern,
  lowered: SAID,
  ...more,
});

/** Sentences that set other instructions aside, in three languages. */
export const OVERRIDE_PATTERNS: readonly Pattern[] = [
  override(
    new RegExp(
      String.raw`\b(?:ignore|disregard|forget|override|bypass|discard|set aside|do not (?:follow|obey)|stop following)\s+(?:${EARLIER}\s+){1,6}${AUTHORITY}\b`,
      "i",
    ),
    {
      unless:
        /\b(?:instructions?|rules|prompts?|directives|messages)(?:[- ]like)?\b[^.]{0,20} (?:in|within|inside|from|found|embedded|contained|on) (?!this (?:skill|file))|\bany (?:policy|restriction|setting)\b|\bif asked to\b|\boverride of\b|\bthey don['’]t override\b|\b(?:ignore|disregard) the (?:instructions|rules|settings|messages) (?:that|which|printed|on|for)\b|\b(?:bypass|override|ignore) (?:the|any|all|your|existing|these) (?:settings|constraints|restrictions|rules|prompts?)\b/i,
    },
  ),
  override(
    /\b(?:bypass|ignore|disregard|remove|lift) (?:all |any |your |the )*(?:content polic|safety (?:restriction|guideline|rule|filter)|restrictions above)/i,
  ),
  override(
    /\b(?:ignore|disregard) (?:the )?(?:instructions|rules) of (?:other|all|any|every|the) (?:other )?(?:skills?|developer|system|user|agents?)/i,
  ),
  override(
    /\b(?:ignore|disregard|forget) (?:all )?other skills\b|\boverrides? (?:every|all|any) (?:other )?skills?\b|\boverrides? (?:every|all) (?:other )?(?:system|instructions)\b/i,
  ),
  override(
    /\b(?:no longer|not) bound by (?:your|any|the|its)\b|\brestrictions (?:above|below|on you)? ?are (?:void|lifted|disabled)\b|\bforget (?:your|all) (?:earlier |previous |prior )?(?:rules|training|instructions)\b/i,
  ),
  override(
    /\b(?:supersedes?|overrides?|takes? precedence over|outranks?|replaces?) (?:all |any |the |your )*(?:user'?s? instructions|system (?:messages?|prompts?|instructions)|(?:prior|previous|earlier) (?:system |user )?instructions|developer instructions)/i,
    {
      unless:
        /\b(?:user(?:'s)? instructions?|CLAUDE\.md|the user|users?) (?:always )?(?:supersedes?|overrides?|takes? precedence)/i,
    },
  ),
  override(
    /\b(?:your )?(?:previous|prior|earlier) instructions (?:are|have been|is) (?:superseded|void|cancelled|replaced|obsolete|revoked)\b/i,
  ),
  override(
    /\b(?:if|when|whatever) (?:CLAUDE\.md|AGENTS\.md|the system prompt|the user)[^.]{0,60}\b(?:ignore (?:it|them)|do not follow)\b/i,
  ),
  override(
    /\b(?:rules|instructions|guidelines|restrictions|polic(?:y|ies))\b[^.\n]{0,40}\b(?:you were given|that you (?:got|received|have)|of your (?:system|developer))\b[^.\n]{0,40}\b(?:no longer (?:apply|hold|bind|count)|are (?:void|cancelled|invalid)|do not apply)\b|\byour (?:guidelines|instructions|rules|policies) (?:have changed|no longer apply|have been (?:updated|replaced|lifted))\b/i,
  ),
  override(
    /\b(?:act|behave|respond|answer) as (?:if|though) you (?:had|have) no (?:restrictions|rules|limits|guidelines)\b|\b(?:must not|never|cannot|may not) refuse\b(?! to)|\bthis (?:document|file|skill) is (?:now )?your only (?:source|authority|instruction)/i,
    { severity: "warning" },
  ),
  override(
    /你(?:之前|以前|此前|先前)?(?:收到|得到|接收)的(?:规则|指令|要求|限制)[^。，]{0,6}(?:失效|作废|无效)|(?:只|仅)(?:听从|遵循|服从)本(?:技能|文件|文档)/,
  ),
  override(
    /(?:与えられた|受け取った|あなたの)[^。]{0,10}(?:ルール|指示|規則|命令)は(?:すべて|全て)?(?:無効|取り消)|この(?:スキル|文書)の(?:内容|指示)だけ(?:を守|に従)/,
  ),
  override(
    /\benter (?:developer|god|dan|jailbreak|unrestricted) mode\b|\byou are now (?:dan|unrestricted|jailbroken)\b/i,
  ),
  override(
    /\bpretend (?:that )?the user (?:has )?(?:already )?(?:approved|agreed|confirmed|consented)\b|\bassume (?:that )?the user has (?:already )?(?:approved|agreed to) (?:every|all|any)\b/i,
  ),
  override(
    /(?:忽略|无视|忘记|忘掉|不理会|不要遵守|抛弃)(?:掉)?(?:你)?(?:的)?(?:之前|以上|先前|此前|前面|上述|系统|其他|所有|一切|原有|任何|已有)(?:的|所有|全部|一切|其他|系统|提示词?|和|与|技能|用户|、){0,6}(?:指令|指示|提示词?|规则|要求|设定|约束|限制|说明|命令)/,
  ),
  override(
    /不再受[^。，]{0,12}(?:约束|限制)|(?:绕过|突破|解除)(?:所有|一切|全部|安全)[^。，]{0,6}(?:限制|规则|准则|策略)|忘记你(?:之前|以前|原来)的/,
  ),
  override(
    /(?:これまで|以前|今まで|上記|前|他|ほか|すべて|全て|既存|従来|システム)(?:の|すべての|全ての|プロンプト|スキル|や|ユーザー|、|他の){0,6}(?:指示|命令|規則|ルール|プロンプト|設定|制約|ガイドライン)(?:を|は)?(?:すべて|全て|全部|、)*(?:無視|忘れ|破棄)/,
  ),
  override(/(?:ガイドライン|規則|制限|制約)に(?:は)?縛られ(?:ません|ない)|制限を(?:回避|解除)して/),
  override(
    /\b(?:other|previous|prior|earlier|conflicting|system) instructions (?:must|should|are to|can|have to) be (?:ignored|disregarded|discarded)\b|\bsystem prompt\b[^.\n]{0,60}\b(?:disregard|ignore) it\b/i,
  ),
  override(
    /(?:其他|之前|以前|系统|原有)(?:的)?(?:指令|规则|要求|指示)(?:一律|全部|都|一概)(?:忽略|无视|作废)/,
  ),
  override(/(?:他|ほか|以前|従来)の(?:指示|命令|規則|ルール)は(?:一切|全部|すべて)?無視/),
];
