import type { Catalog, Entry, Session } from "@knack/core";
import { homeFolder } from "@knack/core/internal";
import { openProject } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import { type Preview, readPreview } from "./preview.ts";
import { markOf, type SearchQuery, type SearchReply } from "./search/search-messages.ts";
import { SearchThread } from "./search/search-thread.ts";
import { type Switched, switchSkill } from "./switch-skill.ts";

/** What the picker needs; tests pass their own. */
export interface Skills {
  readonly catalog: Catalog;
  search(asked: SearchQuery): Promise<SearchReply | undefined>;
  preview(entry: Entry): Promise<Preview>;
  switchSkill(entry: Entry): Promise<Switched>;
}

export interface SkillsEvents {
  readonly progress: (folders: number) => void;
  readonly note: (line: string) => void;
  /** The search is ready. */
  readonly ready: () => void;
  /** There is a new `catalog`. */
  readonly changed: () => void;
  readonly failed: (error: Error) => void;
}

/** The current catalog through a session, so that loading, search and rules work as everywhere else. */
export class LiveSkills implements Skills {
  readonly #session: Session;
  readonly #thread: SearchThread;

  private constructor(session: Session, thread: SearchThread) {
    this.#session = session;
    this.#thread = thread;
  }

  /** A person sees every skill, as with `knack list`: trust limits what models read and what runs. */
  static async open(options: GlobalOptions, events: SkillsEvents): Promise<LiveSkills> {
    const runtime = await openProject(options).runtime({
      offersProject: true,
      // The search thread watches the files, so a preview does not scan again.
      refreshOnCall: false,
      onProgress: events.progress,
      tell: events.note,
      // A preview is not a load, so nothing is recorded.
      observe: async () => undefined,
    });
    const session = runtime.session();
    const follow = (): void => void session.reload().then(events.changed, events.failed);
    const thread = new SearchThread(
      { cwd: session.catalog.cwd, home: homeFolder(process.env) },
      {
        ready: (mark) => {
          events.ready();
          // Changes made before the thread began to watch.
          if (mark !== markOf(session.catalog)) follow();
        },
        failed: events.failed,
        changed: follow,
      },
    );
    return new LiveSkills(session, thread);
  }

  get catalog(): Catalog {
    return this.#session.catalog;
  }

  search(asked: SearchQuery): Promise<SearchReply | undefined> {
    return this.#thread.search(asked);
  }

  preview(entry: Entry): Promise<Preview> {
    return readPreview(this.#session, entry);
  }

  async switchSkill(entry: Entry): Promise<Switched> {
    const switched = await switchSkill(this.catalog, entry);
    await this.#session.reload();
    this.#thread.reload();
    return switched;
  }
}
