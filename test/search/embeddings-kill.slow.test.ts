import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { environment, PROGRAM, REPO } from "../cli/run.ts";
import { TerminalWindow } from "../cli/terminal-window.ts";
import { answerWords, Endpoint } from "./embeddings-server.ts";

const SKILLS = 2_000;

function project(url: string): Folder {
  const skills = Array.from({ length: SKILLS }, (_, i) => [
    `${REPO}/skill-${i}/SKILL.md`,
    skillText(`skill-${i}`, `Task number ${i}.`),
  ]);
  return makeFolder({
    ...Object.fromEntries(skills),
    "repo/.git/": "",
    "home/.knack/config.yaml": `skills: { search: { embeddings: { url: "${url}", model: test } } }\n`,
  });
}

function search(folder: Folder): ReturnType<typeof spawn> {
  const options = { cwd: folder.at("repo"), env: environment(folder), stdio: "ignore" } as const;
  return spawn(process.execPath, [PROGRAM, "search", "task", "number", "--json"], options);
}

describe("making vectors", () => {
  it("keeps what is done when its process is killed at any moment", async () => {
    await using endpoint = await Endpoint.start(async (asked, response) => {
      await sleep(500);
      answerWords(asked, response);
    });
    using folder = project(endpoint.url);
    for (const ms of [3_500, 4_500]) {
      const child = search(folder);
      await sleep(ms);
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    endpoint.answer = answerWords;
    const asked = async (): Promise<number> => {
      endpoint.asked.length = 0;
      expect(await once(search(folder), "exit")).toEqual([0, null]);
      return endpoint.texts.filter((input) => input.startsWith("skill ")).length;
    };
    const left = await asked();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(SKILLS);
    expect(await asked()).toBe(0);
  });

  it("shows its progress on a terminal, and then the results alone", async () => {
    await using endpoint = await Endpoint.start(async (asked, response) => {
      await sleep(150);
      answerWords(asked, response);
    });
    using folder = project(endpoint.url);
    using window = new TerminalWindow(folder);
    window.run("knack search task number --limit 1");
    await window.shows(/^Making vectors: [\d,]+ of 2,000 skills \(Ctrl-C keeps what is done\)$/m);
    const screen = await window.shows("--limit shows more", 60);
    expect(screen).not.toContain("Making vectors");
  });

  it("does not keep a process alive that has its answer", async () => {
    // It never answers.
    await using endpoint = await Endpoint.start(() => undefined);
    using folder = project(endpoint.url);
    const script = `
      const { openCatalog } = await import(${JSON.stringify(new URL("../../packages/core/src/index.ts", import.meta.url).href)});
      const catalog = await openCatalog();
      const { count, notes } = await catalog.searchAsync("task number", { waitMs: 300 });
      console.log(JSON.stringify({ count, notes }));
    `;
    folder.write({ "main.mjs": script });
    const child = spawn(process.execPath, ["--conditions=knack-source", folder.at("main.mjs")], {
      cwd: folder.at("repo"),
      env: environment(folder),
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 20_000,
    });
    const [output, ended] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(ended).toEqual([0, null]);
    expect(JSON.parse(output)).toEqual({
      count: 8,
      notes: ["Searched by words only: 0 of 2000 skills have vectors so far. A later search continues."],
    });
  });
});
