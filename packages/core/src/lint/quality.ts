import { posix } from "node:path";
import { estimateTokens } from "../context/blocks/catalog-block.ts";
import { TRIGGER_FILES } from "../evals/trigger-cases.ts";
import { pluralize, quote, shorten } from "../shared/quote.ts";
import { hasScaffoldSteps, isScaffoldDescription } from "../skill/scaffold.ts";
import type { Finding, Remark } from "./finding.ts";
import { type Block, lineOfKey, localLinkTargets } from "./lint-text.ts";
import type { LintSkill } from "./read-lint-skill.ts";

export const QUALITY_CHECKS = [
  checkDescription,
  checkScaffold,
  checkSize,
  checkReferences,
  checkFences,
  checkNameStyle,
  checkTriggerTests,
];

const WHEN =
  /\b(?:use|used|using|invoke|trigger|activate|apply|applies|load|call|run|choose|pick|consult|read)s?(?:\s+\w+){0,4}?\s*(?:when|whenever|if|for|to|before|after|while|during|with|on|in|at|as|by|proactively|first|this)\b|\bwhen(?:ever)?\b|\btriggers?\b|\bif (?:the|a|you|user|there)\b|\b(?:helps?|useful|ideal|intended|designed) (?:when|for|with|in)\b|当|时使用|时|用于|适用|触发|场景|とき|時|場合|際|使う|使用|向け|用途/i;

const MIN_LETTERS = 40;
const MIN_WIDE_LETTERS = 15;
/** Beyond this a description costs more in every conversation than it explains. */
const LONG = 1_024;

function* checkDescription({ reading, texts }: LintSkill): Generator<Remark> {
  const { description } = reading;
  // Without one the skill is not valid, which `knack validate` reports.
  if (description === "") return;
  const line = lineOfKey(texts, /^(?:description|summary)\s*:/);
  const remark = (rule: string, message: string): Remark => {
    return { rule, severity: "warning", file: "SKILL.md", line, message };
  };
  if (!WHEN.test(description))
    yield remark("description-when", "The description does not say when to use the skill.");
  const length = [...description].length;
  const isWide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(description);
  if (length < (isWide ? MIN_WIDE_LETTERS : MIN_LETTERS))
    yield remark("description-length", `The description has only ${pluralize(length, "character")}.`);
  else if (length > LONG)
    yield remark(
      "description-length",
      `The description has ${length} characters; the open standard allows ${LONG}.`,
    );
}

function* checkScaffold({ reading: { description, body } }: LintSkill): Generator<Remark> {
  const part = isScaffoldDescription(description)
    ? "description"
    : hasScaffoldSteps(body)
      ? "text"
      : undefined;
  if (part === undefined) return;
  const message = `The ${part} is still the one that "knack new" wrote.`;
  yield { rule: "unedited-scaffold", severity: "warning", file: "SKILL.md", message };
}

