import { writeFileSync } from "node:fs";
import { LINT_DOCS, lintDocs } from "./lint-docs.ts";

/** Writes the rules of the lint into its documentation. */

writeFileSync(LINT_DOCS, lintDocs());
