import { createHash, hash } from "node:crypto";
import { type FileHandle, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProducedArtifact, SkillContext, SkillInput } from "../shared/skill-function.ts";

/**
 * A text that is written to a file while it is made: UTF-8, lines ending in LF, cut after so many characters (code points,
 * so that none is ever halved), hashed on the way. Memory stays flat however long the text is.
 */
export class GrowingText {
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  #left: number;
  /** A CR at the end of a piece may be half of a CRLF. */
  #pendingReturn = false;
  #waiting = "";
  #cut = false;

  constructor(file: FileHandle, maxChars: number) {
    this.#file = file;
    this.#left = maxChars;
  }

  /** Whether something that was added did not fit any more. */
  get cut(): boolean {
    return this.#cut;
  }

  async add(piece: string): Promise<void> {
    if (this.#cut || piece === "") return;
    let text = this.#pendingReturn ? `\r${piece}` : piece;
    this.#pendingReturn = text.endsWith("\r");
    if (this.#pendingReturn) text = text.slice(0, -1);
    this.#take(unixLines(text).toWellFormed());
    if (this.#waiting.length >= 1 << 18) await this.#flush();
  }

  /** Writes the rest and returns the digest of all. */
  async finish(): Promise<string> {
    if (this.#pendingReturn) this.#take("\n");
    await this.#flush();
    return this.#hash.digest("hex");
  }

  #take(text: string): void {
    const end = endOfChars(text, this.#left);
    this.#waiting += text.slice(0, end.index);
    this.#left -= end.chars;
    this.#cut = end.index < text.length;
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = "";
    this.#hash.update(bytes);
    await this.#file.appendFile(bytes);
  }
}

/** Reads the text of one kind of file, and may stop when enough of it was read. */
export type Extract = (
  input: SkillInput,
  out: GrowingText,
  context: Pick<SkillContext, "signal" | "log">,
) => Promise<void>;

export async function writeText(
  artifactsDir: string,
  name: string,
  format: string,
  text: string,
): Promise<ProducedArtifact> {
  const path = `${name}.${format}`;
  await writeFile(join(artifactsDir, path), text, { flag: "wx" });
  return { name, path, sha256: hash("sha256", text), format };
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
