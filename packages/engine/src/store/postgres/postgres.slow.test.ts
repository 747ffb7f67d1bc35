import { beforeAll, describe } from "vitest";
import { describeDatabase } from "../testing/contract/contract.ts";
import { programsOf, type ServerVersion, type SharedServer } from "../testing/postgres/server.ts";
import { sharedServer } from "../testing/postgres/shared-server.ts";
import { openPostgres } from "./postgres.ts";

for (const version of ["18", "15"] satisfies ServerVersion[]) {
  describe.skipIf(programsOf(version) === undefined)(`PostgreSQL ${version}`, () => {
    let server: SharedServer;
    beforeAll(async () => {
      server = await sharedServer(version);
    });

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
