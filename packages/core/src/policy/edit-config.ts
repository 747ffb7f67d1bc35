import { isDeepStrictEqual } from "node:util";
import { isCollection, isMap, isScalar, type Node, parseDocument, visit, YAMLMap, YAMLSeq } from "yaml";
import { checkConfig } from "../config/check.ts";
import type { ConfigFile } from "../config/config.ts";
import { problemText } from "../config/load.ts";
import type { PermissionRule } from "../config/rules.ts";
import { looksLikePath, READING_TOOLS, skillNameFault } from "../config/rules.ts";
import { KnackError } from "../shared/errors.ts";
import { isExactly, type Named, refersTo } from "../skill/name.ts";

export interface PolicyChange {
  /** `remember`: the answer "always allow"; it removes no deny rule, because a denied call never asks. */
  readonly kind: "allow" | "deny" | "enable" | "disable" | "remember";
  readonly skill: string;
  /** The absolute path of its folder. `disable` then disables this skill only, not every skill of the name. */
  readonly path?: string;
  /** Entries that name one of these by id or path are removed too. */
  readonly skills?: readonly Named[];
  /** Of `remember`: the tool that was asked about; `skill_load` by default. */
  readonly tool?: string;
  /** Only removes opposing rules and adds none: for a skill that no longer exists. */
  readonly onlyRemove?: boolean;
}

/** The same text if nothing changes. A removed entry takes its comment along; other lines stay. The result is checked. */
export function changeText(
  text: string,
  file: string,
  change: PolicyChange,
  switchOf: (entry: string) => string,
): string {
  const before = checkConfig(text, file);
  if (Array.isArray(before)) throw new KnackError("CONFIG_INVALID", problemText(before));
  const after = changedConfig(before, change, switchOf);
  const changed = LISTS.filter((path) => listAt(before, path) !== listAt(after, path));
  if (changed.length === 0) return text;
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const printed = withLists(plain, before, after, changed);
  // Oddly indented old lines may not fit the new ones; top-level lines always do.
  const results = [keepLines(printed, plain, /^/), keepLines(printed, plain, /^\S/), printed].map((one) =>
    withMarksOf(text, one),
  );
  const result = results.find((one) => isDeepStrictEqual(checkConfig(one, file), after));
  if (result !== undefined) return result;
  const where = changed.map((path) => path.join(".")).join(" and ");
  throw new KnackError(
    "CONFIG_INVALID",
    `${file} cannot be edited without changing other parts of it; change ${where} by hand.`,
  );
}

type ListPath = readonly ["permissions", "allow" | "deny"] | readonly ["skills", "disabled"];
type Entry = string | PermissionRule;

const LISTS: readonly ListPath[] = [
  ["permissions", "allow"],
  ["permissions", "deny"],
  ["skills", "disabled"],
];

function listAt(config: ConfigFile, [outer, inner]: ListPath): readonly Entry[] | undefined {
  return (config as Record<string, Record<string, readonly Entry[]>>)[outer]?.[inner];
}

/** Lists that need no change stay the same object. `switchOf`: an entry as the catalog compares it. */
function changedConfig(
  config: ConfigFile,
  change: PolicyChange,
  switchOf: (entry: string) => string,
): ConfigFile {
  const { kind, skill, path, onlyRemove = false, tool: about = "skill_load" } = change;
  const own: Named = { name: skill, ...(path === undefined ? {} : { dir: path, path: `${path}/SKILL.md` }) };
  const { skills: meant = [own] } = change;
  const { disabled = [] } = config.skills ?? {};
  if (kind === "enable") {
    const isMeant = (entry: string): boolean => [own, ...meant].some((one) => refersTo(switchOf(entry), one));
    return without(config, ["skills", "disabled"], disabled.filter(isMeant));
  }
  if (kind === "disable") {
    if (path === undefined && looksLikePath(skill)) {
      const message = `The name ${JSON.stringify(skill)} looks like a path; give the path of the skill instead.`;
      throw new KnackError("INVALID_PARAM", message);
    }
    const isSo = onlyRemove || disabled.some((entry) => refersTo(switchOf(entry), own));
    return isSo ? config : withList(config, ["skills", "disabled"], [...disabled, path ?? skill]);
  }
  const fault = skillNameFault(skill);
  if (fault) {
    const next =
      kind === "deny" ? "Disable it by its path instead." : "Write the rule yourself, with its path.";
    throw new KnackError("INVALID_PARAM", `No rule can name this skill: skill_name ${fault} ${next}`);
  }
  const [wanted, opposing] = kind === "deny" ? (["deny", "allow"] as const) : (["allow", "deny"] as const);
  const { [wanted]: rules = [], [opposing]: opposed = [] } = config.permissions ?? {};
  const names = (list: "allow" | "deny", entry: string, one: Named): boolean =>
    (list === "deny" ? refersTo : isExactly)(switchOf(entry), one);
  const isOpposed = ({ tool, skill_name: name }: PermissionRule): boolean =>
    READING_TOOLS.includes(tool) && name !== undefined && meant.some((one) => names(opposing, name, one));
  const isCovered = rules.some(
    ({ tool, skill_name: name }) => tool === about && (name === undefined || names(wanted, name, own)),
  );
  const gone = kind === "remember" ? [] : opposed.filter(isOpposed);
  const result = without(config, ["permissions", opposing], gone);
  if (onlyRemove || isCovered) return result;
  return withList(result, ["permissions", wanted], [...rules, { tool: about, skill_name: skill }]);
}

function without(config: ConfigFile, path: ListPath, gone: readonly Entry[]): ConfigFile {
  if (gone.length === 0) return config;
  const left = listAt(config, path)?.filter((entry) => !gone.includes(entry)) ?? [];
  return withList(config, path, left);
}

function withList(config: ConfigFile, [outer, inner]: ListPath, list: readonly Entry[]): ConfigFile {
  return { ...config, [outer]: { ...config[outer], [inner]: list } };
}

function withLists(
  text: string,
  before: ConfigFile,
  after: ConfigFile,
  changed: readonly ListPath[],
): string {
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false });
  const { contents } = document;
  const root = isMap(contents) ? contents : withCommentsOf(contents, new YAMLMap(document.schema));
  document.contents = root as never;
  for (const path of changed) {
    const list = collectionAt(collectionAt(root, path[0], YAMLMap), path[1], YAMLSeq<Node>);
    const entries = listAt(after, path) ?? [];
    const old = listAt(before, path) ?? [];
    list.items = list.items.filter((_, at) => entries.includes(old[at] ?? ""));
    for (const entry of entries.slice(list.items.length))
      list.add(quoted(document.createNode(entry, { flow: true })));
  }
  const indent = /^( +)[\w"'-]/m.exec(text)?.[1]?.length ?? 2;
  const indentSeq = !/^( *)\w+:[^\n]*\n\1- /m.test(text);
  return document.toString({ lineWidth: 0, indent, indentSeq });
}

/** Quotes what other readers of YAML may not take for text. */
function quoted(node: Node): Node {
  visit(node, {
    Scalar: (_, scalar) => {
      const text = String(scalar.value);
      const isPlain =
        /^(\/[\w./-]+|[a-z][\w-]*)$/i.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
      if (!isPlain) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return node;
}

/** Restores the byte order mark and the line ends. */
function withMarksOf(before: string, text: string): string {
  const mark = before.startsWith("\ufeff") ? "\ufeff" : "";
  return mark + (before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text);
}

/** Puts back lines that printing changed only in their spaces. */
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

/** An empty one where the key is absent or has no value. */
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
