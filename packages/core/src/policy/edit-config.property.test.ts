import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSeq, parseDocument } from "yaml";
import { checkConfig } from "../config/check.ts";
import { cases } from "../shared/testing/cases.ts";

import { changeText, type PolicyChange } from "./edit-config.ts";

/** At least so many in every test run; `npm run fuzz` sets a million. */
const RUNS = cases(2_000);

interface Style {
  readonly eol: string;
  readonly comment: () => string;
}

const NAMES = ["a", "b", "B", "true", "über", "x y", "12"];
const skill = fc.constantFrom(...NAMES);
const tool = fc.constantFrom("skill_load", "Skill", "skill_read_file", "skill_dispatch", "shell");
const rule = fc.record({ tool, skill: fc.option(skill) });
type Rule = { tool: string; skill: string | null };
type Look = "flow" | "lines" | "block" | "null" | "tilde" | "empty" | "none";
const look = fc.constantFrom<Look>("flow", "lines", "block", "block", "null", "tilde", "empty", "none");

/** A list of items below a key, in one of the ways that people write one; `indent` is the key's. */
function listText(key: string, items: readonly string[], how: Look, indent: string, style: Style): string {
  const { eol, comment } = style;
  const line = (text: string): string => `${text}${comment()}${eol}`;
  const own = (): string => {
    const text = comment();
    return text === "" ? "" : `${indent}  ${text.trim()}${eol}`;
  };
  if (how === "none") return "";
  if (how === "null") return line(`${indent}${key}:`) + own();
  if (how === "tilde") return line(`${indent}${key}: ~`);
  if (how === "empty" || items.length === 0) return line(`${indent}${key}: [ ]`);
  if (how === "flow") return line(`${indent}${key}: [${items.join(", ")}]`);
  if (how === "lines")
    return (
      line(`${indent}${key}: [`) +
      items.map((item) => own() + line(`${indent}  ${item},`)).join("") +
      own() +
      line(`${indent}  ]`)
    );
  return (
    line(`${indent}${key}:`) +
    items.map((item) => own() + line(`${indent}- ${blockItem(item, indent, style)}`)).join("")
  );
}

/** Half of the mappings over several lines, with comments between them. */
function blockItem(item: string, indent: string, { eol, comment }: Style): string {
  const text = comment();
  if (!item.startsWith("{") || text === "") return item;
  return item.slice(2, -2).split(", ").join(`${text}${eol}${indent}  `);
}

const quote = (text: string): string => (/^[ab]$/i.test(text) ? text : JSON.stringify(text));
const ruleText = ({ tool: name, skill: about }: Rule): string =>
  about === null ? `{ tool: ${name} }` : `{ tool: ${name}, skill_name: ${quote(about)} }`;

const file = fc
  .record({
    eol: fc.constantFrom("\n", "\n", "\r\n"),
    mark: fc.constantFrom("", "", "\ufeff", "---\n"),
    comments: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
    rules: fc.tuple(fc.array(rule, { maxLength: 4 }), fc.array(rule, { maxLength: 4 })),
    disabled: fc.array(skill, { maxLength: 4 }),
    looks: fc.tuple(look, look, look),
    parents: fc.tuple(
      fc.constantFrom("block", "flow", "none", "null"),
      fc.constantFrom("block", "flow", "none", "null"),
    ),
    order: fc.boolean(),
    tail: fc.constantFrom("", "# the end", "dispatch: {maxDepth:   2} # as it was\n\n\n"),
    cut: fc.boolean(),
  })
  .map(({ eol, mark, comments, rules: [allow, deny], disabled, looks, parents, order, tail, cut }) => {
    let next = 0;
    const comment = (): string => {
      const number = next++;
      return comments[number % comments.length] ? `  # c${number}` : "";
    };
    const style: Style = { eol, comment };
    const parent = (key: string, how: string, lists: [string, readonly string[], Look][]): string => {
      if (how === "none") return "";
      if (how === "null") return `${key}:${comment()}${eol}`;
      if (how === "flow") {
        const entries = lists
          .filter(([, , listLook]) => listLook !== "none")
          .map(([name, items, listLook]) =>
            listLook === "null" ? `${name}: ` : `${name}: [ ${items.join(" , ")} ]`,
          );
        return `${key}: { ${entries.join(", ")} }${comment()}${eol}`;
      }
      const body = lists
        .map(([name, items, listLook]) => listText(name, items, listLook, "  ", style))
        .join("");
      return `${key}:${comment()}${eol}${body}`;
    };
    const permissions = parent("permissions", parents[0], [
      ["allow", allow.map(ruleText), looks[0]],
      ["deny", deny.map(ruleText), looks[1]],
    ]);
    const skills = parent("skills", parents[1], [["disabled", disabled.map(quote), looks[2]]]);
    const parts = order ? [permissions, skills] : [skills, permissions];
    const text = mark + parts.join(comments[39] ? eol : "") + tail;
    return cut ? text.trimEnd() : text;
  });

