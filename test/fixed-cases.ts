import fc from "fast-check";

/** The same commit gives the same answer: the suites try the same cases each time. `npm run fuzz` looks for new ones. */
const { KNACK_FUZZ_RUNS: runs } = process.env;
if (runs === undefined || runs === "full") fc.configureGlobal({ seed: 20_261_116 });
