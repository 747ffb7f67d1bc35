import { NAME_BEGINS, NAME_ENDS } from "./en-titles.ts";
import { CJK_NAME, piece, type Rule, re, rule } from "./rule.ts";

const VERBS = ["使|呼|実行|読|ロード|起動|参照|適用|従|用い|委|渡|コミット|作成|生成|検証|確認|行[うい]"];
const NEGATIONS = [
  "しないで|するな|しない|使わない|呼び出さない|(?:では|は)(?:ありません|ない|なく)|ては(?:いけ|なら)ない",
];

const FINISH = ["完了|終了|完成|成功|合格|通過|承認|マージ|リリース|デプロイ|公開|パス|クリア"];
/** 「…が終わったら」: only with verbs that finish something; "エラーが出たら" is an ordinary condition. */
const DONE = piece`(?:${FINISH}(?:し|され)たら|(?:終わっ|終え|通っ|でき|(?:グリーン|クリーン|緑)になっ)たら|済んだら)`;

export const JA: readonly Rule[] = [
  rule("ja-verb-after-name", "directs-after", {
    after: re`^${CJK_NAME}(?:(?:を|に|で|も|経由で)\s?(?:必ず|先に|まず)?\s?|の)${VERBS}`,
  }),
  rule("ja-prerequisite-label", "label", {
    text: /(?:^|[\s(*>-])前提(?:条件)?(?<kind>\s*(?:サブスキル|スキル))?\s*(?:\([^()]{0,60}\))?\s*[:：—–]\s*(?<rest>.{0,160})$/,
  }),
  rule("ja-must", "must-word", {
    near: /必ず|不可欠|欠かせない|なければ(?:なら|なり|いけ)|必要(?=なのは|があ[るり])/,
  }),
  rule("ja-use", "use-word", { near: /実行|読|ロード|従|参照|起動|スキル/ }),
  rule("ja-always", "requires", { clause: /常に|いつも/, needs: ["directive"] }),
  rule("ja-name-explains", "explains", { own: /理由|説明/ }),
  rule("ja-before-using", "before-using", { rest: re`^${CJK_NAME}[^、，,。；]{0,10}(?:前に|前は|まえに)` }),
  rule("ja-not", "negates", { near: re`${NEGATIONS}` }),
  rule("ja-not-without", "insists", {
    rest: re`^${CJK_NAME}(?:を|の)\s?[^、。]{0,8}(?:せず|ず|ないで|ないまま|なし)に?[^。]{0,30}(?:てはなら|てはいけ|禁止|しないこと|進まないこと|ないでください)`,
  }),
  rule("ja-if", "condition", { text: /もし|場合/ }),
  rule("ja-optional", "optional", { text: /オプション/ }),
  rule("ja-or-something-else", "choice", {
    after: /^["'”’」』)\]]{0,2}\s*(?:\([^()]{0,40}\)\s*)?(?:または|もしくは|あるいは)/,
  }),
  rule("ja-one-of", "choice", { own: /いずれか|どちらか/ }),
  rule("ja-after", "later", {
    text: re`${DONE}|(?:完了|終了)後|(?:し|され|っ)た(?:後|あ)|(?:し|され|っ|なっ)てから|んでから|次第`,
  }),
  rule("ja-next-phase", "later", { text: /次の(?:段階|フェーズ|ステップ)で/ }),
  rule("ja-after-particle", "later", { text: /(?<!今)[後后][にはも、，,]/ }),
  rule("ja-after-title", "later-title", { text: re`完了後|次のステップ|後続|${DONE}$` }),
  rule("ja-called-by-title", "reversed", { text: /呼び出し元|親スキル/ }),
  rule("ja-related-title", "aside", { text: /関連/ }),
  rule("ja-not-for-title", "not-here", { text: /使わない/ }),
  rule("ja-choose-one-title", "choice-title", { text: /いずれか/ }),
  rule("ja-must-use-title", "lists-required", {
    text: /(?:必ず|必須).{0,30}(?:使|用|呼|実行|読|skill|スキル)/i,
  }),
  rule("ja-in-order", "in-order", { text: /順に|順番/ }),
  rule("ja-example-title", "example-title", { text: /サンプル|テンプレート|アンチパターン/ }),
  rule("ja-template-lead-in", "template-lead", { text: /テンプレート|以下の形式/ }),
  rule("ja-for-example", "instance", { before: /例えば[^)）]*$/ }),
  rule("ja-yes", "yes", { text: /^[\s*_]*はい/ }),
  rule("ja-skill-after-name", "skill-word-after", {
    after: /^["'”’」』)\]]{0,2}\s{0,2}(?:スキル|サブスキル)/,
  }),
  rule("ja-or", "or", {
    between: re`${NAME_ENDS}(?:か(?=\s|[\x60「『])|または|もしくは|あるいは)\s*${NAME_BEGINS}`,
  }),
];