const change: fc.Arbitrary<PolicyChange> = fc.record({
  kind: fc.constantFrom("allow", "deny", "enable", "disable", "remember"),
  skill,
});

/** Every rule and switch as a text, except those about the skill. */
function others(text: string, name: string): string[] {
  const config = checkConfig(text, "f");
  if (Array.isArray(config)) throw new Error(JSON.stringify([config, text]));
  const { allow = [], deny = [] } = config.permissions ?? {};
  const isOther = (about: string | undefined): boolean => about?.toLowerCase() !== name.toLowerCase();
  const rules = (list: typeof allow): string[] =>
    list.filter((entry) => isOther(entry.skill_name)).map((entry) => JSON.stringify(entry));
  return [
    ...rules(allow),
    "denied",
    ...rules(deny),
    "disabled",
    ...(config.skills?.disabled ?? []).filter(isOther),
  ];
}

const commentsOf = (text: string): string[] => (text.match(/# (c\d+|the end|as it was)/g) ?? []).sort();
/** Comments in and before the lists: one of a removed entry goes with it. */
function commentsInLists(text: string): string[] {
  const document = parseDocument(text);
  const lists = [
    ["permissions", "allow"],
    ["permissions", "deny"],
    ["skills", "disabled"],
  ];
  return lists.flatMap((path) => {
    const list = document.getIn(path, true);
    if (!isSeq(list) || !list.range) return [];
    return commentsOf(text.slice(text.lastIndexOf(":", list.range[0]), list.range[2]));
  });
}
function entriesIn(text: string): number {
  const config = checkConfig(text, "f");
  if (Array.isArray(config)) throw new Error(JSON.stringify([config, text]));
  const { allow = [], deny = [] } = config.permissions ?? {};
  return allow.length + deny.length + (config.skills?.disabled ?? []).length;
}
/** A line that speaks neither of a list nor of an item must stay as it is. */
/** Without the byte order mark: an empty first line may go, and the mark then stands before the next one. */
const linesOf = (text: string): string[] =>
  text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.startsWith("dispatch"));

describe("a change of a configuration file", () => {
  it("loses no comment of what stays, no other rule and no other line, says what was asked, and can be made only once", () => {
    fc.assert(
      fc.property(file, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
        let before = text;
        for (const wanted of changes) {
          const after = changeText(before, "f", wanted, (entry) => entry);
          const goneWithEntries = commentsInLists(before);
          const lost = commentsOf(before).filter((comment) => !commentsOf(after).includes(comment));
          expect(lost.filter((comment) => !goneWithEntries.includes(comment))).toEqual([]);
          expect(commentsOf(after).filter((comment) => !commentsOf(before).includes(comment))).toEqual([]);
          if (entriesIn(after) > entriesIn(before)) expect(lost).toEqual([]);
          expect(others(after, wanted.skill)).toEqual(others(before, wanted.skill));
          expect(linesOf(after)).toEqual(linesOf(before));
          expect(after.startsWith("\ufeff")).toBe(before.startsWith("\ufeff"));
          if (before.includes("\r\n") && !/[^\r]\n/.test(before)) expect(after).not.toMatch(/[^\r]\n/);
          expect(changeText(after, "f", wanted, (entry) => entry)).toBe(after);
          before = after;
        }
      }),
      { numRuns: RUNS },
    );
  });
});
