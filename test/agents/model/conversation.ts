import type { Asked, Call, Reply, SentTool } from "./dialect.ts";

/** What the model does next: it calls a tool of Knack by the end of its name, whatever the client put before it. */
export interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Yields calls, gets what the client made of each result, and ends with the last words. */
export type Script = Generator<Step, string, string>;

/** With these a client lets the model look for tools that it only named. */
const SEARCH_TOOLS = /^(?:ToolSearch|tool_search)$/;
/** How often: some clients let the model begin while a server is still starting. */
const MAX_SEARCHES = 100;
/** Where a tool that was found is called through another. */
const CALL_TOOL = "tool_call";

export interface Around {
  /** What the model does with the tasks that it gives to subagents. */
  readonly subagents?: Readonly<Record<string, Script>>;
  /** A request of the conversation itself offers this tool; without it, one of Knack's or a search for tools. */
  readonly offers?: string;
}

/** One run of a client: the model's side of it, and everything the client sent. */
export class Conversation {
  /** Requests of the conversation itself, not of titles and summaries. */
  readonly turns: { readonly asked: Asked; readonly body: string }[] = [];
  readonly problems: string[] = [];
  /** The first request in which the model could use any tool: what is not in it comes too late for a short task. */
  first: { readonly asked: Asked; readonly body: string } | undefined;
  /** Tools that the client offered only after the model looked for them, with the names that it gave them. */
  readonly searched = new Map<string, string | undefined>();
  /** Definitions that the client gave only as the result of such a search. */
  readonly searchTexts: string[] = [];
  readonly #script: Script;
  readonly #isOffered: (name: string) => boolean;
  readonly #subagents: readonly { readonly task: string; readonly conversation: Conversation }[];
  #pending: { readonly call: Call; readonly step: Step; readonly isSearch: boolean } | undefined;
  #count = 0;
  #searches = 0;
  #hasBegun = false;
  #lastWords: string | undefined;

  constructor(script: Script, { subagents = {}, offers }: Around = {}) {
    this.#script = script;
    this.#isOffered =
      offers === undefined ? (name) => isOurs(name) || SEARCH_TOOLS.test(name) : (name) => ends(name, offers);
    this.#subagents = Object.entries(subagents).map(([task, own]) => ({
      task,
      conversation: new Conversation(own),
    }));
  }

  /** That of the subagent with this task. */
  subagent(task: string): Conversation | undefined {
    return this.#subagents.find((one) => one.task === task)?.conversation;
  }

  get hasEnded(): boolean {
    return this.#lastWords !== undefined;
  }

  reply(asked: Asked, body: string): Reply {
    const subagent = this.#subagents.find(({ task }) => asked.user.includes(task));
    if (subagent) return subagent.conversation.reply(asked, body);
    if (asked.tools.length > 0) this.first ??= { asked, body };
    if (!asked.tools.some(({ name }) => this.#isOffered(name))) return { text: "ok" };
    this.turns.push({ asked, body });
    if (this.#lastWords !== undefined) return { text: this.#lastWords };
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      return this.#take(this.#script.next(), asked);
    }
    const pending = this.#pending;
    if (!pending) return { text: "ok" };
    const result = asked.results.find(({ id }) => id === pending.call.id);
    // Sent again, because the client repeats a request that failed.
    if (!result) return { call: pending.call };
    if (pending.isSearch) {
      const isListed = asked.tools.some(({ name }) => ends(name, pending.step.tool));
      if (!isListed && pending.step.tool.startsWith("skill_")) this.searchTexts.push(result.text);
      return this.#call(pending.step, asked, true);
    }
    return this.#take(this.#script.next(result.text), asked);
  }

  #take(next: IteratorResult<Step, string>, asked: Asked): Reply {
    if (!next.done) return this.#call(next.value, asked, false);
    this.#pending = undefined;
    this.#lastWords = next.value;
    return { text: next.value };
  }

  #call(step: Step, asked: Asked, hasSearched: boolean): Reply {
    const id = `call_${++this.#count}`;
    const tool = asked.tools.find(({ name }) => ends(name, step.tool));
    const search = asked.tools.find(({ name }) => SEARCH_TOOLS.test(name));
    const found = hasSearched ? (tool?.name ?? deferredName(asked, step.tool)) : undefined;
    const isNew = (!tool || tool.isDeferred) && this.searched.get(step.tool) === undefined;
    if (search && isNew && found === undefined && this.#searches++ < MAX_SEARCHES) {
      const call = { id, tool: search.name, args: searchArgs(search, step.tool) };
      this.#pending = { call, step, isSearch: true };
      return { call };
    }
    if (hasSearched) this.searched.set(step.tool, found);
    const name = tool?.name ?? this.searched.get(step.tool);
    if (name === undefined) {
      this.problems.push(`the client does not offer ${step.tool}`);
      this.#lastWords = "The tool is missing.";
      return { text: this.#lastWords };
    }
    const isIndirect = !tool && asked.tools.some((one) => one.name === CALL_TOOL);
    const call = isIndirect
      ? { id, tool: CALL_TOOL, args: { name, arguments: step.args } }
      : { id, tool: name, args: step.args };
    this.#pending = { call, step, isSearch: false };
    return { call };
  }
}

const isOurs = (name: string): boolean =>
  /(?:^|[_/.-])(?:skill_\w+|Skill)$/.test(name) && !/^Skill$/.test(name);

export const ends = (name: string, tool: string): boolean =>
  new RegExp(`(?:^|[^a-zA-Z0-9])(?:${tool})$`).test(name);

function searchArgs(search: SentTool, wanted: string): Record<string, unknown> {
  const isByName = search.json.includes("select:");
  return { query: isByName ? `select:mcp__knack__${wanted}` : `knack ${wanted.replaceAll("_", " ")}` };
}

/** After a search some clients give the definition in its result and not in the list of tools. */
function deferredName(asked: Asked, wanted: string): string | undefined {
  const found = asked.results.at(-1)?.text.match(new RegExp(`[\\w/.-]*${wanted}\\b`));
  return found?.[0];
}
