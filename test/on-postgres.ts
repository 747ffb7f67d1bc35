import { sharedServer } from "../packages/engine/src/store/testing/postgres/shared-server.ts";

/** The scenes of the engine's tests use this server in place of a file. */
const { port } = await sharedServer("18");
process.env.KNACK_TEST_POSTGRES = `postgres://knack@127.0.0.1:${port}/postgres`;
