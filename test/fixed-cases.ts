import fc from "fast-check";
import { fixedSeed } from "../packages/core/src/shared/testing/cases.ts";

/** Property tests use the same cases each time, so that the same commit gives the same result. `npm run fuzz` tries new ones. */
const { KNACK_FUZZ_RUNS: runs } = process.env;
if (runs === undefined || runs === "full") fc.configureGlobal({ seed: fixedSeed() });
