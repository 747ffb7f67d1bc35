import { afterAll, beforeAll, describe } from "vitest";
import { describeDatabase } from "../testing/contract/contract.ts";
import { programsOf, type ServerVersion, TestServer } from "../testing/postgres/server.ts";
import { openPostgres } from "./postgres.ts";

for (const version of ["18", "15"] satisfies ServerVersion[]) {
  describe.skipIf(programsOf(version) === undefined)(`PostgreSQL ${version}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await TestServer.start(version);
    });
    afterAll(() => server?.[Symbol.asyncDispose]());

    describeDatabase(`PostgreSQL ${version}`, async () => {
      const url = server.url();
      const opened = [await openPostgres(url)];
      return {
        db: opened[0]!,
        openAgain: async () => {
          const again = await openPostgres(url);
          opened.push(again);
          return again;
        },
        dispose: async () => {
          for (const db of opened) await db.close();
        },
      };
    });
  });
}
