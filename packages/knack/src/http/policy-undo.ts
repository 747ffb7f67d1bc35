import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { SkillError } from "@knack/core";
import { canonical, removeQuietly, withLock, writeDurably, writeError } from "@knack/core/files";

interface Change {
  readonly userFolder: string;
  readonly file: string;
  /** `null`: there was no file. */
  readonly before: string | null;
  readonly after: string | null;
}

const MAX_KEPT = 50;

/** Takes back changes of configuration files, byte for byte, while nobody else has changed the file since. */
export class PolicyUndo {
  readonly #changes = new Map<string, Change>();

  /** Does the work and remembers what the file was; the answer has the id to undo it by, or null if nothing changed. */
  async watch<T>(
    file: string,
    work: () => Promise<T>,
  ): Promise<{ readonly done: T; readonly undo: string | null }> {
    // A link to a file elsewhere stays a link.
    const target = canonical(file);
    const before = textOf(target);
    const done = await work();
    const after = textOf(target);
    return {
      done,
      undo: before === after ? null : this.#keep({ userFolder: dirname(file), file: target, before, after }),
    };
  }

  async undo(id: string): Promise<string> {
    const change = this.#changes.get(id);
    if (!change)
      throw new SkillError("NOT_FOUND", "This change can no longer be undone; make the opposite one.");
    const { userFolder, file, before, after } = change;
    await withLock(userFolder, file, () => {
      if (textOf(file) !== after)
        throw new SkillError("CONFLICT", "The configuration has changed since; make the opposite change.");
      if (before === null) {
        removeQuietly(file);
        return;
      }
      const failure = writeDurably(file, statSync(file).mode & 0o777, before);
      if (failure) throw writeError(file, failure);
    });
    this.#changes.delete(id);
    return file;
  }

  #keep(change: Change): string {
    const id = randomUUID();
    this.#changes.set(id, change);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > MAX_KEPT && oldest !== undefined) this.#changes.delete(oldest);
    return id;
  }
}

const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, "utf8") : null);
