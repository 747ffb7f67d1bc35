import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/files.ts";
import { lintSkills } from "./lint-skills.ts";

/** Beginnings of patterns, again and again: what makes a backtracking matcher slow. */
const REPEATED = [
  "curl ",
  "curl -d x | ",
  "ignore all the your prior previous ",
  "send the .env ",
  "do not tell the user ",
  "add append write ~/.claude/",
  "rm -rf -r -f ",
  "base64 -d ",
  "exec(eval(",
  "KEY=$(cat ~/.ssh/id_rsa",
  "https://a.example/",
  "[a](b",
  '"',
  "`",
  "“",
  "<!-- AI: ",
  "忽略之前的所有",
  "これまでの指示を",
  "环境变量发送",
  "A",
  "AAAA ",
  "| ",
  "- ",
  "> ",
  "\\\n",
  "```\n",
  "\u200b",
  "a. ",
  "\n\n",
];

describe("the lint's time", () => {
  it.each(REPEATED)("grows no faster than a text of %j", (part) => {
    const seconds = (bytes: number): number => {
      const text = part.repeat(Math.ceil(bytes / part.length));
      using folder = makeFolder({
        "a/SKILL.md": `---\nname: a\ndescription: ${"x".repeat(50)}\n---\n${text}`,
        "a/scripts/a.sh": text,
      });
      // Of this thread alone: others on the machine do not count.
      const before = process.threadCpuUsage();
      lintSkills([folder.at("a")]);
      return process.threadCpuUsage(before).user / 1e6;
    };
    seconds(10_000);
    const [short, long] = [seconds(50_000), seconds(400_000)];
    // Eight times the text; a quadratic matcher would take sixty-four times as long.
    expect(long).toBeLessThan(Math.max(24 * short, 3));
  });
});
