/** The words that decide what a reference means. English, Chinese, Japanese. */

const VERBS = [
  "use|uses|using|run|runs|running|re-run|invoke|invokes|invoking|load|loads|loading|call|calls|calling",
  "apply|applying|follow|following|read|reading|activate|activating|execute|executing|trigger|triggering",
  "launch|launching|consult|consulting|understand|complete|completing|dispatch|dispatching|delegate|delegating",
  "route|routing|defer|go|start|begin|switch|perform|cross-reference|reference|refer|adopt|study|hand|hand-off",
  "transition|proceed|continue|pass|point|pointing|check|request|requesting",
].join("|");
/** Between a verb and the name: articles and the like, no new thought. */
const FILL =
  "(?:the|an?|its|your|our|this|installed|sibling|skill|skills|tool|call|to|into|with|through|via|on|off|by|existing|matching|corresponding|relevant|appropriate|required|full|both|either|first|back|user|explicitly|New|session)";
const OPENING = `(?:skill\\s?[:=]\\s?)?["'“‘「『(\\[\\/*]{0,3}(?:[A-Za-z][\\w.-]{0,60}:)?`;
/** "you have invoked the "; "invoked by the x" is said of x by another. */
const DONE =
  "(?:used|run|invoked|loaded|called|applied|followed|read|activated|executed|consulted|completed|dispatched)";
