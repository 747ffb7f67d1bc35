import { randomUUID } from "node:crypto";
import type { Attributes } from "@knack/core/telemetry";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { version } from "../version.ts";

/** Names come from files of strangers; as long as a name may be, and no longer. */
const MAX_LENGTH = 200;
const CODE = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Without values that are not there; text on one line, valid as UTF-8 and bounded. */
export function cleanAttributes(attributes: Attributes): Record<string, string | number | boolean> {
  const clean: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== null)
      clean[key] = typeof value === "string" ? cleanText(value) : value;
  return clean;
}

function cleanText(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
}

/** A skill's function chooses its own error codes, and could put anything there. */
export function cleanCode(code: string): string {
  return CODE.test(code) ? code : "_OTHER";
}

/** What is known of anything that was thrown, without its message. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  const { code } = error as { code?: unknown };
  return cleanCode(typeof code === "string" ? code : error.name);
}

let resource: ReturnType<typeof defaultResource> | undefined;

/**
 * Who sends, the same for traces and metrics: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` come first. Nothing of the
 * machine and the command line is added, which can have secrets. The id tells the counters of two processes apart.
 */
export function ownResource(): ReturnType<typeof defaultResource> {
  const own = {
    "service.name": "knack",
    "service.version": version,
    "service.instance.id": randomUUID(),
  };
  resource ??= defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
  return resource;
}
