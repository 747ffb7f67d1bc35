import { isDeepStrictEqual } from "node:util";
import { isCollection, isMap, isScalar, parseDocument, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { checkConfig } from "../config/check.ts";
import type { ConfigFile } from "../config/config.ts";
import { problemText } from "../config/load.ts";
import type { PermissionRule } from "../config/rules.ts";
import { looksLikePath, skillNameFault } from "../config/rules.ts";
import { SkillError } from "../shared/errors.ts";
import { isExactly, type Named, refersTo } from "../skill/name.ts";

/** A change of policy that a user wants for a skill. */
export interface PolicyChange {
  /** `remember`: the answer "always allow"; it removes no deny rule, because a denied call never asks. */
  readonly kind: "allow" | "deny" | "enable" | "disable" | "remember";
  /** The skill's name. */
  readonly skill: string;
  /** The absolute path of its folder. `disable` then disables this skill only, not every skill of the name. */
  readonly path?: string;
  /** The skills that are meant, where they are known: entries that name one of them by its id or path are removed too. */
  readonly skills?: readonly Named[];
  /** Of `remember`: the tool that was asked about, where it does more than read the skill; `skill_load` by default. */
  readonly tool?: string;
  /** Only removes opposing rules and adds none: for a skill that no longer exists. */
  readonly onlyRemove?: boolean;
}

/**
 * The text of a configuration file after a change; the same text if nothing has to change. A comment on or above a removed
 * entry goes with it; other lines stay as they were. The content of the result is checked. `file` is for messages.
 */
export function changeText(
  text: string,
  file: string,
  change: PolicyChange,
  switchOf: (entry: string) => string,
): string {
  const before = checkConfig(text, file);
  if (Array.isArray(before)) throw new SkillError("CONFIG_INVALID", problemText(before));
  const edits = policyEdits(before, change, switchOf);
  if (edits.length === 0) return text;
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const printed = editLists(plain, edits);
  const expected = applyEdits(before, edits);
  // Old lines of an unusual indentation may not fit the new ones; those of the top level always do.
  const results = [keepLines(printed, plain, /^/), keepLines(printed, plain, /^\S/), printed].map((one) =>
    withMarksOf(text, one),
  );
  const result = results.find((one) => isSameContent(checkConfig(one, file), expected));
  if (result !== undefined) return result;
  const where = edits.map(({ path }) => path.join(".")).join(" and ");
  throw new SkillError(
    "CONFIG_INVALID",
    `${file} cannot be edited without changing other parts of it; change ${where} by hand.`,
  );
}

/** A change of one list, two keys deep. */
interface ListEdit {
  readonly path: readonly [string, string];
  /** Indexes in the list. */
  readonly remove: readonly number[];
  /** One more item: a text, or a mapping of texts. */
  readonly add?: string | Readonly<Record<string, string>> | undefined;
}

/** Tools that read a skill's text: `allow` and `deny` remove opposing rules for these tools. */
const READING_TOOLS = ["skill_load", "Skill", "skill_read_file"];

/**
 * The edits of one configuration file that make it so; none where it is so already. `switchOf` gives an entry of
 * `skills.disabled`, or the skill of a rule, as the catalog compares it.
 */
function policyEdits(
  config: ConfigFile,
  change: PolicyChange,
  switchOf: (entry: string) => string,
): ListEdit[] {
  const { kind, skill, path, onlyRemove = false, tool: about = "skill_load" } = change;
  const own: Named = { name: skill, ...(path === undefined ? {} : { dir: path, path: `${path}/SKILL.md` }) };
  const { skills: meant = [own] } = change;
  const disabled = config.skills?.disabled ?? [];
  if (kind === "enable") {
    const isMeant = (entry: string): boolean => [own, ...meant].some((one) => refersTo(switchOf(entry), one));
    return edit(["skills", "disabled"], placesOf(disabled, isMeant));
  }
  if (kind === "disable") {
    checkSwitch(skill, path);
    const isSo = onlyRemove || disabled.some((entry) => refersTo(switchOf(entry), own));
    return edit(["skills", "disabled"], [], isSo ? undefined : (path ?? skill));
  }
  const fault = skillNameFault(skill);
  if (fault)
    throw new SkillError(
      "INVALID_PARAM",
      `No rule can name this skill: skill_name ${fault} Disable it by its path instead.`,
    );
  const [wanted, opposing] = kind === "deny" ? (["deny", "allow"] as const) : (["allow", "deny"] as const);
  const rulesOf = (list: "allow" | "deny"): readonly PermissionRule[] => config.permissions?.[list] ?? [];
  const names = (list: "allow" | "deny", entry: string, one: Named): boolean =>
    (list === "deny" ? refersTo : isExactly)(switchOf(entry), one);
  const isCovered = rulesOf(wanted).some(
    ({ tool, skill_name: name }) => tool === about && (name === undefined || names(wanted, name, own)),
  );
  const opposed = placesOf(
    rulesOf(opposing),
    ({ tool, skill_name: name }) =>
      READING_TOOLS.includes(tool) && name !== undefined && meant.some((one) => names(opposing, name, one)),
  );
  const item = { tool: about, skill_name: skill };
  return [
    ...edit(["permissions", opposing], kind === "remember" ? [] : opposed),
    ...edit(["permissions", wanted], [], onlyRemove || isCovered ? undefined : item),
  ];
}

function checkSwitch(entry: string, path: string | undefined): void {
  if (path !== undefined || !looksLikePath(entry)) return;
  const message = `The name ${JSON.stringify(entry)} looks like a path; give the path of the skill instead.`;
  throw new SkillError("INVALID_PARAM", message);
}

function placesOf<T>(list: readonly T[], is: (entry: T) => boolean): number[] {
  return list.flatMap((entry, place) => (is(entry) ? [place] : []));
}

function edit(path: ListEdit["path"], remove: readonly number[], add?: ListEdit["add"]): ListEdit[] {
  return remove.length === 0 && add === undefined ? [] : [{ path, remove, add }];
}

function editLists(text: string, edits: readonly ListEdit[]): string {
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false });
  const { contents } = document;
  const root = isMap(contents) ? contents : withCommentsOf(contents, new YAMLMap(document.schema));
  document.contents = root as never;
  for (const { path, remove, add } of edits) {
    const list = collectionAt(collectionAt(root, path[0], YAMLMap), path[1], YAMLSeq);
    for (const place of remove.toReversed()) list.delete(place);
    if (add !== undefined) list.add(itemNode(add));
  }
  const indent = /^( +)[\w"'-]/m.exec(text)?.[1]?.length ?? 2;
  const indentSeq = !/^( *)\w+:[^\n]*\n\1- /m.test(text);
  return document.toString({ lineWidth: 0, indent, indentSeq });
}

