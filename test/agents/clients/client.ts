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
  /** Does it give the server's instructions to the model? */
  readonly passesInstructions: boolean;
  /** Files in its home folder: the scripted model at that address, no telemetry, no updates. Knack is not in them. */
  files(modelUrl: string): Readonly<Record<string, string>>;
  env(modelUrl: string): Readonly<Record<string, string>>;
  /** Arguments that make it work on one prompt and end. */
  args(prompt: string): readonly string[];
  /** What its model calls to write a file, by the end of the tool's name; several names with | between them. */
  readonly writes: (
    path: string,
    text: string,
  ) => { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
  /** Arguments that go on with the conversation of `id`, after `args` with the same; and that let the client shorten it. */
  readonly resumes?: {
    readonly id: (id: string) => readonly string[];
    readonly again: (id: string) => readonly string[];
    readonly compact: string;
  };
  /** What `knack setup` needs so that the client runs the hooks, and what the client needs so that its model may write a file. */
  readonly hookFlags?: readonly string[];
  readonly hookArgs?: readonly string[];
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
