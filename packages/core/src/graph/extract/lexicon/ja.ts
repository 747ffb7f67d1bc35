import { NAME_BEGINS, NAME_ENDS } from "./en/references.ts";
import { piece, re } from "./pattern.ts";
import { rulesIn } from "./rule.ts";
import { CJK_NAME } from "./words.ts";

const VERBS = ["使|呼|実行|読|ロード|起動|参照|適用|従|用い|委|渡|コミット|作成|生成|検証|確認|行[うい]"];
const NEGATIONS = [
  "しないで|するな|しない|使わない|呼び出さない|(?:では|は)(?:ありません|ない|なく)|ては(?:いけ|なら)ない",
];

const FINISH = ["完了|終了|完成|成功|合格|通過|承認|マージ|リリース|デプロイ|公開|パス|クリア"];
/** 「…が終わったら」: only with verbs that finish something; "エラーが出たら" is an ordinary condition. */
const DONE = piece`(?:${FINISH}(?:し|され)たら|(?:終わっ|終え|通っ|でき|(?:グリーン|クリーン|緑)になっ)たら|済んだら)`;

export const JA = rulesIn("ja", [
  {
    id: "ja-verb-after-name",
    effect: "directs-after",
    when: { after: re`^${CJK_NAME}(?:(?:を|に|で|も|経由で)\s?(?:必ず|先に|まず)?\s?|の)${VERBS}` },
    matches: ["完了したら code-review を呼び出す。"],
    rejects: ["完了したら code-review がある。"],
  },
  {
    id: "ja-prerequisite-label",
    effect: "label",
    when: {
      text: /(?:^|[\s(*>-])前提(?:条件)?(?<kind>\s*(?:サブスキル|スキル))?\s*(?:\([^()]{0,60}\))?\s*[:：—–]\s*(?<rest>.{0,160})$/,
    },
    matches: ["**前提:** `code-review` スキルを先にロード。"],
    rejects: ["**前後:** `code-review` スキルを先にロード。"],
  },
  {
    id: "ja-must",
    effect: "must-word",
    when: { near: /必ず|不可欠|欠かせない|なければ(?:なら|なり|いけ)|必要(?=なのは|があ[るり])/ },
    matches: ["必ず `code-review` スキルを使う。"],
    rejects: ["`code-review` スキルを使う。"],
  },
  {
    id: "ja-use",
    effect: "use-word",
    when: { near: /実行|読|ロード|従|参照|起動|スキル/ },
    matches: ["必ず `code-review` を読む。"],
    rejects: ["必ず `code-review` を見る。"],
  },
  {
    id: "ja-always",
    effect: "requires",
    when: { clause: /常に|いつも/ },
    needs: ["directive"],
    matches: ["常に `code-review` スキルを使用すること。"],
    rejects: ["`code-review` スキルは常に JSON を返す。"],
  },
  {
    id: "ja-name-explains",
    effect: "explains",
    when: { own: /理由|説明/ },
    matches: ["`code-review` は、テストを必ず使う理由を説明している。"],
    rejects: ["`code-review` を必ず使う。"],
  },
  {
    id: "ja-before-using",
    effect: "before-using",
    when: { rest: re`^${CJK_NAME}[^、，,。；]{0,10}(?:前に|前は|まえに)` },
    matches: ["`code-review` を使う前に必ず差分を読む。"],
    rejects: ["`code-review` を必ず使う。"],
  },
  {
    id: "ja-not",
    effect: "negates",
    when: { near: re`${NEGATIONS}` },
    matches: ["必ず `code-review` を使わないこと。"],
    rejects: ["必ず `code-review` を使うこと。"],
  },
  {
    id: "ja-not-without",
    effect: "insists",
    when: {
      rest: re`^${CJK_NAME}(?:を|の)\s?[^、。]{0,8}(?:せず|ず|ないで|ないまま|なし)に?[^。]{0,30}(?:てはなら|てはいけ|禁止|しないこと|進まないこと|ないでください)`,
    },
    matches: ["`code-review` を実行せずに分析を始めてはならない。"],
    rejects: ["`code-review` を実行して分析を始めてはならない。"],
  },
  {
    id: "ja-if",
    effect: "condition",
    when: { text: /もし|場合/ },
    matches: ["必ず次を実行：\n\n- 無い場合は `code-review` を使う"],
    rejects: ["必ず次を実行：\n\n- `code-review` を使う"],
  },
  {
    id: "ja-optional",
    effect: "optional",
    when: { text: /オプション/ },
    matches: ["完了したら、オプションで `code-review` を呼び出す。"],
    rejects: ["完了したら、`code-review` を呼び出す。"],
  },
  {
    id: "ja-or-something-else",
    effect: "choice",
    when: { after: /^["'”’」』)\]]{0,2}\s*(?:\([^()]{0,40}\)\s*)?(?:または|もしくは|あるいは)/ },
    matches: ["必ず `code-review` または手作業を使う。"],
    rejects: ["必ず `code-review` と手作業を使う。"],
  },
  {
    id: "ja-one-of",
    effect: "choice",
    when: { own: /いずれか|どちらか/ },
    matches: ["必ず `code-review` と手作業のいずれかを使う。"],
    rejects: ["必ず `code-review` と手作業を使う。"],
  },
  {
    id: "ja-after",
    effect: "later",
    when: {
      text: re`${DONE}|(?:完了|終了)後|(?:し|され|っ)た(?:後|あ)|(?:し|され|っ|なっ)てから|んでから|次第`,
    },
    matches: [
      "実装が完了したら必ず `code-review` を実行すること。",
      "テストが通ってから必ず `code-review` を使う。",
    ],
    rejects: ["実装を始めたら必ず `code-review` を実行すること。"],
  },
  {
    id: "ja-after-particle",
    effect: "later",
    when: { text: /(?<!今)[後后][にはも、，,]/ },
    matches: ["実装後は必ず `code-review` スキルを使うこと。"],
    rejects: ["今後は必ず `code-review` スキルを使うこと。"],
  },
  {
    id: "ja-after-title",
    effect: "later-title",
    when: { text: re`完了後|次のステップ|後続|${DONE}$` },
    matches: ["## 次のステップ\n\n必ず `code-review` を使う。"],
    rejects: ["## 最初のステップ\n\n必ず `code-review` を使う。"],
  },
  {
    id: "ja-called-by-title",
    effect: "reversed",
    when: { text: /呼び出し元|親スキル/ },
    matches: ["## 呼び出し元\n\n- `code-review`（必須）"],
    rejects: ["## 呼び出し先\n\n- `code-review`（必須）"],
  },
  {
    id: "ja-related-title",
    effect: "aside",
    when: { text: /関連/ },
    matches: ["## 関連 (必須)\n\n- `code-review` を使う"],
    rejects: ["## 手順 (必須)\n\n- `code-review` を使う"],
  },
  {
    id: "ja-not-for-title",
    effect: "not-here",
    when: { text: /使わない/ },
    matches: ["## 使わないとき\n\n必ず `code-review` を使う。"],
    rejects: ["## 使うとき\n\n必ず `code-review` を使う。"],
  },
  {
    id: "ja-choose-one-title",
    effect: "choice-title",
    when: { text: /いずれか/ },
    matches: ["必ずいずれかを使う：\n\n- `code-review`"],
    rejects: ["必ずどれも使う：\n\n- `code-review`"],
  },
  {
    id: "ja-must-use-title",
    effect: "lists-required",
    when: { text: /(?:必ず|必須).{0,30}(?:使|用|呼|実行|読|skill|スキル)/i },
    matches: ["必ず次を使う：\n\n- `code-review`"],
    rejects: ["次を使う：\n\n- `code-review`"],
  },
  {
    id: "ja-in-order",
    effect: "in-order",
    when: { text: /順に|順番/ },
    matches: ["必ず順番に実行：\n\n1. 考える。\n2. `code-review` を使う。"],
    rejects: ["必ず実行：\n\n1. 考える。\n2. `code-review` を使う。"],
  },
  {
    id: "ja-example-title",
    effect: "example-title",
    when: { text: /サンプル|テンプレート|アンチパターン/ },
    matches: ["## サンプル\n\n必ず `code-review` を使う。"],
    rejects: ["## 手順\n\n必ず `code-review` を使う。"],
  },
  {
    id: "ja-template-lead-in",
    effect: "template-lead",
    when: { text: /テンプレート|以下の形式/ },
    matches: ["以下の形式で：\n\n> 必ず `code-review` を使う。"],
    rejects: ["以下を：\n\n> 必ず `code-review` を使う。"],
  },
  {
    id: "ja-for-example",
    effect: "instance",
    when: { before: /例えば[^)）]*$/ },
    matches: ["例えば必ず `code-review` を使う。"],
    rejects: ["だから必ず `code-review` を使う。"],
  },
  {
    id: "ja-yes",
    effect: "yes",
    when: { text: /^[\s*_]*はい/ },
    matches: ["| スキル | 必須 |\n|---|---|\n| `code-review` | はい |"],
    rejects: ["| スキル | 必須 |\n|---|---|\n| `code-review` | いいえ |"],
  },
  {
    id: "ja-skill-after-name",
    effect: "skill-word-after",
    when: { after: /^["'”’」』)\]]{0,2}\s{0,2}(?:スキル|サブスキル)/ },
    matches: ["その code-review スキル。"],
    rejects: ["その code-review ツール。"],
  },
  {
    id: "ja-or",
    effect: "or",
    when: { between: re`${NAME_ENDS}(?:か(?=\s|[\x60「『])|または|もしくは|あるいは)\s*${NAME_BEGINS}` },
    matches: ["必ず `code-review` または `write-tests` を使う。"],
    rejects: ["必ず `code-review` と `write-tests` を使う。"],
  },
]);
