import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { manPage } from "./man/man-page.ts";

/** Writes the manual page from the help texts. */

writeFileSync(join(import.meta.dirname, "../packages/knack/man/knack.1"), manPage());
