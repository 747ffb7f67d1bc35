import { readdirSync, utimesSync } from "node:fs";
import { expect, it } from "vitest";
import { makeFolder } from "../testing/index.ts";
import { ConversationFile, forgetOldConversations } from "./conversation-file.ts";

it("conversations do not fill the disk: of many the newest stay, and none for longer than 30 days", () => {
  const name = (number: number): string => `${String(number).padStart(32, "0")}.jsonl`;
  const files = Array.from({ length: 2_100 }, (_, number) => [`conversations/${name(number)}`, "{}\n"]);
  using folder = makeFolder(Object.fromEntries(files));
  const now = Date.now() / 1_000;
  for (let number = 0; number < 2_100; number++)
    utimesSync(folder.at(`conversations/${name(number)}`), now, now - 10_000 + number);
  const old = folder.at(`conversations/${name(2_099)}`);
  utimesSync(old, now, now - 31 * 86_400);
  new ConversationFile(folder.at("."), "claude", "this one").expect("a task");
  forgetOldConversations(folder.at("."));
  const left = readdirSync(folder.at("conversations"));
  expect(left).toHaveLength(2_000);
  expect(left).not.toContain(name(0));
  expect(left).not.toContain(name(2_099));
  expect(left).toContain(name(2_098));
});
