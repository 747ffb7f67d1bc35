import { createHash, hash } from "node:crypto";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProducedArtifact, SkillContext, SkillInput } from "../shared/typed-skill.ts";

/** Reads the text of one kind of file, piece by piece; nobody asks for more than is kept. */
export type Extract = (
  input: SkillInput,
  context: Pick<SkillContext, "signal" | "log">,
) => AsyncGenerator<string>;

const BATCH = 1 << 18;

/** Writes a text while it is made: UTF-8, lines ending in LF, cut after so many code points, hashed on the way. */
export async function writePieces(
  path: string,
  pieces: AsyncGenerator<string>,
  maxChars: number,
): Promise<{ readonly sha256: string; readonly isCut: boolean }> {
  await using file = await open(path, "wx");
  const digest = createHash("sha256");
  let [left, waiting, isCut] = [maxChars, "", false];
  const flush = async (): Promise<void> => {
    digest.update(waiting);
    await file.appendFile(waiting);
    waiting = "";
  };
  for await (const text of inUnixLines(pieces)) {
    const end = endOfChars(text, left);
    waiting += text.slice(0, end.index);
    left -= end.chars;
    isCut = end.index < text.length;
    if (isCut) break;
    if (waiting.length >= BATCH) await flush();
  }
  await flush();
  return { sha256: digest.digest("hex"), isCut };
}

async function* inUnixLines(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  // A CR at the end of a piece may be half of a CRLF.
  let held = "";
  for await (const piece of pieces) {
    const text = held + piece;
    held = text.endsWith("\r") ? "\r" : "";
    yield unixLines(held === "" ? text : text.slice(0, -1)).toWellFormed();
  }
  yield unixLines(held);
}

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

function endOfChars(text: string, max: number): { index: number; chars: number } {
  let chars = 0;
  let index = 0;
  for (; index < text.length && chars < max; index++, chars++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) index++;
  }
  return { index: Math.min(index, text.length), chars };
}
