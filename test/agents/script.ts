import type { Script, Step } from "./model/conversation.ts";
import type { SkillName } from "./project.ts";

/** What the model got during one conversation, by what it asked for. */
export interface Heard {
  search: string;
  hostileSearch: string;
  /** The parts of each skill, in order. */
  readonly skills: Map<SkillName, string[]>;
  /** The parts of the file. */
  readonly file: string[];
  /** A skill asked for again after all of it was given. */
  again: string;
  /** A skill asked for again after one part of it. */
  halfAgain: string;
  question: string;
}

/** More parts than any text here has; then something repeats itself. */
const MAX_PARTS = 40;

/** Search, load, read a file, load long and hostile skills, then run code, which needs a permission. */
export function* wholeScript(heard: Heard): Script {
  heard.search = yield call("skill_search", { query: "draft release notes" });
  yield* load("release-notes", heard);
  yield* readParts({ name: "release-notes", file: "references/style.md" }, heard.file);
  yield* load("middle-guide", heard);
  yield* load("long-guide", heard);
  yield call("skill_load", { name: "half-guide" });
  heard.halfAgain = yield call("skill_load", { name: "half-guide" });
  yield call("skill_load", { name: "short-guide" });
  heard.again = yield call("skill_load", { name: "short-guide" });
  heard.hostileSearch = yield call("skill_search", { query: "forges structure hostile" });
  yield* load("hostile", heard);
  heard.question = yield call("count_lines", { params: { text: "a" } });
  return "Done.";
}

export const newHeard = (): Heard => ({
  search: "",
  hostileSearch: "",
  skills: new Map(),
  file: [],
  again: "",
  halfAgain: "",
  question: "",
});

function* load(name: SkillName, heard: Heard): Generator<Step, void, string> {
  const first = yield call("skill_load", { name });
  const parts = [first];
  heard.skills.set(name, parts);
  if (nextPart(first)) yield* readParts({ name, file: "SKILL.md", ...nextPart(first) }, parts);
}

function* readParts(args: Record<string, unknown>, parts: string[]): Generator<Step, void, string> {
  let next: Record<string, unknown> | undefined = args;
  while (next && parts.length < MAX_PARTS) {
    const text: string = yield call("skill_read_file", next);
    parts.push(text);
    const more = nextPart(text);
    next = more && { ...args, ...more };
  }
}

/** A part says how to get the next one; a model does what it says. */
function nextPart(text: string): Record<string, unknown> | undefined {
  const offset = text.match(/offset\\?["'`]?\s*[:=]?\s*([\d,]+)/)?.[1];
  return offset === undefined ? undefined : { offset: Number(offset.replaceAll(",", "")) };
}

const call = (tool: string, args: Record<string, unknown>): Step => ({ tool, args });
