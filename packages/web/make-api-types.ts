import { writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { describeApi } from "../knack/src/http/api/openapi.ts";
import { describedRoutes } from "../knack/src/http/api/routes.ts";

/** `npm run page:types`: writes the types of the API from the server's own description. */

const FILE = join(import.meta.dirname, "src", "api", "api.d.ts");
const HEAD = '// Made by "npm run page:types" from the description of the API. Do not edit.\n\n';

export async function apiTypes(): Promise<string> {
  const description = describeApi(describedRoutes, "http://127.0.0.1:4747");
  // A copy: the generator changes what it is given.
  return HEAD + astToString(await openapiTS(JSON.stringify(description), { alphabetize: true }));
}

if (process.argv[1] === import.meta.filename) writeFileSync(FILE, await apiTypes());