/** Programs with which a command in a skill begins as a rule. */
const COMMAND =
  /^\s*(?:\$\s+)?(?:(?:sudo|npx|npm|pnpm|yarn|bun|node|deno|python3?|pip3?|uv|uvx|git|gh|curl|wget|docker|kubectl|helm|terraform|aws|gcloud|az|cargo|go|make|cmake|brew|apt|apt-get|dnf|cd|ls|cat|cp|mv|rm|mkdir|chmod|export|echo|ssh|scp|rsync|tar|find|grep|sed|awk|jq|ffmpeg|psql|sqlite3|dotnet|mvn|gradle|\.\/gradlew|php|composer|ruby|bundle|rails|knack)\s+[\w./~$"'@<{-])/;

/** Whether a fence without a language holds commands: each line is one, a remark, or the rest of one. */
function isUnlabelledCommand({ language, text }: Block): boolean {
  if (language !== "") return false;
  const lines = text.split("\n", 200).filter((line) => line.trim() !== "");
  const commands = lines.filter((line) => COMMAND.test(line.slice(0, 300)));
  return (
    commands.length > 0 &&
    lines.every((line) => COMMAND.test(line.slice(0, 300)) || /^\s*#|^\s+\S|^\s*--/.test(line))
  );
}

function* checkFences({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts.filter(({ isMarkdown }) => isMarkdown)) {
    for (const block of text.blocks) {
      const line = block.line - 1;
      // Indented code has no fence.
      if (!BARE_FENCE.test(text.lines[line - 1] ?? "") || !isUnlabelledCommand(block)) continue;
      const message = "Code with commands has no language.";
      yield { rule: "unlabelled-commands", severity: "note", file: text.file, line, message };
    }
  }
}

const BARE_FENCE = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{3,}|~{3,}))([ \t]*\r?)$/;

const EMPTY =
  /^(?:(?:my|new|test|example|sample|demo|misc|general|common|basic|simple|the|a)-?)*(?:skills?|helpers?|utils?|utilities|tools?|stuff|assistant|agent|misc|test|example|untitled|foo)\d*$/;
const REPEATED = /(?:^|-)skills?$/;

function* checkNameStyle({ reading: { name } }: LintSkill): Generator<Remark> {
  const at = { file: "SKILL.md", severity: "note", rule: "name-style" } as const;
  if (EMPTY.test(name))
    yield {
      ...at,
      severity: "warning",
      message: `The name ${quote(name)} does not say what the skill does.`,
    };
  else if (REPEATED.test(name))
    yield { ...at, message: `The name ${quote(name)} repeats that it is a skill.` };
  else if (name.length > 40)
    yield { ...at, message: `The name has ${name.length} characters; short names are typed and remembered.` };
}

function* checkTriggerTests({ files }: LintSkill): Generator<Remark> {
  if (TRIGGER_FILES.some((file) => files.has(file))) return;
  const message = "The skill has no trigger tests.";
  yield { rule: "trigger-tests-missing", severity: "note", file: "SKILL.md", message };
}

/** A path in inline code that can only mean a file of the skill. */
const MENTIONED = /`(?:\.\/)?((?:scripts|references|assets|templates)\/[\w./-]{1,200}\.\w{1,8})`/g;

function* checkReferences({ texts, files }: LintSkill): Generator<Remark> {
  const folders = new Set([...files].flatMap((file) => foldersOf(file)));
  const exists = (path: string): boolean =>
    path === "SKILL.md" || files.has(path) || folders.has(path.replace(/\/$/, ""));
  for (const text of texts.filter(({ isMarkdown }) => isMarkdown)) {
    const missing = new Map<string, number>();
    const look = (target: string, base: string, line: number): void => {
      const place = posix.normalize(posix.join(base, target));
      if (place.startsWith("../") || place === ".." || target.startsWith("/") || target.startsWith("~"))
        return;
      if (!exists(place) && !missing.has(target)) missing.set(target, line);
    };
    for (const { target, line } of localLinkTargets(text)) look(target, posix.dirname(text.file), line);
    if (text.file === "SKILL.md")
      for (const { kind, text: words, line } of text.passages)
        if (kind === "prose") for (const [, path = ""] of words.matchAll(MENTIONED)) look(path, ".", line);
    for (const [target, line] of missing) {
      const message = `${shorten(target)} is not in the skill's folder.`;
      yield { rule: "missing-file", severity: "warning", file: text.file, line, message };
    }
  }
}

function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** What the open standard recommends for the text that is loaded whole. */
const MAX_TOKENS = 5_000;
const MAX_LINES = 500;

function* checkSize({ reading, texts }: LintSkill): Generator<Remark> {
  const tokens = estimateTokens(reading.body);
  const lines = texts[0]?.lines.length ?? 0;
  const found = { rule: "token-cost", file: "SKILL.md" };
  const most = (count: number): string => `at most ${count} are recommended.`;
  if (tokens > MAX_TOKENS) {
    const message = `The text costs about ${tokens} tokens each time it is loaded; ${most(MAX_TOKENS)}`;
    yield { ...found, severity: "warning", message };
  } else if (lines > MAX_LINES)
    yield { ...found, severity: "note", message: `The text has ${lines} lines; ${most(MAX_LINES)}` };
}

const LONE_SUPPRESSION = /^\s*<!--\s*knack-lint-disable[^>]*-->\s*$/;

/** One safe remedy for each fixable finding; every other byte stays. */
export function fixText(text: string, findings: readonly Finding[]): { text: string; fixed: number } {
  const lines = text.split("\n");
  const removed = new Set<number>();
  let fixed = 0;
  for (const { rule, line } of findings) {
    if (line === undefined) continue;
    const at = line - 1;
    const found = lines[at] ?? "";
    const fence = rule === "unlabelled-commands" ? BARE_FENCE.exec(found) : null;
    if (fence) lines[at] = `${fence[1]}bash${fence[2]}`;
    else if (rule === "unused-suppression" && LONE_SUPPRESSION.test(found)) removed.add(at);
    else continue;
    fixed++;
  }
  return { text: lines.filter((_, at) => !removed.has(at)).join("\n"), fixed };
}
