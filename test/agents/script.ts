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
  yield* allParts(
    call("skill_read_file", { name: "release-notes", file: "references/style.md" }),
    heard.file,
  );
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
  const parts: string[] = [];
  heard.skills.set(name, parts);
  yield* allParts(call("skill_load", { name }), parts);
}

function* allParts(first: Step, parts: string[]): Generator<Step, void, string> {
  let next: Step | undefined = first;
  while (next && parts.length < MAX_PARTS) {
    const text: string = yield next;
    parts.push(text);
    next = nextPart(text);
  }
}

/** A part says which call gets the next one; a model does what it says. */
function nextPart(text: string): Step | undefined {
  const [, tool, args] = /For the next part,? call (\w+) with (\{[^\n]*?\})\./.exec(text) ?? [];
  return tool && args ? call(tool, JSON.parse(args)) : undefined;
}

const call = (tool: string, args: Record<string, unknown>): Step => ({ tool, args });
