import { sharedService } from "../../../../../core/src/shared/testing/shared-service.ts";
import { type ServerVersion, SharedServer } from "./server.ts";

/** The server that all files of a run share. Tests that stop or change a server start their own. */
export async function sharedServer(version: ServerVersion): Promise<SharedServer> {
  return new SharedServer(Number(await sharedService(`/postgres/${version}`)));
}
