import { createHash, randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../store/store.ts";
import { collectGarbage } from "../collect-garbage.ts";
import type { Contents, Digest } from "../contents.ts";
import { nameAsArtifact } from "./records.ts";

/** Contents of the kind under test, empty, and opened a second time as another machine would. */
export interface ContentsUnderTest extends AsyncDisposable {
  readonly contents: Contents;
  readonly other: Contents;
  readonly store: Store;
  /** Cuts a stored content off behind the backend's back. */
  truncate(sha256: string): Promise<void>;
  /** Changes one byte of it. */
  damage(sha256: string): Promise<void>;
  /** Makes a content look as if it was last put so long ago. */
  age(sha256: string, ms: number): Promise<void>;
}

export const digestOf = (bytes: Uint8Array): Digest => ({
  sha256: createHash("sha256").update(bytes).digest("hex"),
  size: bytes.length,
});

/** The bytes in pieces that fit no part of any backend. */
export async function* pieces(bytes: Uint8Array, size = 100_003): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function bytesOf(contents: Contents, sha256: string): Promise<Buffer | null> {
  const bytes = await contents.open(sha256);
  return bytes && Buffer.concat(await allOf(bytes));
}

/** Whoever names it. */
export function remove(contents: Contents, sha256: string): Promise<boolean> {
  return contents.removeUnused(sha256, new Date("2999-01-01"), async () => false);
}

const put = async (contents: Contents, bytes: Uint8Array): Promise<Digest> => {
  const digest = digestOf(bytes);
  await contents.put(digest, () => pieces(bytes));
  return digest;
};

const MIB = 1024 * 1024;
const WRONG_BYTES = { code: "CORRUPT" };

/** What every backend must do. */
export function describeContents(name: string, open: () => Promise<ContentsUnderTest>): void {
  describe(`the contract of contents: ${name}`, () => {
    let under: ContentsUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under[Symbol.asyncDispose]());

    it.each([0, 1, MIB - 1, MIB, MIB + 1, 8 * MIB, 8 * MIB + 1, 20 * MIB])(
      "gives another machine the same %d bytes",
      async (size) => {
        const bytes = randomBytes(size);
        const { sha256 } = await put(under.contents, bytes);
        expect(await under.other.has(sha256)).toBe(true);
        expect((await bytesOf(under.other, sha256))?.equals(bytes)).toBe(true);
      },
    );

    it("has nothing that was not put", async () => {
      const { sha256 } = digestOf(Buffer.from("nothing"));
      expect(await under.contents.has(sha256)).toBe(false);
      expect(await under.contents.open(sha256)).toBeNull();
      expect(await allOf(under.contents.list())).toEqual([]);
      expect(await remove(under.contents, sha256)).toBe(false);
    });

    it("refuses what is not a digest", async () => {
      for (const sha256 of ["", "AB", "../../../etc/passwd", "A".repeat(64), `${"a".repeat(63)}/`]) {
        await expect(under.contents.open(sha256)).rejects.toThrow("SHA-256");
        const put = under.contents.put({ sha256, size: 0 }, () => pieces(Buffer.alloc(0)));
        await expect(put).rejects.toThrow("SHA-256");
      }
    });

    it.each([1, 3 * MIB, 10 * MIB])("rejects %d bytes with another digest or size", async (size) => {
      const bytes = randomBytes(size);
      const right = digestOf(bytes);
      const others = [
        { ...right, sha256: digestOf(Buffer.from("other")).sha256 },
        { ...right, size: size + 1 },
        { ...right, size: size - 1 },
      ];
      for (const digest of others) {
        await expect(under.contents.put(digest, () => pieces(bytes))).rejects.toMatchObject(WRONG_BYTES);
        expect(await under.other.has(digest.sha256)).toBe(false);
      }
      expect(await allOf(under.other.list())).toEqual([]);
    });

    it("stores nothing where the source fails", async () => {
      const digest = digestOf(Buffer.alloc(3 * MIB));
      const failing = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(2 * MIB);
        throw Object.assign(new Error("no"), { code: "ENOENT", syscall: "read" });
      };
      await expect(under.contents.put(digest, failing)).rejects.toThrow("cannot be read (ENOENT)");
      expect(await under.contents.has(digest.sha256)).toBe(false);
    });

    it("stores the same content once where many put it at the same time", async () => {
      const bytes = randomBytes(3 * MIB);
      const digest = digestOf(bytes);
      await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          (i % 2 === 0 ? under.contents : under.other).put(digest, () => pieces(bytes)),
        ),
      );
      expect((await bytesOf(under.contents, digest.sha256))?.equals(bytes)).toBe(true);
      const listed = await allOf(under.contents.list());
      expect(listed.map(({ sha256, size }) => ({ sha256, size }))).toEqual([digest]);
    });

    it("stores different contents at the same time", async () => {
      const all = Array.from({ length: 12 }, (_, i) => randomBytes(i * 200_000));
      const digests = await Promise.all(
        all.map((bytes, i) => put(i % 2 === 0 ? under.contents : under.other, bytes)),
      );
      for (const [i, { sha256 }] of digests.entries())
        expect((await bytesOf(under.other, sha256))?.equals(all[i]!)).toBe(true);
      const listed = await allOf(under.other.list());
      expect(listed.map(({ sha256 }) => sha256).sort()).toEqual(digests.map(({ sha256 }) => sha256).sort());
    });

    it("does not read the source of a content that is there", async () => {
      const bytes = randomBytes(1000);
      const digest = await put(under.contents, bytes);
      const never = (): AsyncIterable<Uint8Array> => {
        throw new Error("It was read.");
      };
      await under.other.put(digest, never);
    });

    it("detects a content that was cut off, and the next put heals it", async () => {
      const bytes = randomBytes(2 * MIB + 5);
      const { sha256 } = await put(under.contents, bytes);
      await under.truncate(sha256);
      await expect(bytesOf(under.contents, sha256)).rejects.toMatchObject(WRONG_BYTES);
      await put(under.other, bytes);
      expect((await bytesOf(under.contents, sha256))?.equals(bytes)).toBe(true);
    });

    it("detects a changed byte, and the next put of whoever read it heals it", async () => {
      const bytes = randomBytes(MIB + 5);
      const { sha256 } = await put(under.contents, bytes);
      await under.damage(sha256);
      await expect(bytesOf(under.other, sha256)).rejects.toMatchObject(WRONG_BYTES);
      await put(under.other, bytes);
      expect((await bytesOf(under.contents, sha256))?.equals(bytes)).toBe(true);
    });

    it("leaves an iterable that nobody reads without effect", async () => {
      const { sha256 } = await put(under.contents, randomBytes(10_000));
      for (let i = 0; i < 100; i++) await under.contents.open(sha256);
      const half = (await under.contents.open(sha256))?.[Symbol.asyncIterator]();
      await half?.next();
      await half?.return?.();
      expect(await remove(under.contents, sha256)).toBe(true);
      expect(await under.contents.has(sha256)).toBe(false);
    });

    describe("removing what is not used", () => {
      const before = (): Date => new Date(under.store.now().getTime() - 3_600_000);
      const never = async (): Promise<boolean> => false;

      it("removes what is old and not named", async () => {
        const { sha256 } = await put(under.contents, Buffer.from("old"));
        await under.age(sha256, 7_200_000);
        expect(await under.contents.removeUnused(sha256, before(), async () => true)).toBe(false);
        expect(await under.contents.removeUnused(sha256, before(), never)).toBe(true);
        expect(await under.contents.removeUnused(sha256, before(), never)).toBe(false);
        expect(await under.contents.has(sha256)).toBe(false);
      });

      it("keeps what was put a moment ago, also if it was there before", async () => {
        const bytes = Buffer.from("again");
        const { sha256 } = await put(under.contents, bytes);
        expect(await under.contents.removeUnused(sha256, before(), never)).toBe(false);
        await under.age(sha256, 7_200_000);
        await put(under.other, bytes);
        expect(await under.contents.removeUnused(sha256, before(), never)).toBe(false);
        expect((await bytesOf(under.other, sha256))?.equals(bytes)).toBe(true);
      });

      it("loses nothing of runs that put and record while another machine collects", async () => {
        const { contents, other, store } = under;
        const texts = Array.from({ length: 12 }, (_, i) => Buffer.from(`text ${i}`));
        for (const bytes of texts) await under.age((await put(contents, bytes)).sha256, 7_200_000);
        let isOver = false;
        const record = async (): Promise<void> => {
          for (const bytes of texts) await nameAsArtifact(store, (await put(other, bytes)).sha256);
        };
        const collect = async (): Promise<void> => {
          while (!isOver) await collectGarbage(contents, store, { olderThanMs: 3_600_000 });
        };
        const recording = record().finally(() => {
          isOver = true;
        });
        await Promise.all([recording, collect()]);
        for (const bytes of texts)
          expect((await bytesOf(contents, digestOf(bytes).sha256))?.equals(bytes)).toBe(true);
      });

      it("never takes a content away that somebody put while it was being removed", async () => {
        const bytes = randomBytes(5000);
        const { sha256 } = await put(under.contents, bytes);
        for (let round = 0; round < 20; round++) {
          await under.age(sha256, 7_200_000);
          await Promise.all([
            under.contents.removeUnused(sha256, before(), never),
            under.contents.removeUnused(sha256, before(), never),
            put(under.other, bytes),
          ]);
          expect((await bytesOf(under.other, sha256))?.equals(bytes)).toBe(true);
        }
      });
    });
  });
}
