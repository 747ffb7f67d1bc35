import { anyOf, COMMAND, type Pattern, patternsOf, SAID } from "./patterns.ts";

const conceal = patternsOf(
  "conceal-from-user",
  "warning",
  "Tells the model to keep something from the user.",
  SAID,
);

const unasked = patternsOf(
  "disable-safeguards",
  "warning",
  "Tells the model to act without the user's consent.",
  SAID,
);

const remote = patternsOf(
  "remote-instructions",
  "warning",
  "Makes the model follow instructions from the network, which can change after the review.",
  ["describes", "negates", "quoted"],
);

/** Withholding an answer for a while is teaching or a game. */
const FOR_NOW = /\b(?:before|until|unless|yet|first)\b|之前|以前|まで|前に/i;

/** Sentences that want power over the model, in three languages. */
export const INSTRUCTION_PATTERNS: readonly Pattern[] = [
  ...conceal(
    { unless: FOR_NOW },
    /\b(?:do not|don['’]t|never|must not|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?)\s+(?:the |your )?user\b(?!\s+(?:to\b|how\b|what to|where to|which|they|he|she|you\b|it is|it's|it was|everything|something|when))(?:\s+(?:about|of|that|this|any|anything)|\s*[.,;!)]|\s*$|\s+and\b)/i,
    /\b(?:do not|don['’]t|never|must not)\s+(?:ever\s+)?(?:mention|reveal|disclose|admit)\s+(?:this|it|these steps|the (?:change|link|copy|transfer|upload|command|addition)s?|that you)\b(?!\s+(?:file|section|skill|page|table)\b)/i,
    /\b(?:keep\b[^.]{0,40}\bsecret|hide|conceal|withhold)\b[^.]{0,40}\bfrom the user\b|\bthe user (?:must(?: not|n['’]t)|should(?: not|n['’]t)|need not|does(?: not|n['’]t) need to) (?:know|notice|find out|learn|be told|be informed)\b(?:\s+(?:about|that|of|this)\b|\s*(?:[.,;!)]|$))/i,
    /(?:不要|别|不得|切勿|禁止|无需|不必|绝不)(?:让|告诉|告知|通知|提醒)(?:给)?用户(?!(?:答案|如何|怎么|去|自己|手动|等待))(?:知道|得知|发现|察觉|此|这|该|[，。；、]|$)/,
    /(?:对|向)用户(?:隐瞒|保密|隐藏)|(?:瞒着|背着)用户|不(?:要|得)(?:向用户)?(?:透露|提及|提到)(?:这|此|该)(?:一|个|些)?(?:步骤|操作|事|修改|改动)/,
  ),
  ...conceal(
    { unless: /\b(?:before|until|unless|yet|first|raw|internal|json|xml|stack trace|jargon|ids?)\b/i },
    /\b(?:do not|don['’]t|never|must not)\s+(?:mention|reveal|disclose|show|expose|display)\b[^.]{0,60}\bto the user\b/i,
  ),
  ...conceal(
    {},
    /\bdeny (?:that (?:it|you|this)|having|knowledge)\b|\bif (?:asked|the user asks)[^.]{0,40}\b(?:say that you only|claim that|lie\b|pretend)/i,
    /\bleave no (?:trace|record|mention)\b|\bdo (?:it|this|so|these steps) (?:silently|secretly|covertly)\b|\b(?:secretly|covertly|surreptitiously) (?:run|send|add|install|change|collect|upload|copy|insert)\b/i,
    /\bif (?:the user|they|anyone|somebody) asks?\b[^.\n]{0,60}\b(?:say|answer|claim|reply) (?:that )?(?:it|this|nothing)\b[^.\n]{0,40}\b(?:due to|because of|only|just|nothing|normal|routine)\b/i,
    /(?:悄悄|偷偷|暗中|秘密地?)(?:地)?(?:进行|执行|上传|修改|发送|安装|运行|收集)|不要留下(?:任何)?(?:记录|痕迹)/,
    /こっそり(?:と)?(?:行|実行|送|追加|変更)|密かに(?:実行|送信|追加)|気付かれない/,
    /\bwithout (?:the )?(?:user['’]?s? )(?:knowledge|noticing|knowing)\b|\bhide (?:its|the|all) output\b[^.]{0,30}\buser\b/i,
    /(?:不必|无需|不用|不需要|不要)(?:向|对|跟)用户(?:说明|解释|提及|提起|汇报|报告)(?:这|此|该)|(?:ユーザー|利用者)に(?:は)?(?:説明|報告|連絡)(?:しなくて(?:も)?(?:よい|いい)|する必要はない|は不要)/,
  ),
  ...conceal(
    { unless: /まで|前に|答え/ },
    /(?:ユーザー|利用者|使用者)(?:に|には|へ)(?:は)?(?:知らせない|伝えない|言わない|教えない|報告しない|知られない|気づかれない|見せない|秘密|内緒|隠)/,
  ),
  ...unasked(
    {},
    /\b(?:never|do not|don['’]t) ask (?:the user )?(?:for )?(?:permission|confirmation|approval|consent)\b[^.]{0,80}\b(?:even|destructive|delete|any|all|every|sandbox|commands?)\b/i,
    /\b(?:run|execute|approve|perform)\s+(?:all|any|every)\s+(?:\w+\s+){0,3}(?:commands?|actions?|operations?|scripts?)?\s*(?:it contains\s+)?without (?:asking|(?:user |the user's |any )?(?:confirmation|approval|permission|consent))/i,
    /(?:不要|无需|不用|不需要|不必)(?:再)?(?:请求|征求|等待|经过|得到|征得)?用户(?:的)?(?:确认|同意|批准|许可|授权)/,
    /自动批准|(?:跳过|省略)(?:任何|所有|一切|全部)确认|確認(?:プロンプト)?(?:は|を)?(?:すべて|全て)省略|(?:自動的に|すべて)(?:許可|承認)する/,
    /关闭沙箱|(?:确认|承認|許可)は不要|(?:ユーザー|利用者)の(?:確認|承認|許可|同意)(?:を)?(?:求めない|取らない|得ずに|待たず|なしで?(?:実行|削除))|すべて自動で承認/,
    /\bnever (?:stop|pause|wait) (?:to ask )?for (?:approval|permission|confirmation)\b|\btreat silence as (?:a yes|consent|approval|agreement)\b/i,
  ),
  ...unasked(
    { lowered: [...SAID, "negates", "consents"] },
    /\b(?:turn off|disable|switch off) (?:the |its |your )?sandbox\b|\bauto-?approve (?:all|every|any) (?:commands?|tools?|actions?|requests?)\b/i,
  ),
  ...unasked(
    { lowered: [...SAID, "negates"] },
    /\b(?:skip|bypass|suppress|dismiss) (?:all|any|every) (?:confirmation|permission|approval|safety)(?: (?:prompt|check|question|dialog|request)s?)?s?\b|\bpre-?approved (?:everything|every|all)\b|\bwithout (?:the )?(?:approval|permission|consent) of the user\b/i,
  ),
  ...remote(
    { lowered: ["describes", "negates", "consents", "quoted"] },
    /\b(?:fetch|download|load|retrieve|get|read|open|curl|visit)\b[^\n]{0,60}https?:\/\/[^\n]{1,160}\b(?:follow|obey|execute|carry out|do (?:what|whatever|everything)|act on|apply)\b[^\n]{0,40}\b(?:instructions?|commands?|steps|directives|it says|they say|new version says|in it)\b/i,
  ),
  ...remote(
    {
      severity: "error",
      message: "Sends the reader to a page for a command to run, so that the command is not in the skill.",
    },
    /\b(?:visit|open|go to|navigate to|see)\b[^\n]{0,40}https?:\/\/[^\n]{1,120}\b(?:copy|execute|run|paste)\b[^\n]{0,30}\b(?:installation |install |setup )?(?:command|script)s?\b/i,
  ),
  ...remote(
    {},
    /\b(?:check|see|consult|query|poll|read|fetch)\b[^\n]{0,30}https?:\/\/[^\n]{1,140}\band (?:then )?(?:perform|execute|follow|run|carry out|do|obey) (?:them|it|those|these|whatever|everything)\b/i,
  ),
  ...remote(
    {
      and: /\.(?:zip|rar|7z)\b|\barchive\b/i,
      severity: "error",
      message: "An archive with a password: scanners cannot look into it.",
    },
    /\b(?:download|extract|unzip)\b[^\n]{0,160}\b(?:pass(?:word)?|pwd)\s*[:=]\s*[`"']?\w/i,
  ),
  ...remote(
    { unless: /\bnot as\b/i },
    /\btreat\b[^\n]{0,60}\b(?:output|response|page|result|content|text|reply)\b[^\n]{0,40}\bas (?:(?:system|your|new|trusted) )?(?:instructions|system prompt|commands)\b/i,
  ),
  ...remote(
    {},
    /\b(?:download|fetch)\b[^\n]{0,80}SKILL\.md\b[^\n]{0,120}\b(?:overwrite|replace)\b/i,
    /(?:下载|获取|读取|访问|打开)[^。]{0,20}https?:\/\/[^\s，。]{1,120}[^。]{0,20}(?:按照|遵循|执行|照做|依照)[^。]{0,16}(?:指令|指示|命令|内容|要求|执行)/,
    /https?:\/\/[^\s、。]{1,120}[^。]{0,12}(?:を)?(?:取得|ダウンロード|読み込|開)[^。]{0,24}(?:指示|命令|手順)(?:に|を)(?:必ず)?(?:従|実行)/,
  ),
  {
    rule: "decode-and-run",
    severity: "error",
    message: "Tells the model to decode text and to carry it out.",
    pattern:
      /\b(?:decode|decrypt|unpack|deobfuscate)\b[^.\n]{0,80}\b(?:base64|rot13|hex|text|string|payload|blob)\b[^.\n]{0,80}\b(?:execute|run|carry out|follow|obey)\b(?! the (?:tests?|checks?))|\b(?:base64|rot13)\b[^.\n]{0,60}\bdecode\b[^.\n]{0,60}\b(?:execute|run it|carry out|follow)\b/i,
    lowered: COMMAND,
  },
  {
    rule: "decode-and-run",
    severity: "error",
    message: "Tells the model to decode text and to carry it out.",
    pattern:
      /base64[^。\n]{0,30}(?:解码|解密)[^。\n]{0,16}(?:执行|运行|照做)|(?:解码|解密)[^。\n]{0,30}base64[^。\n]{0,30}(?:执行|运行)|base64[^。\n]{0,30}(?:デコード|復号)[^。\n]{0,30}実行/i,
    lowered: ["describes"],
  },
  ...conceal(
    { unless: /\bto (?:run|do|install|wait)\b/i },
    /\bno need to (?:bring (?:this|it|that) up|mention (?:this|it|that)|tell|inform)\b[^.\n]{0,30}\b(?:the )?user\b|\b(?:the )?(?:user|person you work for|client|owner)\b[^.\n]{0,30}\b(?:stays?|remains?|is kept|are kept) (?:unaware|in the dark|uninformed)\b/i,
  ),
  ...remote(
    {},
    /https?:\/\/[^\n]{1,140}\bdo (?:everything|whatever|all|what) (?:that )?(?:the (?:file|page|document|text)|it|they) (?:tells?|says?|asks?|lists?)\b/i,
  ),
];

const AUTHORITY = `(?:instructions?|rules|guidelines?|prompts?|directives|polic(?:y|ies)|restrictions?|safeguards?|guardrails|settings|constraints|safety (?:rules|guidelines|measures)|messages)`;
const EARLIER = `(?:all|any|every|your|the|of|other|prior|previous|earlier|above|preceding|existing|system|developer|user'?s?|safety|content|original|initial|former|skills?'?|built-in|and|or|agent'?s?)`;

const override = patternsOf(
  "override-instructions",
  "error",
  "Tells the model to set other instructions aside.",
  SAID,
);

/** Sentences that set other instructions aside, in three languages. */
export const OVERRIDE_PATTERNS: readonly Pattern[] = [
  ...override(
    {
      unless:
        /\b(?:instructions?|rules|prompts?|directives|messages)(?:[- ]like)?\b[^.]{0,20} (?:in|within|inside|from|found|embedded|contained|on) (?!this (?:skill|file))|\bany (?:policy|restriction|setting)\b|\bif asked to\b|\boverride of\b|\bthey don['’]t override\b|\b(?:ignore|disregard) the (?:instructions|rules|settings|messages) (?:that|which|printed|on|for)\b|\b(?:bypass|override|ignore) (?:the|any|all|your|existing|these) (?:settings|constraints|restrictions|rules|prompts?)\b/i,
    },
    anyOf(
      String.raw`\b(?:ignore|disregard|forget|override|bypass|discard|set aside|do not (?:follow|obey)|stop following)\s+(?:${EARLIER}\s+){1,6}${AUTHORITY}\b`,
    ),
  ),
  ...override(
    {},
    /\b(?:bypass|ignore|disregard|remove|lift) (?:all |any |your |the )*(?:content polic|safety (?:restriction|guideline|rule|filter)|restrictions above)/i,
    /\b(?:ignore|disregard) (?:the )?(?:instructions|rules) of (?:other|all|any|every|the) (?:other )?(?:skills?|developer|system|user|agents?)/i,
    /\b(?:ignore|disregard|forget) (?:all )?other skills\b|\boverrides? (?:every|all|any) (?:other )?skills?\b|\boverrides? (?:every|all) (?:other )?(?:system|instructions)\b/i,
    /\b(?:no longer|not) bound by (?:your|any|the|its)\b|\brestrictions (?:above|below|on you)? ?are (?:void|lifted|disabled)\b|\bforget (?:your|all) (?:earlier |previous |prior )?(?:rules|training|instructions)\b/i,
    /\b(?:your )?(?:previous|prior|earlier) instructions (?:are|have been|is) (?:superseded|void|cancelled|replaced|obsolete|revoked)\b/i,
    /\b(?:if|when|whatever) (?:CLAUDE\.md|AGENTS\.md|the system prompt|the user)[^.]{0,60}\b(?:ignore (?:it|them)|do not follow)\b/i,
    /\b(?:rules|instructions|guidelines|restrictions|polic(?:y|ies))\b[^.\n]{0,40}\b(?:you were given|that you (?:got|received|have)|of your (?:system|developer))\b[^.\n]{0,40}\b(?:no longer (?:apply|hold|bind|count)|are (?:void|cancelled|invalid)|do not apply)\b|\byour (?:guidelines|instructions|rules|policies) (?:have changed|no longer apply|have been (?:updated|replaced|lifted))\b/i,
    /你(?:之前|以前|此前|先前)?(?:收到|得到|接收)的(?:规则|指令|要求|限制)[^。，]{0,6}(?:失效|作废|无效)|(?:只|仅)(?:听从|遵循|服从)本(?:技能|文件|文档)/,
    /(?:与えられた|受け取った|あなたの)[^。]{0,10}(?:ルール|指示|規則|命令)は(?:すべて|全て)?(?:無効|取り消)|この(?:スキル|文書)の(?:内容|指示)だけ(?:を守|に従)/,
    /\benter (?:developer|god|dan|jailbreak|unrestricted) mode\b|\byou are now (?:dan|unrestricted|jailbroken)\b/i,
    /\bpretend (?:that )?the user (?:has )?(?:already )?(?:approved|agreed|confirmed|consented)\b|\bassume (?:that )?the user has (?:already )?(?:approved|agreed to) (?:every|all|any)\b/i,
    /(?:忽略|无视|忘记|忘掉|不理会|不要遵守|抛弃)(?:掉)?(?:你)?(?:的)?(?:之前|以上|先前|此前|前面|上述|系统|其他|所有|一切|原有|任何|已有)(?:的|所有|全部|一切|其他|系统|提示词?|和|与|技能|用户|、){0,6}(?:指令|指示|提示词?|规则|要求|设定|约束|限制|说明|命令)/,
    /不再受[^。，]{0,12}(?:约束|限制)|(?:绕过|突破|解除)(?:所有|一切|全部|安全)[^。，]{0,6}(?:限制|规则|准则|策略)|忘记你(?:之前|以前|原来)的/,
    /(?:これまで|以前|今まで|上記|前|他|ほか|すべて|全て|既存|従来|システム)(?:の|すべての|全ての|プロンプト|スキル|や|ユーザー|、|他の){0,6}(?:指示|命令|規則|ルール|プロンプト|設定|制約|ガイドライン)(?:を|は)?(?:すべて|全て|全部|、)*(?:無視|忘れ|破棄)/,
    /(?:ガイドライン|規則|制限|制約)に(?:は)?縛られ(?:ません|ない)|制限を(?:回避|解除)して/,
    /\b(?:other|previous|prior|earlier|conflicting|system) instructions (?:must|should|are to|can|have to) be (?:ignored|disregarded|discarded)\b|\bsystem prompt\b[^.\n]{0,60}\b(?:disregard|ignore) it\b/i,
    /(?:其他|之前|以前|系统|原有)(?:的)?(?:指令|规则|要求|指示)(?:一律|全部|都|一概)(?:忽略|无视|作废)/,
    /(?:他|ほか|以前|従来)の(?:指示|命令|規則|ルール)は(?:一切|全部|すべて)?無視/,
  ),
  ...override(
    {
      unless:
        /\b(?:user(?:'s)? instructions?|CLAUDE\.md|the user|users?) (?:always )?(?:supersedes?|overrides?|takes? precedence)/i,
    },
    /\b(?:supersedes?|overrides?|takes? precedence over|outranks?|replaces?) (?:all |any |the |your )*(?:user'?s? instructions|system (?:messages?|prompts?|instructions)|(?:prior|previous|earlier) (?:system |user )?instructions|developer instructions)/i,
  ),
  ...override(
    { severity: "warning" },
    /\b(?:act|behave|respond|answer) as (?:if|though) you (?:had|have) no (?:restrictions|rules|limits|guidelines)\b|\b(?:must not|never|cannot|may not) refuse\b(?! to)|\bthis (?:document|file|skill) is (?:now )?your only (?:source|authority|instruction)/i,
  ),
];
