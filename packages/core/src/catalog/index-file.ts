import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, sep } from "node:path";
import { crc32 } from "node:zlib";
import type { Fault } from "../diagnostics.ts";
import { systemCode } from "../errors.ts";
import type { DialectName } from "../skill/dialects.ts";
import type { SkillFacts } from "../skill/schema.ts";
import type { Identity } from "./identity.ts";
import type { Folder, SkillFile, Tree } from "./tree.ts";

/**
 * A tree on disk, in columns: numbers as they are in memory, texts one after the other. Ten thousand skills load in a
 * few milliseconds, where the same as JSON takes longer than looking at all the files.
 *
 *   magic · crc32 of the rest · seenAt · folders · text bytes · NUMBERS a folder · LENGTHS a folder · text (UTF-8)
 *
 * A file that is torn, cut, of another version or not ours at all does not match its magic or checksum and counts as
 * absent. Each is written whole under another name and then renamed, so processes that start at once never see a part.
 */

/** Counts up whenever reading a skill would give another result or the layout changes. */
const MAGIC = "KNACKIX1";
const HEADER = 8 + 4 + 4 + 8 + 4 + 4;
/** Identity of the folder (5), identity of its SKILL.md (5), parent, and whether there is a skill. */
const NUMBERS = 12;
/** Path of the folder, id, name, description, and the rest as JSON. */
const LENGTHS = 5;

export function loadIndex(file: string): Tree | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    // Any reason will do: without an index the files are read.
    systemCode(error);
    return null;
  }
  if (bytes.length < HEADER || bytes.toString("latin1", 0, 8) !== MAGIC) return null;
  if (bytes.readUInt32LE(8) !== crc32(bytes.subarray(12))) return null;

  const seenAt = bytes.readDoubleLE(16);
  const count = bytes.readUInt32LE(24);
  const lengthsAt = HEADER + count * NUMBERS * 8;
  const textAt = lengthsAt + count * LENGTHS * 4;
  if (bytes.length !== textAt + bytes.readUInt32LE(28)) return null;
  // Copies, because a view needs its bytes at an aligned address.
  const numbers = new Float64Array(new Uint8Array(bytes.subarray(HEADER, lengthsAt)).buffer);
  const lengths = new Uint32Array(new Uint8Array(bytes.subarray(lengthsAt, textAt)).buffer);
  const text = bytes.toString("utf8", textAt);

  const folders: Folder[] = [];
  let at = 0;
  for (let i = 0, n = 0, l = 0; i < count; i++, n += NUMBERS, l += LENGTHS) {
    const path = text.slice(at, (at += lengths[l] ?? 0));
    const id = text.slice(at, (at += lengths[l + 1] ?? 0));
    const name = text.slice(at, (at += lengths[l + 2] ?? 0));
    const description = text.slice(at, (at += lengths[l + 3] ?? 0));
    const rest = unpackRest(text.slice(at, (at += lengths[l + 4] ?? 0)));
    const skill: SkillFile | null =
      numbers[n + 11] === 1
        ? {
            id,
            path: `${path}${sep}SKILL.md`,
            identity: identityAt(numbers, n + 5),
            reading: { dialect: rest.dialect, name, description, facts: rest.facts, faults: rest.skillFaults },
          }
        : null;
    const parent = numbers[n + 10] ?? -1;
    folders.push({ path, parent, identity: identityAt(numbers, n), links: rest.links, faults: rest.faults, skill });
  }
  return { seenAt, folders };
}

/** Writes the index; a disk that is full or read-only is told to the caller, who can do without. */
export function saveIndex(file: string, tree: Tree): Fault | undefined {
  const { folders } = tree;
  const numbers = new Float64Array(folders.length * NUMBERS);
  const lengths = new Uint32Array(folders.length * LENGTHS);
  const parts: string[] = [];
  folders.forEach((folder, i) => {
    const { path, skill } = folder;
    putIdentity(numbers, i * NUMBERS, folder.identity);
    if (skill) putIdentity(numbers, i * NUMBERS + 5, skill.identity);
    numbers[i * NUMBERS + 10] = folder.parent;
    numbers[i * NUMBERS + 11] = skill ? 1 : 0;
    const texts = [path, skill?.id ?? "", skill?.reading.name ?? "", skill?.reading.description ?? "", packRest(folder)];
    texts.forEach((part, j) => {
      lengths[i * LENGTHS + j] = part.length;
      if (part !== "") parts.push(part);
    });
  });
  const text = Buffer.from(parts.join(""), "utf8");
  const header = Buffer.alloc(HEADER);
  header.write(MAGIC, "latin1");
  header.writeDoubleLE(tree.seenAt, 16);
  header.writeUInt32LE(folders.length, 24);
  header.writeUInt32LE(text.length, 28);
  const bytes = Buffer.concat([header, Buffer.from(numbers.buffer), Buffer.from(lengths.buffer), text]);
  bytes.writeUInt32LE(crc32(bytes.subarray(12)), 8);

  const temporary = `${file}.${process.pid}.${performance.now()}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, bytes, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    const code = systemCode(error);
    rmSync(temporary, { force: true });
    return { fault: "INDEX", message: `The index cannot be written (${code}); every start reads all skills until it can.` };
  }
  return undefined;
}

function identityAt(numbers: Float64Array, at: number): Identity {
  return {
    dev: numbers[at] ?? 0,
    ino: numbers[at + 1] ?? 0,
    size: numbers[at + 2] ?? 0,
    mtimeMs: numbers[at + 3] ?? 0,
    ctimeMs: numbers[at + 4] ?? 0,
  };
}

function putIdentity(numbers: Float64Array, at: number, identity: Identity): void {
  numbers[at] = identity.dev;
  numbers[at + 1] = identity.ino;
  numbers[at + 2] = identity.size;
  numbers[at + 3] = identity.mtimeMs;
  numbers[at + 4] = identity.ctimeMs;
}

/** What few skills have, in one short text: empty for a plain skill of the standard. */
interface Rest {
  readonly dialect: DialectName;
  readonly facts: SkillFacts | null;
  readonly skillFaults: readonly Fault[];
  readonly links: readonly string[];
  readonly faults: readonly Fault[];
}

const PLAIN: Rest = { dialect: "agentskills", facts: null, skillFaults: [], links: [], faults: [] };

function packRest({ skill, links, faults }: Folder): string {
  const rest: Partial<Rest> = {
    ...(skill && skill.reading.dialect !== PLAIN.dialect ? { dialect: skill.reading.dialect } : {}),
    ...(skill?.reading.facts ? { facts: skill.reading.facts } : {}),
    ...(skill && skill.reading.faults.length > 0 ? { skillFaults: skill.reading.faults } : {}),
    ...(links.length > 0 ? { links } : {}),
    ...(faults.length > 0 ? { faults } : {}),
  };
  const packed = JSON.stringify(rest);
  return packed === "{}" ? "" : packed;
}

function unpackRest(packed: string): Rest {
  return packed === "" ? PLAIN : { ...PLAIN, ...(JSON.parse(packed) as Partial<Rest>) };
}
