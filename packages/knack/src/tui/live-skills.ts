import type { Catalog, Entry, Session } from "@knack/core";
import { homeFolder } from "@knack/core/internal";
import { openProject } from "../host/open-project.ts";
import type { GlobalOptions } from "../options.ts";
import { type Preview, readPreview } from "./preview.ts";
import { markOf, type SearchQuery, type SearchReply } from "./search/search-messages.ts";
import { SearchThread } from "./search/search-thread.ts";
import { type Switched, switchSkill } from "./switch-skill.ts";

/** What the picker asks of the skills; a test brings its own. */
export interface Skills {
  readonly catalog: Catalog;
  search(asked: SearchQuery): Promise<SearchReply | undefined>;
  preview(entry: Entry): Promise<Preview>;
  switchSkill(entry: Entry): Promise<Switched>;
}

export interface SkillsEvents {
  readonly progress: (folders: number) => void;
  readonly note: (line: string) => void;
  /** The search answers from now on. */
  readonly ready: () => void;
  /** `catalog` is a new one. */
  readonly changed: () => void;
  readonly failed: (error: Error) => void;
}

/** The catalog as it is now, through one session: the same that loads, searches and obeys the rules everywhere. */
export class LiveSkills implements Skills {
  readonly #session: Session;
  readonly #thread: SearchThread;

  private constructor(session: Session, thread: SearchThread) {
    this.#session = session;
    this.#thread = thread;
  }

  /** A person sees everything, as with `knack list`: trust is for what a model reads and for what runs. */
  static async open(options: GlobalOptions, events: SkillsEvents): Promise<LiveSkills> {
    const runtime = await openProject(options).runtime({
      offersProject: true,
      // The thread watches; a preview need not look at every file again.
      refreshOnCall: false,
      onProgress: events.progress,
      tell: events.note,
      // To look at a skill is not to load it: nothing is recorded.
      observe: async () => undefined,
    });
    const session = runtime.session();
    const follow = (): void => void session.reload().then(events.changed, events.failed);
    const thread = new SearchThread(
      { cwd: session.catalog.cwd, home: homeFolder(process.env) },
      {
        ready: (mark) => {
          events.ready();
          // What changed before the thread began to watch.
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
