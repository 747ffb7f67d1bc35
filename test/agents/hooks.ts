import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Check } from "./checks/check.ts";
import type { Client } from "./clients/client.ts";
import { drive } from "./drive.ts";
import { install } from "./install.ts";
import type { Conversation, Script } from "./model/conversation.ts";
import type { ScriptedModel } from "./model/scripted-model.ts";
import { makeProject } from "./project.ts";
import { setUp } from "./set-up.ts";
import type { Row } from "./table.ts";
import type { Way } from "./way.ts";

/** What the skill `release-notes` of the project is for, and its text. */
const FITS = "Draft the release notes from the commits, before the release.";
const TEXT = "NORMAL-1 Read the commits.";
const POINTER = /skill \W*release-notes\W* \([^)]*\) fits this request/;
const NO_FIT = ["What is 17 times 23?", "Say hello in Finnish.", "Which planet is the largest?"];

/** What the hooks of one client do: the skill in the first request, nothing where nothing fits, gates, compaction, starts. */
export async function tryHooks(client: Client, model: ScriptedModel, starts: number): Promise<Row> {
  const { title, version } = client;
  const row = (checks: readonly Check[]): Row => ({ client: title, version, transport: "hooks", checks });
  try {
    const installed = install(client);
    using folder = makeProject();
    const way = { client, installed, folder, model };
    setUp(way);
    const plain = await firstRequests(way, NO_FIT);
    const { asCheck } = setUp(way, undefined, ["--hooks", ...(client.hookFlags ?? [])]);
    const hooked = await firstRequests(way, NO_FIT);
    const checks = [asCheck, await fits(way), nothing(plain, hooked)];
    checks.push(...(await compaction(way)), await gate(way), await race(way, starts));
    return row(checks);
  } catch (error) {
    return row([
      { name: "starts", ok: false, detail: error instanceof Error ? error.message : String(error) },
    ]);
  }
}

async function ask(
  way: Way,
  prompt: string,
  more: readonly string[] = [],
  script = sayDone(),
): Promise<Conversation> {
  const conversation = way.model.begin(script);
  const { args, hookArgs = [] } = way.client;
  await drive(way, [...args(prompt), ...hookArgs, ...more]);
  return conversation;
}

function* sayDone(): Script {
  yield* [];
  return "Done.";
}

/** The text of the skill, or where the client would damage it a pointer, is in the first request, once. */
async function fits(way: Way): Promise<Check> {
  const { first } = await ask(way, FITS);
  const body = first?.body ?? "";
  const times = body.split(TEXT).length - 1;
  const isPointer = POINTER.test(plainText(body));
  const ok = way.client.pointsOnly ? isPointer && times === 0 : times === 1;
  return {
    name: "fits",
    ok,
    detail: isPointer ? "a pointer in the first request" : `the text ${times} × in the first request`,
  };
}

const plainText = (body: string): string => body.replaceAll('\\"', '"').replaceAll("\\", "");

async function firstRequests(way: Way, prompts: readonly string[]): Promise<string[]> {
  const bodies: string[] = [];
  for (const prompt of prompts) bodies.push((await ask(way, prompt)).first?.asked.user ?? "");
  return bodies;
}

/** What the user said, and all that the client adds to it, but numbers, ids and times. */
const withoutIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d[\d:.,TZ-]*/gi, "#").replaceAll(/\s+/g, " ");

function nothing(plain: readonly string[], hooked: readonly string[]): Check {
  const same = hooked.filter((text, at) => withoutIds(text) === withoutIds(plain[at] ?? "")).length;
  const ok = same === plain.length && plain.every((text) => text !== "");
  return { name: "nothing fits", ok, detail: `${same} of ${plain.length} first requests as without hooks` };
}

/** Across the client's own compaction the text of the skill is there again. */
async function compaction(way: Way): Promise<Check[]> {
  const { resumes } = way.client;
  if (!resumes) return [];
  const id = randomUUID();
  await ask(way, FITS, resumes.id(id));
  await ask(way, resumes.compact, resumes.again(id));
  const { first } = await ask(way, "Go on.", resumes.again(id));
  const times = (first?.body ?? "").split(TEXT).length - 1;
  return [{ name: "compaction", ok: times === 1, detail: `the text ${times} × after it` }];
}

/** A write is refused, the skill is loaded, the write goes through. */
async function gate(way: Way): Promise<Check> {
  const { folder, client } = way;
  folder.write({ "home/.knack/config.yaml": 'gates: [{ files: ["**/*.sql"], needs: short-guide }]\n' });
  const path = folder.at("repo/schema.sql");
  const seen = { refused: "", before: true, loaded: "" };
  function* script(): Script {
    seen.refused = yield client.writes(path, "one");
    seen.before = existsSync(path);
    seen.loaded = yield { tool: "skill_load", args: { name: "short-guide" } };
    yield client.writes(path, "two");
    return "Done.";
  }
  await ask(way, "What is 17 times 23?", [], script());
  folder.write({ "home/.knack/config.yaml": "" });
  const isRefused = /short-guide/.test(seen.refused) && !seen.before;
  const ok = isRefused && seen.loaded.includes("SHORT-1") && existsSync(path);
  const says = isRefused ? "" : `: ${seen.refused.slice(0, 200)}`;
  return {
    name: "gate",
    ok,
    detail: `${isRefused ? "refused" : "not refused"}, then ${existsSync(path) ? "written" : "not written"}${says}`,
  };
}

/** Knack's tools, or at least their names, are in the first request of each start, also on a busy machine. */
async function race(way: Way, starts: number): Promise<Check> {
  const load = Array.from(
    { length: 8 },
    () => new Worker("for (;;) Math.sqrt(Math.random());", { eval: true }),
  );
  let there = 0;
  for (let at = 0; at < starts; at++) {
    const { first } = await ask(way, NO_FIT[at % NO_FIT.length] ?? "");
    if (first?.body.includes("skill_search")) there++;
  }
  await Promise.all(load.map((worker) => worker.terminate()));
  return {
    name: "start",
    ok: there === starts,
    detail: `tools in the first request ${there} of ${starts} times, at a load of 8`,
  };
}
