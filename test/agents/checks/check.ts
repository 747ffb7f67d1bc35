import type { Client } from "../clients/client.ts";
import type { Measured } from "../measure.ts";
import { ends } from "../model/conversation.ts";
import { BODIES, FILE } from "../project.ts";
import type { ServerFacts } from "../server-facts.ts";
import { checkHostile } from "./hostile.ts";

/** One thing that must hold; `detail` is what was measured. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** What a model may pay for the three tools of Knack, in tokens of four bytes. */
const MAX_OWN_TOKENS = 600;
/** What a client may make of a text: its own words around it included. */
const MAX_GROWTH = 1.15;
const TOOLS = ["skill_search", "skill_load", "skill_read_file"];

export function check(client: Client, measured: Measured, server: ServerFacts): Check[] {
  const { heard } = measured;
  return [
    checkConversation(measured),
    checkDefinitions(measured, server),
    checkInstructions(client, measured, server),
    checkBody("skill", [heard.skills.get("release-notes") ?? []].flat(), BODIES["release-notes"]),
    checkBody("53 KB", heard.skills.get("middle-guide") ?? [], BODIES["middle-guide"]),
    checkBody("100 KB", heard.skills.get("long-guide") ?? [], BODIES["long-guide"]),
    checkBody("file", heard.file, FILE),
    checkOnce(measured),
    checkAgain(measured),
    ...checkHostile(heard),
    checkQuestion(measured),
  ];
}

function checkConversation({ ended, conversation }: Measured): Check {
  const problems = [...conversation.problems];
  if (ended.isTimedOut) problems.push("it did not end in time");
  else if (ended.code !== 0) problems.push(`it ended with ${ended.code}`);
  if (!conversation.hasEnded) problems.push(`the script stopped after ${conversation.turns.length} turns`);
  const seconds = (ended.milliseconds / 1000).toFixed(1);
  const detail = `${conversation.turns.length} turns, ${seconds} s`;
  if (problems.length === 0) return { name: "connects", ok: true, detail };
  return {
    name: "connects",
    ok: false,
    detail: `${problems.join("; ")}: ${ended.output.trim().slice(-600)}`,
  };
}

/** Tokens of the definitions: of Knack's own, and of what the client made of them. */
function checkDefinitions({ conversation }: Measured, server: ServerFacts): Check {
  const own = TOOLS.map((name) => Buffer.byteLength(server.tools.get(name) ?? "")).reduce((a, b) => a + b);
  const last = conversation.turns.at(-1)?.asked.tools ?? [];
  const sent = TOOLS.map((name) => last.find((tool) => ends(tool.name, name))?.json ?? "");
  const bytes = [...sent, ...conversation.searchTexts].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
  const offered = new Set(
    [...server.tools.keys()].filter((tool) => last.some(({ name }) => ends(name, tool))),
  );
  const deferred = TOOLS.filter((name) => conversation.searched.has(name));
  const how = deferred.length > 0 ? ` after a search (${deferred.length} deferred)` : "";
  return {
    name: "definitions",
    ok: Math.ceil(own / 4) <= MAX_OWN_TOKENS,
    detail: `${Math.ceil(own / 4)} tokens, sent as ${Math.ceil(bytes / 4)}${how}; ${offered.size} of ${server.tools.size} tools`,
  };
}

/** Whole where the client passes them; a client that passes none is named in its own file. */
function checkInstructions(client: Client, { conversation }: Measured, { instructions }: ServerFacts): Check {
  const name = "instructions";
  const bodies = conversation.turns.map(({ asked }) => `${asked.system}\n${asked.user}\n${toolTexts(asked)}`);
  const isWhole = bodies.some((body) => plain(body).includes(plain(instructions)));
  if (isWhole)
    return { name, ok: client.passesInstructions, detail: `whole (${instructions.length} characters)` };
  const begin = instructions.trim().slice(0, 40);
  const isCut = bodies.some((body) => body.includes(begin));
  return { name, ok: !isCut && !client.passesInstructions, detail: isCut ? "cut" : "not passed" };
}

/** Some clients indent every line. */
const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const toolTexts = ({ tools }: { readonly tools: readonly { readonly json: string }[] }): string =>
  tools.map(({ json }) => descriptionOf(json)).join("\n");

function descriptionOf(json: string): string {
  const { description = "", function: inner } = JSON.parse(json);
  return `${description}${inner?.description ?? ""}`;
}

/** All parts together are the text, byte for byte, once, and little more. */
function checkBody(name: string, parts: readonly string[], text: string): Check {
  const found = parts.map((part) => bodyIn(part, text));
  const isWhole = found.join("") === text;
  const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const growth = size / Buffer.byteLength(text);
  const isSmall = growth <= MAX_GROWTH || Buffer.byteLength(text) < 1000;
  const got = found.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const share = isWhole ? "whole" : `${got} of ${Buffer.byteLength(text)} bytes`;
  return {
    name,
    ok: isWhole && isSmall,
    detail: `${share} in ${parts.length}, ${growth.toFixed(2)} ×`,
  };
}

/** The piece of the text that a part carries: from the first line of it to the last, if all between is the text too. */
function bodyIn(part: string, text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => part.includes(line));
  const last = lines.findLastIndex((line) => part.includes(line));
  if (first < 0) return "";
  const piece = lines.slice(first, last + 1).join("\n");
  // The line end between two parts belongs to the text, wherever a client puts it.
  return part.includes(piece) ? `${piece}${last + 1 < lines.length ? "\n" : ""}` : "";
}

/** No line of a text is twice in one request. */
function checkOnce({ conversation }: Measured): Check {
  const bodies = conversation.turns.map(({ body }) => body);
  const marks = [
    "NORMAL-1 ",
    "MIDDLE-00000:",
    "MIDDLE-00400:",
    "LONG-00000:",
    "LONG-01000:",
    "HOSTILE-0 ",
    "FILE-00300:",
  ];
  const most = marks.map((mark) => ({
    mark,
    times: Math.max(0, ...bodies.map((body) => body.split(mark).length - 1)),
  }));
  const wrong = most.filter(({ times }) => times !== 1);
  return {
    name: "once",
    ok: wrong.length === 0,
    detail: wrong.map(({ mark, times }) => `${mark.trim()} ${times} ×`).join(", ") || "each text once",
  };
}

/** What was given in part is not loaded; what was given whole is. */
function checkAgain({ heard, transport }: Measured): Check {
  const isHalf = heard.halfAgain.includes("HALF-00000:");
  const isWhole = /already loaded/.test(heard.again);
  // Over HTTP some clients speak a revision without sessions, where nothing is remembered.
  return {
    name: "again",
    ok: isHalf && (isWhole || transport === "http"),
    detail: `in part: ${isHalf ? "given again" : "withheld"}; whole: ${isWhole ? "a reminder" : "given again"}`,
  };
}

/** A question in a client without a person: nobody refused, and the answer says how to allow it. */
function checkQuestion({ heard: { question } }: Measured): Check {
  const isRun = question.includes("COUNTED");
  const isRefused = /user refused/i.test(question);
  const saysHow = /permissions\.allow|knack allow/.test(question);
  const says = question.match(/Error: (.*?)(?:\\n|\n|"|$)/)?.[1] ?? question.slice(0, 200);
  return {
    name: "question",
    ok: !isRun && !isRefused && saysHow,
    detail: isRun ? "the client allowed it by itself" : says,
  };
}
