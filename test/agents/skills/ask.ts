import { spawn } from "node:child_process";
import { join } from "node:path";
import { clientEnv } from "../drive.ts";
import type { Way } from "../way.ts";

const LIMIT_MS = 120_000;

export interface Question {
  readonly args: readonly string[];
  /** Below the test's folder. */
  readonly cwd: string;
  /** Lines for standard input, which stays open. */
  readonly input?: readonly string[];
  /** Does a line of the output have the answer? Then the client is ended; otherwise it is read to its end. */
  readonly isAnswer?: (line: string) => boolean;
}

/** What the client prints: the line that answers, or all of it. */
export async function ask(way: Way, question: Question): Promise<string> {
  const { client, folder } = way;
  const program = join(way.installed, client.program.path);
  const [command, before] = client.program.isScript ? [process.execPath, [program]] : [program, []];
  const child = spawn(command, [...before, ...question.args], {
    cwd: folder.at(question.cwd),
    env: clientEnv(way),
    stdio: [question.input ? "pipe" : "ignore", "pipe", "pipe"],
    // A group of its own, so that what it started ends with it.
    detached: true,
  });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // Already gone.
    }
  };
  const timer = setTimeout(end, LIMIT_MS);
  let output = "";
  let errors = "";
  let answer: string | undefined;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    answer ??= question.isAnswer && output.split("\n").slice(0, -1).find(question.isAnswer);
    if (answer !== undefined) end();
  });
  for (const line of question.input ?? []) child.stdin?.write(`${line}\n`);
  await new Promise<void>((done) => {
    child.on("error", () => done());
    child.on("close", () => done());
  });
  clearTimeout(timer);
  end();
  const said = question.isAnswer ? answer : output;
  if (!said) throw new Error(`${client.title} listed no skills: ${errors || output.slice(-2000)}`);
  return said;
}
