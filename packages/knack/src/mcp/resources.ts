import { setImmediate } from "node:timers/promises";
import { KnackError, type SkillMetadata } from "@knack/core";
import { answerTo, compareText, quote, shorten } from "@knack/core/text";
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  DIRECTORY_MIME_TYPE,
  SKILL_LIMITS,
  type SkillReadResult,
  type SkillSource,
} from "@modelcontextprotocol/server/ext/skills";
import { type CallMeans, callAsking } from "./asking.ts";
import type { Connection } from "./connection.ts";
import { guarded, notFound } from "./errors.ts";
import { type Page, pageOf } from "./lists.ts";
import { promptOf } from "./prompts.ts";
import { isText, mediaType, parseSkillUri, type Served, type SkillUri, skillUri } from "./skill-entries.ts";

/** The protocol sends at most so many. */
const MAX_VALUES = 100;

/** Pages of resources, which the SDK's own list does not have, and reading one, which may ask the user first. */
export function serveResources(
  { server }: McpServer,
  connection: Connection,
  skills: ConnectionSkills,
): void {
  server.setRequestHandler("resources/list", ({ params }, ctx) =>
    guarded(async () => {
      connection.offered(ctx);
      return skills.resources(params?.cursor);
    }),
  );

  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }) =>
    guarded(async () => {
      if (ref.type === "ref/prompt") {
        // What a skill works with is in no list.
        await promptOf(connection, ref.name);
        return completion([]);
      }
      const paths = argument.name === "path" ? await skills.paths() : [];
      return completion(paths.filter((path) => path.startsWith(argument.value)));
    }),
  );

  server.setRequestHandler("resources/read", ({ params: { uri } }, ctx) =>
    guarded(async () => {
      if (!URL.canParse(uri)) {
        const message = `${quote(uri)} is not a URI. Use one from resources/list.`;
        const data = { uri: shorten(uri), reason: "invalid_uri" };
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
      }
      const made = await callAsking(connection, ctx, { method: "resources/read", params: { uri } }, (means) =>
        skills.read(uri, ctx, means),
      );
      if ("question" in made) return made.question;
      if (!made.result) throw notFound(uri, connection.session);
      return toResult(uri, made.result);
    }),
  );
}

function completion(all: readonly string[]) {
  const values = all.slice(0, MAX_VALUES);
  return { completion: { values, total: all.length, hasMore: all.length > values.length } };
}

function toResult(uri: string, read: SkillReadResult): ReadResourceResult {
  const mimeType = read.mimeType ?? "application/octet-stream";
  const content = "text" in read ? { text: read.text } : { blob: Buffer.from(read.bytes).toString("base64") };
  return { contents: [{ uri, mimeType, ...content }] };
}

/** The catalog as the source of the protocol's skills extension, for one connection. */
export class ConnectionSkills implements SkillSource {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list({ cursor }: { cursor?: string }, ctx: ServerContext) {
    return guarded(async () => {
      this.#connection.offered(ctx);
      const { items, ...next } = await this.#page(cursor);
      return { skills: items.map(({ entry }) => entry), ...next };
    });
  }

  get(uri: string) {
    return guarded(async () => {
      const at = parseSkillUri(uri);
      const found = at?.file === "SKILL.md" ? await this.#find(at) : undefined;
      if (!found) throw notFound(uri, this.#connection.session);
      return found.entry;
    });
  }

  /** `means`: of a call that may outlast its request, because it asks. */
  read(uri: string, ctx: ServerContext, { confirm, signal = ctx.mcpReq.signal }: Partial<CallMeans> = {}) {
    return guarded(async (): Promise<SkillReadResult | undefined> => {
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
        if (at.file === "SKILL.md") this.#connection.loaded(skill, sha256 ?? "", ctx);
        const mimeType = mediaType(at.file);
        return isText(bytes) ? { text: bytes.toString("utf8"), mimeType } : { bytes, mimeType };
      } catch (error) {
        if (!(error instanceof KnackError)) throw error;
        if (error.code === "NOT_FOUND") return undefined;
        const data = { uri: shorten(uri), code: answerTo(error).tool };
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, data);
      }
    });
  }

  readDirectory(uri: string, { cursor }: { cursor?: string }) {
    return guarded(async () => {
      // A slash at the end says that a folder is meant, as it is.
      const at = parseSkillUri(uri.replace(/\/$/, ""));
      const found = at && (await this.#find(at));
      const children = found ? childrenOf(found, at) : [];
      if (children.length === 0) throw notFound(uri, this.#connection.session);
      const { items, ...next } = pageOf(children, cursor, (child) => child.uri);
      return { resources: items, ...next };
    });
  }

  /** The `SKILL.md` of each, as `resources/list` has them. */
  async resources(cursor: string | undefined) {
    const { items, ...next } = await this.#page(cursor);
    const resources = items.map(({ skill, files }) => ({
      uri: skillUri(skill.name),
      name: skill.name,
      description: skill.description,
      mimeType: "text/markdown",
      size: files.get("SKILL.md")?.size ?? 0,
    }));
    return { resources, ...next };
  }

  /** What the template for resources can be completed to. */
  async paths(): Promise<string[]> {
    const { named } = await this.#readable();
    return [...named.keys()].map((name) => `${name}/SKILL.md`);
  }

  async #page(cursor: string | undefined): Promise<Page<Served>> {
    const { named, entryOf } = await this.#readable();
    const { items, ...next } = pageOf([...named.values()], cursor, ({ name }) => name);
    const served: Served[] = [];
    for (const skill of items) {
      const one = await entryOf(skill);
      if (one) served.push(one);
      // Reading many files must not keep others waiting.
      await setImmediate();
    }
    return { items: served, ...next };
  }

  async #find({ name }: SkillUri): Promise<Served | undefined> {
    const { named, entryOf } = await this.#readable();
    const skill = named.get(name);
    return skill && entryOf(skill);
  }

  /** The skills that a model may read, by their names; one that calls a tool is not to be read. */
  async #readable() {
    const { mcp, session } = this.#connection;
    await this.#connection.refresh();
    const visible = await session.visibleTo("model");
    const skills = visible.filter(({ invocationMode }) => invocationMode !== "tool_dispatch");
    const told = new Set(skills.map(({ dir }) => dir));
    // Folders of skills that a model may not read may be inside of others.
    const hidden = session.catalog.entries.map(({ skill }) => skill.dir).filter((dir) => !told.has(dir));
    return {
      named: mcp.entries.addressable(skills),
      entryOf: (skill: SkillMetadata) => mcp.entries.of(skill, session.catalog, hidden),
    };
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