/** The byte order mark and the line ends that the file had. */
function withMarksOf(before: string, text: string): string {
  const mark = before.startsWith("\ufeff") ? "\ufeff" : "";
  return mark + (before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text);
}

/** Printing a document changes its spaces: a line that differs from the old text in nothing else is put back. */
function keepLines(printed: string, before: string, kept: RegExp): string {
  const withoutSpaces = (line: string): string => line.replaceAll(/\s/g, "");
  const old = before.split("\n");
  const oldPlain = old.map(withoutSpaces);
  let next = 0;
  const lines = printed.split("\n").map((line) => {
    const plain = withoutSpaces(line);
    const found = plain === "" ? -1 : oldPlain.indexOf(plain, next);
    if (found === -1 || !kept.test(line)) return line;
    next = found + 1;
    return old[found];
  });
  return lines.join("\n");
}

/** The collection at a key; an empty one where the key is absent or has no value. */
function collectionAt<T extends YAMLMap | YAMLSeq>(map: YAMLMap, key: string, Kind: new () => T): T {
  const found = map.get(key, true);
  if (isCollection(found)) return found as unknown as T;
  const made = withCommentsOf(found, new Kind());
  map.set(key, made);
  return made;
}

function withCommentsOf<T extends YAMLMap | YAMLSeq>(empty: unknown, made: T): T {
  if (isScalar(empty))
    made.commentBefore = [empty.commentBefore, empty.comment].filter(Boolean).join("\n") || null;
  return made;
}

function itemNode(value: NonNullable<ListEdit["add"]>): Scalar | YAMLMap {
  if (typeof value === "string") return textNode(value);
  const map = new YAMLMap();
  map.flow = true;
  for (const [key, entry] of Object.entries(value)) map.set(key, textNode(entry));
  return map;
}

/** Words that another reader of YAML may take for something else than text are quoted. */
function textNode(text: string): Scalar {
  const node = new Scalar(text);
  const isPlain =
    /^(\/[\w./-]+|[a-z][\w-]*)$/i.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  if (!isPlain) node.type = "QUOTE_DOUBLE";
  return node;
}

/** The expected content: the edits applied to the parsed file, not to its text. */
function applyEdits(config: ConfigFile, edits: readonly ListEdit[]): unknown {
  const result: Record<string, Record<string, unknown[]>> = structuredClone(config) as never;
  for (const { path, remove, add } of edits) {
    const [outer, inner] = path;
    const list = (result[outer]?.[inner] ?? []).filter((_, place) => !remove.includes(place));
    result[outer] = { ...result[outer], [inner]: add === undefined ? list : [...list, add] };
  }
  return result;
}

/** An empty list or mapping counts as absent. */
function isSameContent(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(withoutEmpty(a), withoutEmpty(b));
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  const entries = Object.entries(value)
    .map(([key, entry]) => [key, withoutEmpty(entry)] as const)
    .filter(([, entry]) => entry !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
