import { sep } from "node:path";
import type { Fault } from "../diagnostics.ts";
import type { DialectName } from "../skill/dialects.ts";
import type { SkillFacts } from "../skill/schema.ts";
import { NUMBERS, type SkillFile, type Tree } from "./tree.ts";

/**
 * A tree as bytes: numbers as they are in memory, texts one after the other. Ten thousand skills are read in a few
 * milliseconds, where the same as JSON takes longer than looking at all the files.
 *
 *   seenAt · folders · text bytes · numbers of every folder · lengths of its texts · text (UTF-8)
 */

const HEADER = 8 + 4 + 4;
/** Path of the folder; id, name and description of its skill; the rest as JSON. */
const TEXTS = 5;

export function encodeTree(tree: Tree): Buffer<ArrayBuffer> {
  const count = tree.paths.length;
  const lengths = new Uint32Array(count * TEXTS);
  const chunks: Buffer[] = [];
  let parts: string[] = [];
  let at = 0;
  const put = (text: string): void => {
    lengths[at++] = text.length;
    if (text !== "") parts.push(text);
  };
  for (let i = 0; i < count; i++) {
    const skill = tree.skills[i];
    put(tree.paths[i] ?? "");
    put(skill?.id ?? "");
    put(skill?.name ?? "");
    put(skill?.description ?? "");
    put(packRest(tree, i));
    // In chunks, so that a large tree is not held three times over.
    if (parts.length < 4096 && i < count - 1) continue;
    chunks.push(Buffer.from(parts.join(""), "utf8"));
    parts = [];
  }
  const textLength = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const lengthsAt = HEADER + tree.numbers.byteLength;
  const textAt = lengthsAt + lengths.byteLength;
  const bytes = Buffer.alloc(textAt + textLength);
  bytes.writeDoubleLE(tree.seenAt, 0);
  bytes.writeUInt32LE(count, 8);
  bytes.writeUInt32LE(textLength, 12);
  Buffer.from(tree.numbers.buffer, tree.numbers.byteOffset, tree.numbers.byteLength).copy(bytes, HEADER);
  Buffer.from(lengths.buffer).copy(bytes, lengthsAt);
  let to = textAt;
  for (const chunk of chunks) to += chunk.copy(bytes, to);
  return bytes;
}

/** The tree, or `null` where the bytes are not one. */
export function decodeTree(bytes: Uint8Array<ArrayBuffer>): Tree | null {
  if (bytes.length < HEADER) return null;
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const seenAt = header.readDoubleLE(0);
  const count = header.readUInt32LE(8);
  const lengthsAt = HEADER + count * NUMBERS * 8;
  const textAt = lengthsAt + count * TEXTS * 4;
  if (bytes.length !== textAt + header.readUInt32LE(12)) return null;
  // Copies, because a view needs its bytes at an aligned address.
  const numbers = new Float64Array(new Uint8Array(bytes.subarray(HEADER, lengthsAt)).buffer);
  const lengths = new Uint32Array(new Uint8Array(bytes.subarray(lengthsAt, textAt)).buffer);
  const text = header.toString("utf8", textAt);

  const paths: string[] = [];
  const skills: (SkillFile | null)[] = [];
  const links = new Map<number, readonly string[]>();
  const faults = new Map<number, readonly Fault[]>();
  let next = 0;
  let from = 0;
  const take = (): string => {
    const start = from;
    from += lengths[next++] ?? 0;
    return text.slice(start, from);
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
