/** One server-sent event. */
export interface ServerEvent {
  readonly type: string;
  readonly id: string;
  readonly data: string;
}

/** Splits what has arrived of a stream into whole events, and the rest that is still incomplete. */
export function readEvents(text: string): { readonly events: readonly ServerEvent[]; readonly rest: string } {
  const blocks = text.split("\n\n");
  const rest = blocks.pop() ?? "";
  return { events: blocks.flatMap((block) => readBlock(block) ?? []), rest };
}

function readBlock(block: string): ServerEvent | undefined {
  const fields = { event: "message", id: "", data: "" };
  for (const line of block.split("\n")) {
    const [, name, value] = /^(event|id|data): ?(.*)$/s.exec(line) ?? [];
    if (name === "data") fields.data += (fields.data && "\n") + value;
    else if (name === "event" || name === "id") fields[name] = value ?? "";
  }
  return fields.data === "" ? undefined : { type: fields.event, id: fields.id, data: fields.data };
}
