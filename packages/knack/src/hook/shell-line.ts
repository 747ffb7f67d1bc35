import { basename, join, resolve } from "node:path";
import { homeFolder } from "@knack/core/config";

/**
 * A look at what a shell would run, without running it: quotes, redirections, here-documents, subshells. A shell can always hide
 * what it does; this finds what an agent does without hiding it. It takes any text, in linear time.
 */
export interface ShellCommand {
  /** The command as it stands, and without what only goes before it or gives Git a folder. */
  readonly names: readonly string[];
  readonly program: string;
  /** The files that it writes, from the folder in which it runs. */
  readonly writes: readonly string[];
}

const MAX_DEPTH = 8;
/** No path is longer. */
const MAX_PATH = 4096;
const MAX_LINE = 200_000;
const MAX_COMMANDS = 2_000;

const BEFORE =
  /^(?:sudo|doas|env|command|builtin|exec|nohup|nice|time|timeout|xargs|if|then|elif|else|while|until|do|!|\{|[A-Za-z_]\w*=.*)$/s;
const SHELL = /^(?:ba|z|da|k|fi|pw)?sh$|^(?:powershell|cmd)$/;
/** Programs that change every file that they are given. */
const CHANGES = /^(?:tee|rm|touch|truncate|shred|patch|mv|unlink)$/;
/** Programs that write their last word, or into it. */
const COPIES = /^(?:cp|mv|ln|install|rsync|scp)$/;
const IN_PLACE = /^(?:sed|perl|ruby)$/;

export function shellCommands(line: string, cwd: string): ShellCommand[] {
  const found: ShellCommand[] = [];
  new Reader(line.slice(0, MAX_LINE), 0, found).list(cwd, "");
  return found;
}

class Reader {
  readonly #line: string;
  readonly #depth: number;
  readonly #found: ShellCommand[];
  #at = 0;
  /** Here-documents whose text begins with the next line. */
  #documents: { readonly end: string; readonly words: string[] }[] = [];

  constructor(line: string, depth: number, found: ShellCommand[]) {
    this.#line = line;
    this.#depth = depth;
    this.#found = found;
  }

  /** Commands up to the end, or to the bracket that closes them; answers when that is behind it. */
  list(cwd: string, closing: string, depth = this.#depth): void {
    let folder = cwd;
    let words: string[] = [];
    let targets: string[] = [];
    let word: string | undefined;
    let next: "word" | "target" | "source" | "document" = "word";
    let begin = this.#at;
    const endWord = (): void => {
      if (word === undefined) return;
      if (next === "target") targets.push(word);
      else if (next === "document") this.#documents.push({ end: word, words });
      else if (next === "word") words.push(word);
      word = undefined;
      next = "word";
    };
    const endCommand = (): void => {
      endWord();
      next = "word";
      if (words.length > 0 || targets.length > 0)
        folder = this.#add(this.#line.slice(begin, this.#at).trim(), words, targets, folder, depth);
      [words, targets] = [[], []];
    };
    while (this.#at < this.#line.length) {
      const char = this.#line[this.#at] ?? "";
      const opens = this.#line.startsWith("$(", this.#at) || char === "(";
      if (char === "'") word = (word ?? "") + this.#until("'");
      else if (char === '"') word = (word ?? "") + this.#quoted(folder, depth);
      else if (char === "\\") word = (word ?? "") + this.#escaped();
      else if (char === "#" && word === undefined) this.#at = indexOr(this.#line, "\n", this.#at);
      else if (opens && depth < MAX_DEPTH) {
        if (char === "$") word ??= "";
        else endCommand();
        this.#at += char === "$" ? 2 : 1;
        this.list(folder, ")", depth + 1);
        if (char === "(") begin = this.#at;
      } else if (/[<>]/.test(char) || this.#line.startsWith("&>", this.#at)) {
        if (char === ">" && /^\d+$/.test(word ?? "")) word = undefined;
        endWord();
        next = this.#redirection();
      } else if (/[;|&()\n`]/.test(char)) {
        endCommand();
        this.#at++;
        if (char === "\n") this.#readDocuments(folder, depth);
        begin = this.#at;
        if (char === closing) return;
      } else {
        if (/\s/.test(char)) endWord();
        else word = (word ?? "") + char;
        this.#at++;
      }
    }
    endCommand();
  }

  #until(end: string): string {
    const begin = this.#at + 1;
    const found = indexOr(this.#line, end, begin);
    this.#at = found + 1;
    return this.#line.slice(begin, found);
  }

  /** What is escaped in a shell; elsewhere a backslash is a part of a path of Windows. */
  #escaped(): string {
    const next = this.#line[this.#at + 1] ?? "";
    this.#at += 2;
    return next === "\n" ? "" : /\w/.test(next) ? `\\${next}` : next;
  }

  #quoted(folder: string, depth: number): string {
    let text = "";
    this.#at++;
    while (this.#at < this.#line.length) {
      const char = this.#line[this.#at] ?? "";
      if (char === "\\") text += this.#escaped();
      else if (this.#line.startsWith("$(", this.#at) && depth < MAX_DEPTH) {
        this.#at += 2;
        this.list(folder, ")", depth + 1);
      } else {
        this.#at++;
        if (char === '"') return text;
        text += char;
      }
    }
    return text;
  }

  #redirection(): "target" | "source" | "document" | "word" {
    const sign =
      /^(?:<<<|<<-?|<[>&]?|&>>?|>>|>[|&]?)/.exec(this.#line.slice(this.#at, this.#at + 3))?.[0] ?? "";
    this.#at += sign.length;
    if (sign.startsWith("<")) return sign === "<<" || sign === "<<-" ? "document" : "source";
    // `2>&1` writes no file.
    const isCopy = sign === ">&" && /[\d-]/.test(this.#line[this.#at] ?? "");
    return isCopy ? "source" : "target";
  }

  /** The text of a here-document is no command, but where a shell reads it. */
  #readDocuments(folder: string, depth: number): void {
    const documents = this.#documents;
    this.#documents = [];
    for (const { end, words } of documents) {
      const lines: string[] = [];
      while (this.#at < this.#line.length) {
        const until = indexOr(this.#line, "\n", this.#at);
        const text = this.#line.slice(this.#at, until);
        this.#at = until + 1;
        if (text.trim() === end) break;
        lines.push(text);
      }
      if (SHELL.test(programIn(plain(words)))) this.#nested(lines.join("\n"), folder, depth);
    }
  }

  #nested(text: string, folder: string, depth: number): void {
    if (depth < MAX_DEPTH) new Reader(text, depth + 1, this.#found).list(folder, "", depth + 1);
  }

  /** Takes a command; answers the folder in which the next one runs. */
  #add(
    text: string,
    given: readonly string[],
    targets: readonly string[],
    cwd: string,
    depth: number,
  ): string {
    if (this.#found.length >= MAX_COMMANDS) return cwd;
    const words = plain(given);
    const program = programIn(words);
    let folder = cwd;
    let rest = words.slice(1);
    if (program === "git") {
      let at = 0;
      for (; rest[at]?.startsWith("-"); at++) {
        if (rest[at] === "-C") folder = resolve(cwd, inHome(rest[at + 1] ?? "."));
        if (rest[at] === "-C" || rest[at] === "-c") at++;
      }
      rest = rest.slice(at);
    }
    const writes = [
      ...targets.map((path) => absolute(path, cwd)),
      ...written(program, rest).map((path) => absolute(path, folder)),
    ].filter((path) => path.length <= MAX_PATH && !/^\/dev\/(?!shm\/)/.test(path));
    const names = [text, given.join(" "), words.join(" "), [program, ...rest].join(" ")];
    this.#found.push({ names: [...new Set(names)], program, writes });
    const script = program === "eval" ? rest.join(" ") : SHELL.test(program) ? scriptIn(rest) : undefined;
    if (script !== undefined) this.#nested(script, cwd, depth);
    const [to] = rest.filter((word) => !word.startsWith("-"));
    const isMove = /^(?:cd|pushd|chdir|set-location)$/i.test(program);
    if (!isMove || to === undefined || /^\$(?!\{?HOME)/.test(to)) return cwd;
    const moved = absolute(to, cwd);
    return moved.length > MAX_PATH ? cwd : moved;
  }
}

/** The words from the program on. */
function plain(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    if (!BEFORE.test(word) && !(at > 0 && /^(?:-.*|\d+(?:\.\d+)?[smhd]?)$/s.test(word))) break;
    at++;
  }
  return words.slice(at);
}

function programIn([first = ""]: readonly string[]): string {
  return first.slice(first.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
}

/** What `bash -lc` is to run. */
function scriptIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^(?:-\w*c|-command|\/c)$/i.test(word));
  return at < 0 ? undefined : words[at + 1];
}

/** The words of a command that are files it changes. */
function written(program: string, given: readonly string[]): string[] {
  const words = given.filter((word) => !word.startsWith("-"));
  const last = words.at(-1);
  const copies = (): string[] =>
    last === undefined ? [] : [last, ...words.slice(0, -1).map((word) => join(last, basename(word)))];
  if (program === "dd") return words.filter((word) => word.startsWith("of=")).map((word) => word.slice(3));
  if (program === "curl" || program === "wget")
    return given.filter((_word, at) => /^-(?:o|O|-output|-output-document)$/.test(given[at - 1] ?? ""));
  if (program === "git") return /^(?:mv|rm|checkout|restore)$/.test(words[0] ?? "") ? words.slice(1) : [];
  if (IN_PLACE.test(program)) {
    if (!given.some((word) => /^(?:-[A-Za-z]*i|--in-place)/.test(word))) return [];
    return given.some((word) => /^-\w*e$|^--expression/.test(word)) ? words : words.slice(1);
  }
  return [...(CHANGES.test(program) ? words : []), ...(COPIES.test(program) ? copies() : [])];
}

function inHome(path: string): string {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=[/\\]|$)/, () => homeFolder(process.env));
}

/** A path as a shell or a tool takes it. */
export function absolute(path: string, cwd: string): string {
  return resolve(cwd || ".", inHome(path.replace(/^\$(?:PWD|\{PWD\})\//, "")));
}

function indexOr(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found < 0 ? text.length : found;
}
