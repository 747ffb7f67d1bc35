import { type ArtifactVersion, artifactVersions, diffTexts, openRecorded, readArtifact } from "@knack/engine";
import type { Host } from "../../../host/host.ts";
import { HttpError } from "../../server/http-error.ts";
import { readText, readWhole } from "../read-query.ts";
import { json, type Parameter, type Route } from "../route.ts";
import * as common from "../schemas.ts";
import { artifactResponse } from "./artifact-response.ts";
import { findRun, runId, type StoredRun } from "./run-routes.ts";
import * as schema from "./schemas.ts";

/** Larger texts are compared with diff_artifact, in a process of its own. */
const MAX_DIFF_BYTES = 2 * 1024 * 1024;

const artifactName: Parameter = {
  name: "name",
  in: "path",
  description: "The name of an artifact of the run.",
  schema: common.text,
  required: true,
};

/** Routes for what runs made. */
export const artifactRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/runs/{id}/artifacts/{name}",
    summary:
      "The bytes of an artifact as they were recorded. Text of any kind is text/plain, so that nothing runs in a browser; 409 if the file was changed since.",
    parameters: [
      runId,
      artifactName,
      {
        name: "first",
        in: "query",
        description: "Only this many bytes from the beginning.",
        schema: common.count,
      },
    ],
    type: "application/octet-stream",
    failures: [404, 409],
    handle: async ({ params, query }, { host }) => {
      const artifact = findArtifact(await findRun(host, params.id), params.name);
      await host.engine.fetchArtifact(artifact);
      const opened = await openRecorded(host.live.catalog.projectRoot, artifact);
      return artifactResponse(artifact, opened, readWhole(query, "first"));
    },
  },
  {
    method: "GET",
    path: "/api/runs/{id}/artifacts/{name}/versions",
    summary: "The versions of an artifact in the task of this run, newest first.",
    parameters: [runId, artifactName],
    answer: schema.versions,
    failures: [404],
    handle: async ({ params }, { host }) => {
      const versions = await versionsOf(host, params.id, params.name);
      return json({ versions, count: versions.length });
    },
  },
  {
    method: "GET",
    path: "/api/runs/{id}/artifacts/{name}/diff",
    summary: "The difference between two versions of an artifact, as a unified diff.",
    parameters: [
      runId,
      artifactName,
      {
        name: "from",
        in: "query",
        description: "The number of a version.",
        schema: common.text,
        required: true,
      },
      {
        name: "to",
        in: "query",
        description: "The number of another version.",
        schema: common.text,
        required: true,
      },
    ],
    answer: schema.diff,
    failures: [404, 409, 413, 422],
    handle: async ({ params, query }, { host }) => {
      const versions = await versionsOf(host, params.id, params.name);
      const [left, right] = ["from", "to"].map((name) => pick(versions, readText(query, name)));
      if (!left || !right) throw new HttpError(404, "NOT_FOUND", "There is no such version.");
      const names = { left: label(left), right: label(right) };
      const texts = [await readSmall(host, left), await readSmall(host, right)] as const;
      return json({ left, right, diff: await diffTexts(...texts, names) });
    },
  },
];

function findArtifact(run: StoredRun, name: string | undefined): StoredRun["artifacts"][number] {
  const artifact = run.artifacts.find((one) => one.name === name);
  if (artifact) return artifact;
  throw new HttpError(404, "NOT_FOUND", "The run made no such artifact.");
}

async function versionsOf(
  host: Host,
  id: string | undefined,
  name: string | undefined,
): Promise<ArtifactVersion[]> {
  const run = await findRun(host, id);
  return artifactVersions(await host.engine.history(), run, findArtifact(run, name).name);
}

function pick(versions: readonly ArtifactVersion[], number: string): ArtifactVersion | undefined {
  return versions.find(({ version }) => String(version) === number);
}

async function readSmall({ engine, live }: Host, artifact: ArtifactVersion): Promise<Buffer> {
  if (artifact.size_bytes > MAX_DIFF_BYTES)
    throw new HttpError(
      413,
      "INVALID_PARAM",
      `Version ${artifact.version} has more than ${MAX_DIFF_BYTES} bytes; run diff_artifact on the two files.`,
    );
  await engine.fetchArtifact(artifact);
  const bytes = readArtifact(live.catalog.projectRoot, artifact);
  if (bytes.includes(0)) throw new HttpError(422, "INVALID_PARAM", "The artifact is not text.");
  return bytes;
}

function label({ name, version }: ArtifactVersion): string {
  return `${name} (version ${version})`;
}
