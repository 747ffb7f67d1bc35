import type { S3Client } from "@aws-sdk/client-s3";
import { SkillError } from "@knack/core";
import type { Backend } from "./backend.ts";
import { S3Backend } from "./s3-backend.ts";

const MAX_ATTEMPTS = 5;
const CONNECT_MS = 10_000;
const REQUEST_MS = 120_000;

/** Opens `s3://bucket/prefix`. Region, credentials and endpoint come from the standard AWS variables and files. */
export async function openS3(url: string, storeId: string): Promise<Backend> {
  const sdk = await loadSdk();
  const { host: bucket, pathname } = new URL(url);
  const prefix = [...pathname.split("/").filter(Boolean), storeId, ""].join("/");
  return new S3Backend(sdk, clientOf(sdk), { bucket, prefix, shown: url });
}

/** The program brings it; an application that embeds the engine installs it if it uses S3. */
async function loadSdk(): Promise<typeof import("@aws-sdk/client-s3")> {
  try {
    return await import("@aws-sdk/client-s3");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    throw new SkillError(
      "CONFIG_INVALID",
      "artifacts.url: s3://… needs the package @aws-sdk/client-s3. Install it: npm install @aws-sdk/client-s3",
    );
  }
}

function clientOf({ S3Client: Client }: typeof import("@aws-sdk/client-s3")): S3Client {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const isOther = Boolean(AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL);
  const region = AWS_REGION || AWS_DEFAULT_REGION || (isOther ? "us-east-1" : undefined);
  return new Client({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS },
    // Other servers do not know the newer checksums, and each content is compared with its SHA-256 anyway.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Other servers have no host name per bucket.
    ...(isOther && { forcePathStyle: true }),
    ...(region && { region }),
  });
}
