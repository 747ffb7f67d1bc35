import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { HOME, makeProject, REPO } from "../cli/run.ts";
import { type AnswerOf, Api } from "./api.ts";
import { Server } from "./server.ts";

type Part = AnswerOf<"GET /api/graph/part">;
type Outline = AnswerOf<"GET /api/graph/outline">;

const uses = (name: string, ...others: string[]): string =>
  skillText(name) + others.map((other) => `\nREQUIRED SUB-SKILL: Use ${other}.\n`).join("");

const folder = makeProject({
  [`${REPO}/release/SKILL.md`]: uses("release", "code-review", "no-such-skill"),
  [`${REPO}/code-review/SKILL.md`]: uses("code-review", "debugging"),
  [`${REPO}/debugging/SKILL.md`]: uses("debugging", "tracing"),
  [`${REPO}/tracing/SKILL.md`]: uses("tracing"),
  [`${REPO}/first/SKILL.md`]: uses("first", "second"),
  [`${REPO}/second/SKILL.md`]: uses("second", "first"),
  [`${HOME}/alone/SKILL.md`]: uses("alone"),
});
const server = await Server.forFile(folder);
const api = await Api.of(server);

const part = async (query = ""): Promise<Part> => (await api.get<Part>(`/api/graph/part${query}`)).data;
const names = ({ nodes }: Part): string[] => nodes.map(({ name }) => name);

describe("GET /api/graph/outline", () => {
  it("has every skill, each edge by its places, cycles and what is missing", async () => {
    const { data } = await api.get<Outline>("/api/graph/outline");
    const nameOf = (at: number): string => data.nodes[at]?.name ?? "";
    expect(data.nodes.map(({ name }) => name)).toContain("alone");
    const edges = data.edges.map(({ from, to, cycle }) => `${nameOf(from)} ${nameOf(to)} ${cycle}`);
    expect(edges).toEqual(
      expect.arrayContaining([
        "release code-review false",
        "code-review debugging false",
        "first second true",
        "second first true",
      ]),
    );
    expect(data.cycles.map((cycle) => cycle.map(nameOf))).toEqual([["first", "second"]]);
    expect(data.missing.map((one) => ({ ...one, from: nameOf(one.from) }))).toMatchObject([
      { from: "release", name: "no-such-skill", why: "none" },
    ]);
  });
});

describe("GET /api/graph/part", () => {
  it("is one step around a skill, with sentences, rules and how much more there is", async () => {
    const around = await part("?around=code-review");
    expect(names(around)).toEqual(["code-review", "debugging", "release"]);
    expect(around.nodes.map(({ distance, hidden }) => [distance, hidden])).toEqual([
      [0, 0],
      [1, 1],
      [1, 0],
    ]);
    expect(around.edges).toHaveLength(2);
    for (const { sentence, rules, type } of around.edges) {
      expect(sentence).toContain("REQUIRED SUB-SKILL");
      expect(rules.length).toBeGreaterThan(0);
      expect(type).toBe("requires_now");
    }
    expect(around.missing).toEqual([]);
    expect((await part("?around=release")).missing).toMatchObject([{ name: "no-such-skill" }]);
    expect(around.focus).toBe(around.nodes[0]?.id);
  });

  it("goes further with depth, up to 3, and stops at the limit", async () => {
    expect(names(await part("?around=release&depth=2"))).toEqual(["release", "code-review", "debugging"]);
    expect(names(await part("?around=release&depth=9"))).toContain("tracing");
    const cut = await part("?around=release&depth=3&limit=2");
    expect(names(cut)).toEqual(["release", "code-review"]);
    expect(cut.left_out).toBe(2);
  });

  it("is all skills with edges without a skill, and takes ids", async () => {
    const all = await part();
    expect(all.focus).toBeNull();
    expect(names(all)).not.toContain("alone");
    expect(names(all)).toContain("tracing");
    const [first] = all.nodes;
    expect(names(await part(`?around=${first?.id}`))[0]).toBe(first?.name);
  });

  it("refuses what is no skill, or no number", async () => {
    const status = async (query: string): Promise<number> =>
      (await api.get(`/api/graph/part?${query}`)).status;
    expect(await status("around=none")).toBe(404);
    expect(await status("around=off")).toBe(404);
    expect(await status("around=release&depth=0")).toBe(400);
    expect(await status("around=release&limit=x")).toBe(400);
    expect((await part("?around=alone")).edges).toEqual([]);
  });
});
