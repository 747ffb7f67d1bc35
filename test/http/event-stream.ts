import type { Server } from "./server.ts";

interface Event {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** Reads server-sent events from a stream. */
export class Events {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly response: Response;
  text = "";

  private constructor(response: Response) {
    this.response = response;
    this.#reader = response.body!.getReader();
  }

  static async open(server: Server, headers: Record<string, string> = {}, query = ""): Promise<Events> {
    return new Events(await server.get(`/api/events${query}`, headers));
  }

  /** Reads events until one matches. */
  async until(wish: (event: Event) => boolean): Promise<Event[]> {
    const found: Event[] = [];
    for (;;) {
      for (let end = this.text.indexOf("\n\n"); end !== -1; end = this.text.indexOf("\n\n")) {
        const block = this.text.slice(0, end);
        this.text = this.text.slice(end + 2);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
        if (!block.includes("data: ")) continue;
        const event = { event: field("event"), id: field("id"), data: JSON.parse(field("data")) };
        found.push(event);
        if (wish(event)) return found;
      }
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("The stream ended.");
      this.text += new TextDecoder().decode(value);
    }
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}
