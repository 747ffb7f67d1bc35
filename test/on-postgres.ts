import { inject } from "vitest";

/** The scenes of the engine's tests use this server in place of a file. */
process.env.KNACK_TEST_POSTGRES = inject("postgres");