/** "is always read by the ": that skill is the one that reads. */
const DONE_BY = "(?<!\\b(?:run|read)\\s+by(?:\\s+the)?\\s+\\W{0,3})";
/** "use the ", "invoke " … at the end of what stands before a name. */
export const DIRECTIVE_END = new RegExp(
  `(?<![\\w-])(?:${VERBS})(?:\\s+${FILL}){0,5}\\s+${OPENING}$${DONE_BY}|(?<![\\w-])${DONE}(?:\\s+(?:the|an?|your|skill)){0,2}\\s+${OPENING}$|(?:使用|调用|調用|呼叫|执行|執行|运行|運行|加载|載入|遵循|启用|用)\\s{0,2}${OPENING}$`,
  "i",
);
/** "List them via the " */
export const MEANS_END = new RegExp(
  `^[\\s\\W\\d]*[A-Z][a-z]+\\b[^.;:]{0,120}\\b(?:via|using|through|with)\\s+(?:the\\s+)?${OPENING}$`,
);
/** "hand off the finished design to the " */
export const HANDING_END = new RegExp(
  `\\b(?:hand(?:ing)?(?:\\s+off)?|delegat(?:e|ing)|rout(?:e|ing)|pass(?:ing)?|dispatch(?:ing)?|defer(?:ring)?|point(?:ing)?|send(?:ing)?)\\b[^;:.]{0,90}\\bto\\s+(?:the\\s+)?${OPENING}$`,
  "i",
);
/** After a Japanese name the verb follows: "…スキルを使う". */
export const JAPANESE_DIRECTIVE =
  /^["'”’」』`)\]]{0,2}\s?(?:スキル|技能)?\s?(?:(?:を|に|で|も|経由で)\s?(?:必ず|先に|まず)?\s?|の)(?:使|呼|実行|読|ロード|起動|参照|適用|従|用い|委|渡|コミット|作成|生成|検証|確認|行[うい])/;

/** After a name that has no markup: "… must be run". */
export const MUST_BE_RUN =
  /^\s(?:must|has to)\s(?:always\s)?(?:be\s(?:run|used|loaded|invoked|called|followed)|run)\b/i;

/** "must", "always"; not "must not", "almost always". */
export const MODAL =
  /(?<!\b(?:almost|not|nearly|usually|often|doesn't|n't|wrong to|bad to)\s+)\b(?:must|always|shall|required\s+to|(?:mandatory|compulsory|obligatory|essential|imperative|crucial|vital|requirement)\s+(?:to|that\s+(?:you|we|the\s+agent))|requires?\s+(?:that\s+)?(?:you|the\s+agent)(?:\s+to)?|requires?(?=\s+(?:first\s+)?(?:running|using|loading|invoking|calling|reading)\b)|(?:has|have)\s+to|(?:you|we|agents?|claude)\s+needs?\s+to)\b(?!\s*(?:not|never)\b)/gi;
/** Under a condition or a doubt these only say what may come: "if you need to use x". */
export const WEAK_MODAL = /\b(?:(?:has|have|needs?)\s+to|requires?(?:\s.*)?)$/i;
export const IN_DOUBT =
  /\b(?:if|when|whenever|may|might|could|would|in case|unless|whether|where|what|why|how|who|that|which|for)\b/i;
/** "must be committed with the ": the skill is the means. */
export const WITH_END = new RegExp(`\\b(?:with|via|through)\\s+(?:the\\s+)?${OPENING}$`, "i");
/** "must be consistent with x": nothing is done by it. */
export const OF_LIKENESS =
  /\b(?:align\w*|compatible|consistent|consistency|conflicts?|compar\w+|match\w*|agree\w*|sync|coordinat\w+|confus\w+|deals?|familiar|comply|complies|interfere\w*|overlap\w*)\b/i;
/** "be carried out with the " */
export const BE_DONE_WITH = new RegExp(
  `^\\s+(?:be|been)\\s+(?:\\w+ly\\s+)?(?!(?:used|run|invoked|loaded|called|read|followed|consumed|triggered)\\s+by\\b)\\w+(?:\\s+(?:out|up|off|in|down))?\\s+(?:with|via|through|by|using|against)\\s+(?:the\\s+)?${OPENING}$`,
  "i",
);
/** "read x before writing — mandatory." "— required for every report" */
export const REQUIRED_LAST =
  /[—–,(]\s*(?:(?:this|which)\s+is\s+)?(?:mandatory|required|non-negotiable|no\s+exceptions|without\s+exception)(?:\W*$|[^\w\s]|\s+(?:for|in|on|at|before|every|each|all|here|even)\b)/i;
/** "use the x skill (mandatory safety rules)" */
export const REQUIRED_BRACKET = /^\W{0,2}(?:skills?)?\s*[(（](?:required|mandatory|必須|必须)(?![\w-])/i;
/** "x, which you must read first" */
export const WHICH_MUST =
  /^\W{0,3}(?:skills?\b)?,?\s*(?:which|that)\s+(?:you|we|the\s+agent)\s+(?:must|have\s+to|are\s+required\s+to)\s+(?:(?:always|first)\s+)?(?:use|run|read|load|invoke|follow|apply|call|consult)\b/i;
/** "[REQUIRED] ", "(mandatory) " at the beginning of a sentence. */
export const TAG_LABEL =
  /^[\s\d.)*-]*[[(【](?:required|mandatory|must|always|必須|必须)[\])】]\W{0,3}(?:\w+\W+){0,6}$/i;
/** Of what the sentence told to use: "— this is REQUIRED", "This step is mandatory", "You must have it loaded". */
export const IT_IS_REQUIRED =
  /^\W*(?:(?:this|it|that|which|(?:using|doing|running|loading|reading)\s+(?:it|this|so))(?:\s+(?:step|skill|gate|call|check|part))?\s+is\s+(?:(?:\w+ly|always|also)\s+){0,2}(?:required|mandatory|compulsory|obligatory|non-negotiable|essential|not\s+(?:optional|negotiable)|a\s+(?:must|(?:hard\s+)?requirement))\b(?!\s+(?:by|only|when|if)\b)|(?:you|we|the\s+agent)\s+(?:must|have\s+to)\s+(?:always\s+)?(?:have|keep|use|follow|load|read|run|invoke|call)\s+(?:it|this|that)\b)/i;
/** "Your first step must be " */
export const FIRST_STEP = new RegExp(
  `\\b(?:first|initial|opening|next|last|final)\\s+(?:step|action|call|move|tool\\s+call)\\s+(?:(?:must|has\\s+to)\\s+(?:always\\s+)?be|is\\s+always)\\s+(?:to\\s+)?(?:(?:${VERBS})\\s+)?(?:the\\s+)?${OPENING}$`,
  "i",
);
/** "is not optional", "may not be skipped" */
export const NOT_OPTIONAL =
  /^\W{0,3}(?:skills?\s+|step\s+|here\s+)?(?:(?:is|are)\s+(?:not|never)\s+(?:optional|negotiable)|(?:must|may|can|should|shall)\s*(?:not|never)\s+be\s+(?:skipped|omitted|bypassed|left\s+out))\b/i;
/** What keeps a modal from reaching the verb after it. */
export const BETWEEN =
  /\b(?:before|when|while|if|unless|until|after|once|because|so that|which|that|whose|where|since|than)\b|[;:|()（）：；]|—|–|\s-\s|→|[-=]>|,\s+(?=(?:use|run|invoke|load|call|see|apply|follow|read)\b)/i;
/** "REQUIRED SUB-SKILL:", "**MANDATORY Skill tool call:**", 必須: */
export const LABEL =
  /(?:^|[\s(*>⚠️🚨❗-])(?:REQUIRED|MANDATORY|MUST|ALWAYS|REQUIREMENT|PREREQUISITES?|NON-NEGOTIABLE|Required|Mandatory|Requirement|Prerequisites?|Non-negotiable|必須|必须|強制|强制|前提(?:条件)?)(?<kind>(?:\s*(?:NEXT|next))?\s*(?:SUB-?SKILLS?|sub-?skills?|Sub-?[Ss]kills?|SKILLS?|[Ss]kills?|BACKGROUND|[Bb]ackground|READING|[Rr]eading|サブスキル|スキル|技能|前提)(?:\s+tool)?(?:\s+(?:call|invocation))?(?:\s+(?:for|when|after|before|if|once|during|in)\s[^:：.]{1,60}?)?)?(?:\s+(?:FIRST|[Ff]irst))?(?:\s+(?:ACTION|STEP|CALL|GATE|[Aa]ction|[Ss]tep|[Cc]all|[Gg]ate))?\s*(?:\([^()]{0,60}\))?\s*[:：—–]\s*(?<rest>.{0,160})$/u;
/** "MUST: ", "Required: ", "Prerequisite (mandatory): " with nothing between it and the name. */
export const BARE_LABEL =
  /(?:(?:^|[\s*>-])(?:REQUIRED|Required|MANDATORY|Mandatory|MUST|ALWAYS|Always|必須|必须)|\((?:all\s+)?(?:required|mandatory|必須|必须)\))\W{0,3}[:：]\W{0,6}(?:[\w.-]+:)?$/i;
/** "must be checked with the " */
export const MUST_BE_WITH = new RegExp(
  `\\b(?:must\\s+(?:always\\s+)?be|(?:has|have)\\s+to\\s+be|(?:is|are)\\s+always)\\s+(?:(?:combined|paired|used|loaded|run|followed)\\s+(?:together\\s+|along\\s+)?(?:with|through|via|using)|(?:preceded|checked|reviewed|validated|verified|processed|routed|done|performed|handled|produced|created|generated|made|written|drawn|built|approved|audited|rendered|formatted)\\s+(?:with|by|through|via|using|to))\\s+(?:the\\s+)?${OPENING}$`,
  "i",
);
/** An adverb that requires where it stands before the verb. */
export const CJK_ALWAYS = /始终|始終|总是|總是|一律|常に|いつも/;
export const CJK_MUST =
  /必ず|必[须須](?!项|項|字段|欄|栏|参数|參數|パラ|フィ|入力|条件|情報|の(?!スキル)|な|[\u4e00-\u9fff]{1,6}的)|必需|務必|务必|一定要|強制|强制|不可或缺|不可欠|欠かせない|なければ(?:なら|なり|いけ)|必要(?=なのは|があ[るり])|(?<![无毋無必])[须須](?=先|通过|通過|经|經|由|使用|用|调用|調用|呼叫|执行|執行|加载|載入)/;
export const CJK_VERB =
  /使|用|调|調|呼|执行|執行|実行|运行|運行|加载|載入|読|阅读|閱讀|ロード|遵|従|参照|通过|通過|先|走|由|交|经|經|必[須须]是|选|選|起動|skill|スキル|技能|use|run|invoke|load/i;
export const CJK_NOT =
  /不要|不得|不可|请勿|請勿|切勿|勿|禁止|严禁|嚴禁|别|しないで|するな|しない|使わない|呼び出さない|不能|不应|不應|无需|無需|无须|無須|毋须|毋須|不必|不是|不一定|并非|並非|非必|绝不|絕不|(?:では|は)(?:ありません|ない|なく)|ては(?:いけ|なら)ない/;

/** What may follow a name that is required: "must run first", "is REQUIRED", "— MANDATORY", "(required)". */
export const REQUIRED_AFTER = [
  /^\W{0,5}(?:skills?\W{1,3})?(?:(?:which|that)\s+)?(?:must|has to)\s+(?:(?:always|first|already|have|be|been)\s+)*(?:run|ran|executed?|concluded?|completed?|pass(?:ed)?|finish(?:ed)?|loaded|used|invoked|called|followed|applied|active|activated|read|go\s+first|come\s+first|precede)\b(?!-)/i,
  /^\W{0,3}(?:skills?\s+)?(?:is|are)\s+(?:(?:\w+ly|always|also|both|all)\s+){0,2}(?:required|mandatory|compulsory|obligatory|non-negotiable|a\s+must\b|an?\s+(?:hard|strict|absolute)\s+(?:requirement|prerequisite)|always\s+(?:required|loaded|used|run|invoked))\b(?!\s+(?:by|only)\b)/i,
  /^\W{0,2}(?:skills?)?\s*[-–—:|(：（]+\s*(?:[\w.-]+\s+)?(?:REQUIRED|MANDATORY|MUST(?!\s+(?:NOT|be|have|not))|必須|必须|必ず)/,
  /^\W{0,2}(?:skills?)?\s*[(（](?:required|mandatory|always|必須|必须)(?:\s+(?:for|before|when|first|if|in|to|at|as|on|by|during|reading|background|(?:sub-?)?skill|upstream|step|prior|companion|prerequisite|run|load|use|loaded|used|invoked?|read)\b|\s*(?:[,;:：，；—–-]|(?=[)）])))[^()（）]{0,80}[)）]/i,
  /^\W{0,3}(?:skills?)?\s*[-–—:]\s*required\s+(?:overlay|companion|(?:sub-?)?skill|prerequisite|background|reading|first|before)\b/i,
  /^["'”’」』`)\]]{0,2}\s?(?:スキル|技能)?\s?(?:は|が|を|的使用|为|為|是)?\s?(?:必須|必须|必ず)/,
];
/** A cell of a table that says nothing else, or of a step that it is required. */
export const REQUIRED_CELL =
  /^\s*(?:required|mandatory|must|always|必須|必须)\s*$|^[^|]{0,60}\((?:required|mandatory|always|必須|必须)\)\s*$/i;
export const REQUIRED_COLUMN = /^[\s*_]*(?:required|mandatory|must|必須|必须|必需)[\s*_?？]*$/i;
export const YES = /^[\s*_]*(?:yes\b|y$|true\b|always\b|✅|✓|✔|☑|是|必|○|◯|はい)/iu;
/** Of the skill that a list item or row begins with: "…; always load first", "must load this skill". */
export const REQUIRED_OF_HEAD = [
  /\balways\s+(?:load|run|use|invoke|read|call|apply|route)\s+(?:(?:it|this|here|this\s+skill)\b\s*)?(?:first\b|before\b|here\b|for\b|as\b|when(?:ever)?\b|if\b|[;)]|\.(?:\s|$)|$)/i,
  /\balways\s+(?:co-)?(?:loaded|used|invoked|required|active)\b/i,
  /\bmust\s+(?:always\s+)?(?:load|use|run|invoke|read|follow)\s+(?:this\s+skill|it|this)\b/i,
  /\bmust\s+(?:be\s+)?(?:run|loaded|completed?|executed?|invoked|used)\s+(?:first|immediately|before)\b/i,
];

const LATER =
  "\\bafter(?:wards?)?\\b(?!-)|\\bonce\\b(?=\\s+[\\w\\[`])(?!\\s+(?:per|more|only|in|and|for|every|each|again|an?\\s+(?:day|week|month|year|session|quarter))\\b)(?<!\\bat once)|\\bwhen\\s+(?:[\\w-]+\\s+){0,3}(?:done|finished|completed?)(?=\\s*(?:[.,;:)|]|$|—|-))|\\bwhen\\b[^.;,]{0,60}\\b(?:(?:is|are)\\s+(?:all\\s+)?(?:done|complete|finished|green|merged|approved|passing)|(?:has|have)\\s+(?:been\\s+)?(?:finished|completed|passed|succeeded|merged|approved|ended)|pass(?:es)?)\\b|\\b(?:finish|end)\\s+(?:by|with)\\s+(?:running|using|invoking|calling|a\\s)|\\b(?:up)?on\\s+(?:success|completion)\\b|\\bas soon as\\b|\\bfollowing\\s+(?:completion|approval)\\b|(?:完了|終了|完成)したら|\\bas the (?:next|last|final) step\\b|\\btransition(?:s|ing)?\\s+to\\b|完成[後后]|完了後|結束後|结束后|終わったら|終了後|之[後后]|した[後あ]|してから|(?<!今)[後后][にはも、，,]";
export const LATER_CLAUSE = new RegExp(LATER, "i");
/** At the beginning of a sentence: "After the tests pass, …", "**When done:** …". */
export const LATER_START = new RegExp(`^[\\s\\W]{0,6}(?:\\d+[.)]\\s*)?(?:then,?\\s+)?(?:${LATER})`, "i");
/** A heading or lead-in under which all is for later. */
export const LATER_TITLE =
  /^[\s\W\d]*(?:(?:step|phase|stage)\s+[\w.]+\W+)?(?:after\b|once\b|when\b.*\b(?:done|completed?|finished|clean|approved|pass(?:es|ed)?)\b|finish(?:ing)?\b|wrap-?up|completion\b|next\b|post-)|\bhand-?offs?\b|\bnext\s+(?:steps?|stages?|phases?|skills?)\b|\bdownstream\b|\bafter\b.*\b(?:completes?|completed|done|finish(?:es|ed)?|saved|saving)\b|\b(?:up)?on\s+(?:success|completion)\b|完成[後后]|完了後|結束後|结束后|次のステップ|下一步|後続/i;
