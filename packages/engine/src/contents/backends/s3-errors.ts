import { KnackError } from "@knack/core/internal/engine";
import { StoreError } from "../../store/store-error.ts";

export function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404 && nameOf(error) !== "NoSuchBucket";
}

/** Without the cause: it may contain the headers of the request. */
export function s3Error(error: unknown, shown: string): unknown {
  if (error instanceof KnackError || !(error instanceof Error)) return error;
  if (error.name === "AbortError" && statusOf(error) === undefined) return error;
  const name = nameOf(error);
  if (name === "NoSuchBucket") return new StoreError("IO", `${shown}: the bucket does not exist. Create it.`);
  if (name === "CredentialsProviderError")
    return new StoreError(
      "IO",
      `${shown}: there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    );
  if (statusOf(error) === 403)
    return new StoreError(
      "READONLY",
      `${shown}: access was denied (${name}). Check the AWS credentials and their rights.`,
    );
  return new StoreError("IO", `${shown}: the server did not do what was asked (${name}).`);
}

function nameOf(error: unknown): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  return code || (error instanceof Error ? error.name : "unknown");
}

function statusOf(error: unknown): number | undefined {
  const metadata: unknown = error instanceof Error && "$metadata" in error ? error.$metadata : undefined;
  const status: unknown = typeof metadata === "object" && metadata && Reflect.get(metadata, "httpStatusCode");
  return typeof status === "number" ? status : undefined;
}
