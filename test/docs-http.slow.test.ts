import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../packages/core/src/testing/files.ts";
import { LIMITS } from "../packages/knack/src/http/server/limits.ts";
import { Server } from "./http/server.ts";

const run = promisify(execFile);
const page = readFileSync(join(import.meta.dirname, "..", "docs", "http.md"), "utf8");
const blocks = [...page.matchAll(/```sh\n(.*?)\n```/gs)].map(([, text = ""]) => text);

describe("docs/http.md", () => {
  it("shows commands that work", async () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/README.md": "# Read me\n",
      "repo/.agents/skills/release-notes/SKILL.md": skillText("release-notes", "Draft release notes."),
    });
    await using server = await Server.start(folder);
    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) {
      const script = block.replaceAll("127.0.0.1:4747", `127.0.0.1:${server.port}`);
      const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], {
        env: { PATH: process.env.PATH, HOME: folder.at("home") },
      });
      expect(stdout, block).not.toBe("");
    }
  });

  it("says the limits as they are", () => {
    const { headersMs, requestMs, keepAliveMs, connections, headers, headerBytes, pathBytes } = LIMITS;
    expect(page).toContain(
      `| ${headersMs / 1000} s, ${headerBytes / 1024} KiB, ${headers} fields; the path ${pathBytes / 1024} KiB, its query not counted |`,
    );
    expect(page).toContain(`| ${requestMs / 1000} s; its answer`);
    expect(page).toContain(`| ${keepAliveMs / 1000} s |`);
    expect(page).toContain(`| ${connections}; more are refused`);
    expect(LIMITS.streams).toBeLessThan(connections);
    const { bodyBytes, stalledMs, eventStreams, runs, heartbeatMs } = LIMITS;
    expect(page).toContain(`| ${bodyBytes / 2 ** 20} MiB (413); an uploaded file`);
    expect(page).toContain(`| ${stalledMs / 1000} s |`);
    expect(page).toContain(`At most ${eventStreams} streams`);
    expect(page).toContain(`every ${heartbeatMs / 1000} seconds`);
    expect(page).toContain(`At most ${runs} runs`);
    expect(page).toContain(`an uploaded file ${LIMITS.uploadBytes / 2 ** 20} MiB`);
    expect(page).toContain(`for ${LIMITS.questionMs / 1000} seconds, as long as an approver or an owner`);
    const { perSecond, atOnce } = LIMITS.wrongTokenRate;
    expect([perSecond, page.includes(`more than ${atOnce} wrong tokens at once, or one a second`)]).toEqual([
      1,
      true,
    ]);
  });
});
