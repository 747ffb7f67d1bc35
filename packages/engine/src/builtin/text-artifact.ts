import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { ProducedArtifact, SkillContext, SkillInput } from "../shared/skill-function.ts";

/**
 * A text that is written while it is made: UTF-8, lines ending in LF, cut after so many characters (code points, so that
 * none is ever halved), hashed on the way. Memory stays flat however long the text is.
 */
export class TextArtifact implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  readonly #name: string;
  readonly #format: string;
  readonly #fileName: string;
  #left: number;
  /** A CR at the end of a piece may be half of a CRLF. */
  #pendingReturn = false;
  #waiting = "";
  #cut = false;

  private constructor(file: FileHandle, name: string, format: string, fileName: string, maxChars: number) {
    this.#file = file;
    this.#name = name;
    this.#format = format;
    this.#fileName = fileName;
    this.#left = maxChars;
  }

  static async create(
    artifactsDir: string,
    name: string,
    format: string,
    maxChars = Number.POSITIVE_INFINITY,
  ): Promise<TextArtifact> {
    const fileName = `${name}.${format}`;
    return new TextArtifact(await open(join(artifactsDir, fileName), "wx"), name, format, fileName, maxChars);
  }

  /** Whether something that was added did not fit any more. */
  get cut(): boolean {
    return this.#cut;
  }

  /** Adds a piece; `await` it where the source can wait, so that little is held back. */
  add(piece: string): Promise<void> | undefined {
    if (this.#cut || piece === "") return undefined;
    let text = this.#pendingReturn ? `\r${piece}` : piece;
    this.#pendingReturn = text.endsWith("\r");
    if (this.#pendingReturn) text = text.slice(0, -1);
    this.#take(unixLines(text).toWellFormed());
    return this.#waiting.length >= 1 << 18 ? this.#flush() : undefined;
  }

  async finish(): Promise<ProducedArtifact> {
    if (this.#pendingReturn) this.#take("\n");
    await this.#flush();
    return {
      name: this.#name,
      path: this.#fileName,
      sha256: this.#hash.digest("hex"),
      format: this.#format,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  #take(text: string): void {
    const end = endOfChars(text, this.#left);
    this.#waiting += end.index === text.length ? text : text.slice(0, end.index);
    this.#left -= end.chars;
    if (end.index < text.length) this.#cut = true;
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = "";
    this.#hash.update(bytes);
    await this.#file.appendFile(bytes);
  }
}

/** Puts the text of one kind of file into an artifact, and may stop when that is full. */
export type Extract = (
  input: SkillInput,
  out: TextArtifact,
  context: Pick<SkillContext, "signal" | "log">,
) => Promise<void>;

export async function writeText(
  artifactsDir: string,
  name: string,
  format: string,
  text: string,
): Promise<ProducedArtifact> {
  const bytes = Buffer.from(text);
  const path = `${name}.${format}`;
  await using file = await open(join(artifactsDir, path), "wx");
  await file.writeFile(bytes);
  return { name, path, sha256: createHash("sha256").update(bytes).digest("hex"), format };
}

export function unixLines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Where the first `max` code points of a text end, and how many there are. */
function endOfChars(text: string, max: number): { index: number; chars: number } {
  let chars = 0;
  let index = 0;
  for (; index < text.length && chars < max; index++, chars++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) index++;
  }
  return { index: Math.min(index, text.length), chars };
}
