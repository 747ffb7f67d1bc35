import { setImmediate } from "node:timers/promises";
import { KnackError, type SkillMetadata } from "@knack/core";
import { answerTo, compareText, shorten } from "@knack/core/internal";
import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  DIRECTORY_MIME_TYPE,
  SKILL_LIMITS,
  type SkillReadResult,
  type SkillSource,
} from "@modelcontextprotocol/server/ext/skills";
import type { CallMeans } from "../elicitation/asking.ts";
import type { Connection } from "../server/connection.ts";
import { guarded } from "../server/guarded.ts";
import { notFound } from "../server/not-found.ts";
import { type Page, pageOf } from "../server/paging.ts";
import { isText } from "./file-digests.ts";
import { mediaType } from "./media-type.ts";
import type { Served } from "./skill-entries.ts";
import { parseSkillUri, type SkillUri, skillUri } from "./skill-uri.ts";

/** The catalog as the source of the protocol's skills extension, for one connection. */
export class ConnectionSkills implements SkillSource {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list({ cursor }: { cursor?: string }, ctx: ServerContext) {
    return guarded(async () => {
      await this.#connection.offered(ctx);
      const { items, nextCursor } = await this.#page(cursor);
      return { skills: items.map(({ entry }) => entry), ...(nextCursor === undefined ? {} : { nextCursor }) };
    });
  }

  get(uri: string) {
    return guarded(async () => {
      const at = parseSkillUri(uri);
      const found = at?.file === "SKILL.md" ? await this.#find(at) : undefined;
      if (!found) throw notFound(uri, this.#connection);
      return found.entry;
    });
  }

  /** `means`: of a call that may outlast its request, because it asks. */
  read(uri: string, ctx: ServerContext, means: Partial<CallMeans> = {}) {
    return guarded(() => this.#read(uri, ctx, means));
  }

  async #read(
    uri: string,
    ctx: ServerContext,
    { confirm, signal = ctx.mcpReq.signal }: Partial<CallMeans>,
  ): Promise<SkillReadResult | undefined> {
    const at = parseSkillUri(uri);
    const found = at && (await this.#find(at));
    if (!at || !found?.files.has(at.file)) return undefined;
    const { skill } = found;
    try {
      const { bytes, truncated, sha256 } = await this.#connection.session.readFile(
        { path: skill.path },
        at.file,
        { maxBytes: SKILL_LIMITS.bytes, signal, ...(confirm ? { confirm } : {}) },
      );
      if (truncated) return undefined;
      if (at.file === "SKILL.md") await this.#connection.loaded(skill, sha256 ?? "", ctx);
      const mimeType = mediaType(at.file);
      return isText(bytes) ? { text: bytes.toString("utf8"), mimeType } : { bytes, mimeType };
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
      if (error.code === "NOT_FOUND") return undefined;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, {
        uri: shorten(uri),
        code: answerTo(error).tool,
      });
    }
  }

  readDirectory(uri: string, { cursor }: { cursor?: string }) {
    return guarded(async () => {
      // A slash at the end says that a folder is meant, as it is.
      const at = parseSkillUri(uri.replace(/\/$/, ""));
      const found = at && (await this.#find(at));
      const children = found ? childrenOf(found, at) : [];
      if (children.length === 0) throw notFound(uri, this.#connection);
      const { items, nextCursor } = pageOf(children, cursor, (child) => child.uri);
      return { resources: [...items], ...(nextCursor === undefined ? {} : { nextCursor }) };
    });
  }

  /** The `SKILL.md` of each, as `resources/list` has them. */
  async resources(cursor: string | undefined): Promise<Page<Resource>> {
    const { items, nextCursor } = await this.#page(cursor);
    const resources = items.map(({ skill, files }) => ({
      uri: skillUri(skill.name),
      name: skill.name,
      description: skill.description,
      mimeType: "text/markdown",
      size: files.get("SKILL.md")?.size ?? 0,
    }));
    return { items: resources, ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  /** The names that begin so, for completion. */
  async names(beginning: string): Promise<string[]> {
    const known = await this.#addressable();
    return [...known.keys()].filter((name) => name.startsWith(beginning));
  }

  async #page(cursor: string | undefined): Promise<Page<Served>> {
    const known = await this.#addressable();
    const { items, nextCursor } = pageOf([...known.values()], cursor, ({ name }) => name);
    const hidden = await this.#hidden();
    const served: Served[] = [];
    for (const skill of items) {
      const one = await this.#connection.mcp.entries.of(skill, this.#connection.session.catalog, hidden);
      if (one) served.push(one);
      // Reading many files must not keep others waiting.
      await setImmediate();
    }
    return { items: served, ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  async #find({ name }: SkillUri): Promise<Served | undefined> {
    const skill = (await this.#addressable()).get(name);
    if (!skill) return undefined;
    const { mcp, session } = this.#connection;
    return mcp.entries.of(skill, session.catalog, await this.#hidden());
  }

  async #addressable(): Promise<Map<string, SkillMetadata>> {
    const { mcp, session } = this.#connection;
    await this.#connection.refresh();
    return mcp.entries.addressable(await session.visibleTo("model"));
  }

  /** Folders of skills that a model is not told of; they may be inside of others. */
  async #hidden(): Promise<string[]> {
    const { session } = this.#connection;
    const told = new Set((await session.visibleTo("model")).map(({ dir }) => dir));
    return session.catalog.entries.map(({ skill }) => skill.dir).filter((dir) => !told.has(dir));
  }
}

function childrenOf({ skill, files }: Served, { file: folder }: SkillUri): Resource[] {
  const children = new Map<string, Resource>();
  const start = folder === "" ? "" : `${folder}/`;
  for (const [file, { size }] of files) {
    if (!file.startsWith(start)) continue;
    const [name = "", ...below] = file.slice(start.length).split("/");
    const uri = skillUri(skill.name, `${start}${name}`);
    if (below.length > 0) children.set(name, { uri, name, mimeType: DIRECTORY_MIME_TYPE });
    else children.set(name, { uri, name, mimeType: mediaType(name), size });
  }
  return [...children.values()].sort((a, b) => compareText(a.uri, b.uri));
}
