import { posix } from "node:path";
import type { SkillMetadata } from "../../../skill/schema.ts";
import { nearestSkill, type SkillIndex, slashed } from "../skill-index.ts";
import type { Passage } from "../text/passages.ts";
import type { FoundReference } from "./reference.ts";

/** A path or a URL; with an empty name it refers to no skill, and neither do the words in it. */
export type PathReference =
  | FoundReference
  | { readonly start: number; readonly end: number; readonly name: "" };

const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s)>\]]+/gi;
const PATH = /(?<![\w:])(?:[\w.@~${}-]+\/|(?<=[\s("'])\/(?=[\w.-]+\/))+[\w.@*-]*/g;
const WEB = /^[a-z][a-z0-9+.-]*:|^#|^\/\/|^\w[\w-]*\.(?:com|org|io|dev|net|ai)\//i;

/** Paths in the text and targets of links: `../name/SKILL.md`, `skills/name`, `group/name`. */
export function pathReferences(passage: Passage, from: SkillMetadata, index: SkillIndex): PathReference[] {
  const { text, marks } = passage;
  const found: PathReference[] = [];
  for (const match of text.matchAll(ADDRESS))
    found.push({ start: match.index, end: match.index + match[0].length, name: "" });
  const addresses = found.length;
  for (const { kind, start, end, url = "" } of marks) {
    const made = kind === "link" ? skillAt(url.replace(/[#?].*$/, ""), from, index) : undefined;
    if (made?.name) found.push({ start, end, ...made, by: "link", isCode: false, isMarked: true });
  }
  for (const match of text.matchAll(PATH)) {
    const start = match.index;
    const path = match[0].replace(/[.]+$/, "");
    const end = start + path.length;
    if (found.slice(0, addresses).some((address) => start < address.end && end > address.start)) continue;
    const made = skillAt(path, from, index);
    if (!made) continue;
    if (found.some((other) => other.name !== "" && start < other.end && end > other.start)) continue;
    const code = marks.find((mark) => mark.kind === "code" && mark.start <= start && mark.end >= end);
    const isCode = code !== undefined && start > code.start + 1;
    found.push(
      made.name === ""
        ? { start, end, name: "" }
        : { start, end, ...made, by: "path", isCode, isMarked: true },
    );
  }
  return found;
}

type PathTarget = Pick<FoundReference, "name" | "skill" | "isFile">;

/** The skill at a path, or that contains it. `undefined` if words in the path may still be names. */
function skillAt(given: string, from: SkillMetadata, index: SkillIndex): PathTarget | undefined {
  const none: PathTarget = { name: "", skill: undefined, isFile: false };
  if (given === "" || WEB.test(given)) return given === "" ? undefined : none;
  const parts = given.split("/").filter((part) => part !== "");
  const isSkillFile = parts.at(-1)?.toUpperCase() === "SKILL.MD";
  if (isSkillFile) parts.pop();
  if (/^\.\.?\//.test(given)) {
    const folder = posix.join(slashed(from.dir), parts.join("/"));
    const own = slashed(from.dir);
    if (folder === own || folder.startsWith(`${own}/`)) return none;
    const place = index.byFolder.get(folder);
    if (place) return { name: place.name, skill: place, isFile: false };
  }
  const inSkills = parts.lastIndexOf("skills");
  const isRelative = parts[0] === "..";
  for (let at = parts.length - 1; at > 0 || (at === 0 && isSkillFile); at--) {
    const name = parts[at] as string;
    const skill = /^\.|\.\w{1,5}$/.test(name) ? undefined : nearestSkill(index, name, from);
    if (skill === undefined) continue;
    const isLast = at === parts.length - 1;
    // `group/name` is a reference if the name is unambiguous.
    if (!isRelative && inSkills < 0 && !isSkillFile && !(isLast && name.includes("-"))) continue;
    if (inSkills >= at) break;
    return { name, skill, isFile: !isLast };
  }
  const name = parts.at(-1) ?? "";
  const isNamed = /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(name) && !/^(?:my|your|example|skill)-|-name$/.test(name);
  if (isSkillFile && isNamed && (isRelative || parts[0] === "skills"))
    return { name, skill: undefined, isFile: false };
  return parts.length > 1 ? none : undefined;
}
