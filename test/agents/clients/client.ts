import type { Step } from "../model/conversation.ts";

interface Program {
  /** Below the folder in which the client was installed. */
  readonly path: string;
  /** Started with Node. */
  readonly isScript: boolean;
}

export interface Client {
  /** As in `knack setup`. */
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly version: string;
  readonly program: Program;
  /** Its package is one program: all that it needs of its dependencies, which are not all in the registry. */
  readonly needs?: readonly string[];
  /** Does it give the server's instructions to the model? */
  readonly passesInstructions: boolean;
  /** Files in its home folder: the scripted model at that address, no telemetry, no updates. Knack is not in them. */
  files(modelUrl: string): Readonly<Record<string, string>>;
  env(modelUrl: string): Readonly<Record<string, string>>;
  /** Arguments that make it work on one prompt and end. */
  args(prompt: string): readonly string[];
  /** The same where Knack's server is not in its files. */
  plainArgs?(prompt: string): readonly string[];
  /** What its model calls to write a file, to run a shell command, and to give a task to a subagent, where it has them. */
  readonly writes: (path: string, text: string) => Step;
  readonly shells: (command: string) => Step;
  readonly delegates?: (task: string) => Step;
  /** What it calls next to wait for the subagent, by what it got for the task. */
  readonly waits?: (given: string) => Step;
  /** Arguments that go on with the last conversation; and that make the client shorten it, where it can without a terminal. */
  readonly goesOn: (prompt: string) => readonly string[];
  readonly shortens?: readonly string[];
  /** What `knack setup` needs so that the client runs the hooks, and what the client needs so that its model may write a file. */
  readonly hookFlags?: readonly string[];
  readonly hookArgs?: readonly string[];
  /** Its hooks call a tool of Knack's server, in this version; and what lets it run a hook that nobody has trusted. */
  readonly callsTool?: true;
  readonly bypassTrust?: readonly string[];
  /** The folder of a home in which it finds skills, if not `.agents/skills`; and whether it can leave out its own list. */
  readonly skills?: string;
  readonly skips?: true;
  /** No hook of it puts a text before a subagent. */
  readonly hearsNoTask?: true;
  /** A hook can only point to a skill, because the client escapes its text. */
  readonly pointsOnly?: true;
  /** Arguments that use Knack's prompt as a slash command, if it can without a terminal. */
  slashCommand?(name: string, text: string): readonly string[];
  /** What arrives of `first second "third fourth" --fifth=5 sechs & <sieben> last`. */
  readonly slashKeeps?: string;
  /** Where the model reads all of it besides. */
  readonly slashBeside?: (text: string) => string;
}

/** `linux-x64`, `darwin-arm64`: how the packages with programs are called. */
export const PLATFORM = `${process.platform}-${process.arch}`;
