import { sep } from "node:path";
import type { Fault } from "../../shared/diagnostics.ts";
import type { DialectName } from "../../skill/dialects.ts";
import type { SkillFacts } from "../../skill/schema.ts";
import { NUMBERS, type ScannedFile, type Tree } from "./tree.ts";

/**
 * A tree as bytes: numbers as they are in memory, texts one after the other. Ten thousand skills are read in a few
 * milliseconds, where the same as JSON takes longer than looking at all the files.
 *
 *   seenAt · folders · bytes of narrow and of wide text · numbers of every folder · lengths of its texts ·
 *   narrow text (Latin-1) · wide text (UTF-8)
 *
 * Texts are parts of one string each for narrow and wide: in one for all, a single Chinese character would make every
 * text take two bytes a letter.
 */

const HEADER = 8 + 4 + 4 + 4;
/** Path of the folder; id, name and description of its skill; the rest as JSON. */
const TEXTS = 5;
/** In a length: the text is a wide one. */
const WIDE = 0x8000_0000;
const NARROW_TEXT = /^[\0-\xff]*$/;

/** Texts of one kind, turned into bytes now and then, so that a large tree is not held three times over. */
class TextChunks {
  readonly #encoding: "latin1" | "utf8";
  readonly chunks: Buffer[] = [];
  bytes = 0;
  #parts: string[] = [];

  constructor(encoding: "latin1" | "utf8") {
    this.#encoding = encoding;
  }

  add(text: string): void {
    if (this.#parts.push(text) === 4096) this.flush();
  }

  flush(): void {
    if (this.#parts.length === 0) return;
    const chunk = Buffer.from(this.#parts.join(""), this.#encoding);
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    this.#parts = [];
  }
}

export function encodeTree(tree: Tree): Buffer<ArrayBuffer> {
  return Buffer.concat(encodeTreeParts(tree)) as Buffer<ArrayBuffer>;
}

/** The same in pieces, for who can do without the whole. */
export function encodeTreeParts(tree: Tree): Buffer[] {
  const count = tree.paths.length;
  const lengths = new Uint32Array(count * TEXTS);
  const narrow = new TextChunks("latin1");
  const wide = new TextChunks("utf8");
  let at = 0;
  const put = (text: string): void => {
    const isNarrow = NARROW_TEXT.test(text);
    lengths[at++] = isNarrow ? text.length : (text.length | WIDE) >>> 0;
    if (text !== "") (isNarrow ? narrow : wide).add(text);
  };
  for (let i = 0; i < count; i++) {
    const skill = tree.skills[i];
    put(tree.paths[i] ?? "");
    put(skill?.id ?? "");
    put(skill?.name ?? "");
    put(skill?.description ?? "");
    put(packRest(tree, i));
  }
  narrow.flush();
  wide.flush();
  const header = Buffer.alloc(HEADER);
  header.writeDoubleLE(tree.seenAt, 0);
  header.writeUInt32LE(count, 8);
  header.writeUInt32LE(narrow.bytes, 12);
  header.writeUInt32LE(wide.bytes, 16);
  const { buffer, byteOffset, byteLength } = tree.numbers;
  const numbers = Buffer.from(buffer, byteOffset, byteLength);
  return [header, numbers, Buffer.from(lengths.buffer), ...narrow.chunks, ...wide.chunks];
}

/** The tree, or `null` where the bytes are not one. */
export function decodeTree(bytes: Uint8Array<ArrayBuffer>): Tree | null {
  if (bytes.length < HEADER) return null;
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const seenAt = header.readDoubleLE(0);
  const count = header.readUInt32LE(8);
  const lengthsAt = HEADER + count * NUMBERS * 8;
  const narrowAt = lengthsAt + count * TEXTS * 4;
  const wideAt = narrowAt + header.readUInt32LE(12);
  if (bytes.length !== wideAt + header.readUInt32LE(16)) return null;
  // Copies, because a view needs its bytes at an aligned address.
  const numbers = new Float64Array(new Uint8Array(bytes.subarray(HEADER, lengthsAt)).buffer);
  const lengths = new Uint32Array(new Uint8Array(bytes.subarray(lengthsAt, narrowAt)).buffer);
  const narrow = header.toString("latin1", narrowAt, wideAt);
  const wide = header.toString("utf8", wideAt);

  const paths: string[] = [];
  const skills: (ScannedFile | null)[] = [];
  const links = new Map<number, readonly string[]>();
  const faults = new Map<number, readonly Fault[]>();
  let next = 0;
  let narrowFrom = 0;
  let wideFrom = 0;
  const take = (): string => {
    const length = lengths[next++] ?? 0;
    if (length < WIDE) {
      narrowFrom += length;
      return narrow.slice(narrowFrom - length, narrowFrom);
    }
    wideFrom += length - WIDE;
    return wide.slice(wideFrom - (length - WIDE), wideFrom);
  };
  for (let i = 0; i < count; i++) {
    const path = take();
    const id = take();
    const name = take();
    const description = take();
    const packed = take();
    const rest = packed === "" ? PLAIN : unpackRest(packed);
    paths.push(path);
    if (rest.links) links.set(i, rest.links);
    if (rest.faults) faults.set(i, rest.faults);
    skills.push(
      id === ""
        ? null
        : {
            id,
            path: `${path + sep}SKILL.md`,
            mtimeMs: numbers[i * NUMBERS + 8] ?? 0,
            dialect: rest.dialect,
            name,
            description,
            facts: rest.facts,
            faults: rest.skillFaults,
          },
    );
  }
  return { seenAt, paths, numbers, skills, links, faults };
}

/** What few folders have, in one short text: empty for a plain skill of the open standard. */
interface Rest {
  readonly dialect: DialectName;
  readonly facts: SkillFacts | null;
  readonly skillFaults: readonly Fault[];
  readonly links?: readonly string[];
  readonly faults?: readonly Fault[];
}

const PLAIN: Rest = { dialect: "agentskills", facts: null, skillFaults: [] };

function packRest(tree: Tree, index: number): string {
  const skill = tree.skills[index];
  const links = tree.links.get(index);
  const faults = tree.faults.get(index);
  const isPlain = !skill || (skill.dialect === PLAIN.dialect && !skill.facts && skill.faults.length === 0);
  if (isPlain && !links && !faults) return "";
  const { dialect, facts, faults: skillFaults } = skill ?? { ...PLAIN, faults: [] };
  return JSON.stringify({ dialect, facts, skillFaults, links, faults });
}

function unpackRest(packed: string): Rest {
  return { ...PLAIN, ...(JSON.parse(packed) as Partial<Rest>) };
}
