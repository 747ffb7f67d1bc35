/** The words of a command: the program and its arguments. */
export type Words = readonly [program: string, ...rest: string[]];

/** A server as a client's file describes it. */
export type Entry = Readonly<Record<string, unknown>>;

/** Whose files these are: paths depend on the user, the environment and the system. */
export interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** What a client accepts in its file. `comments`: JSON with comments; `jsonc`: with trailing commas too. */
export type Syntax = "json" | "comments" | "jsonc" | "toml";

/** Everything that Knack knows of one client. */
export interface Client {
  /** As its makers write it. */
  readonly title: string;
  /** Its programs; one on the search path shows that it is installed. */
  readonly programs: readonly string[];
  /** The user's own files that it reads servers from: the first that exists, else the first, is edited. */
  readonly files: (place: Place) => readonly [string, ...string[]];
  readonly syntax: Syntax;
  /** The keys that lead to the servers. */
  readonly servers: readonly [string, ...string[]];
  readonly stdio: (words: Words) => Entry;
  /** `authorization` is the value of that header. */
  readonly http: (url: string, authorization: string) => Entry;
  /** The value of a header that takes the token from `KNACK_TOKEN`. */
  readonly variable: string;
  /** The same entry where a variable is named otherwise than in a header. */
  readonly httpByVariable?: (url: string) => Entry;
  /** The value of a header that takes the token from a file. Without it, the token is written into the client's file. */
  readonly tokenFrom?: (file: string) => string;
  /** The client asks the user for the token and keeps it: the question, which `http` refers to. */
  readonly question?: { readonly key: string; readonly value: Entry & { readonly id: string } };
  /** What a new file has besides. */
  readonly preamble?: Entry;
  /** Where `--print-config` says that its text goes. */
  readonly pasteInto: string;
  /** The client's own command that adds a server over standard input and output, or over HTTP. */
  readonly adds?: string;
  readonly addsHttp?: (url: string) => string;
  /** Its command that tells of the server. */
  readonly check?: Check;
  /** What the user should know besides. */
  readonly remark?: string;
  /** Folders in which it finds skills without Knack. */
  readonly reads: readonly string[];
}

export interface Check {
  readonly args: readonly string[];
  /** Found in the output where the client connects; absent where the command only lists the server. */
  readonly connected?: RegExp;
  /** Variables that it needs for this. */
  readonly env?: Readonly<Record<string, string>>;
}
