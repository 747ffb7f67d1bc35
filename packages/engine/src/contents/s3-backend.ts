import type { CompletedPart, S3 } from "@aws-sdk/client-s3";
import { KnackError } from "@knack/core/text";
import { type Backend, type Digest, inParts, type StoredContent } from "./contents.ts";

/** What the server answered instead, or why it could not be asked. */
interface S3Failure extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function isAbsent(error: unknown): boolean {
  const { name, code, $metadata } = error as S3Failure;
  return $metadata?.httpStatusCode === 404 && (code ?? name) !== "NoSuchBucket";
}

/** Without the cause: it may contain the headers of the request. */
function s3Error(error: unknown, shown: string): unknown {
  if (error instanceof KnackError || !(error instanceof Error)) return error;
  const { code, $metadata }: S3Failure = error;
  const status = $metadata?.httpStatusCode;
  if (error.name === "AbortError" && status === undefined) return error;
  const name = code ?? error.name;
  if (name === "NoSuchBucket") return new KnackError("IO", `${shown}: the bucket does not exist. Create it.`);
  if (name === "CredentialsProviderError")
    return new KnackError(
      "IO",
      `${shown}: there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    );
  if (status === 403)
    return new KnackError(
      "READONLY",
      `${shown}: access was denied (${name}). Check the AWS credentials and their rights.`,
    );
  return new KnackError("IO", `${shown}: the server did not do what was asked (${name}).`);
}

interface S3Place {
  readonly bucket: string;
  /** Ends with a slash. */
  readonly prefix: string;
  readonly shown: string;
}

/** Parts of an upload must have at least 5 MiB; one is in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024;
/** A content that was put this recently is not copied for a new time: no removal has so short a grace period. */
const FRESH_MS = 30 * 60_000;
/** S3 copies no larger object in one call. */
const MAX_COPY_BYTES = 5 * 1024 ** 3;

/** Contents as objects of a bucket: `prefix/<store>/ab/cdef…`. The time of an object is the server's. */
export class S3Backend implements Backend {
  readonly #client: S3;
  readonly #place: S3Place;

  constructor(client: S3, place: S3Place) {
    this.#client = client;
    this.#place = place;
  }

  get shown(): string {
    return this.#place.shown;
  }

  async find(sha256: string): Promise<StoredContent | null> {
    const head = await this.#answer(this.#client.headObject(this.#object(sha256)));
    return head && contentOf(sha256, head.ContentLength, head.LastModified);
  }

  async renew({ sha256, size }: Digest, at: Date): Promise<boolean> {
    const found = await this.find(sha256);
    return found?.size === size && Date.parse(found.createdAt) > at.getTime() - FRESH_MS;
  }

  async write(digest: Digest, bytes: () => AsyncIterable<Uint8Array>, isBroken: boolean): Promise<void> {
    const { sha256, size } = digest;
    try {
      const found = isBroken || size > MAX_COPY_BYTES ? null : await this.find(sha256);
      if (found?.size === size && (await this.#copyToItself(found))) return;
      await this.#upload(sha256, bytes());
    } catch (error) {
      throw s3Error(error, this.shown);
    }
  }

  async read(sha256: string): Promise<AsyncIterable<Uint8Array> | null> {
    return (await this.find(sha256)) && this.#pieces(sha256);
  }

  async *list(): AsyncGenerator<StoredContent> {
    const { bucket, prefix } = this.#place;
    for (let token: string | undefined; ; ) {
      const list = { Bucket: bucket, Prefix: prefix, ContinuationToken: token };
      const page = await this.#answer(this.#client.listObjectsV2(list));
      for (const { Key = "", Size, LastModified } of page?.Contents ?? []) {
        const [, first, rest] = /^([0-9a-f]{2})\/([0-9a-f]{62})$/.exec(Key.slice(prefix.length)) ?? [];
        if (rest !== undefined) yield contentOf(`${first}${rest}`, Size, LastModified);
      }
      token = page?.NextContinuationToken;
      if (token === undefined) return;
    }
  }

  async remove(sha256: string): Promise<void> {
    await this.#answer(this.#client.deleteObject(this.#object(sha256)));
  }

  /** Ends uploads that nobody completed; they cost storage and are listed nowhere else. */
  async sweep(before: Date): Promise<void> {
    const { bucket, prefix } = this.#place;
    const list = this.#client.listMultipartUploads({ Bucket: bucket, Prefix: prefix });
    // Not every server can list them, and the bucket may have a rule that removes them.
    const { Uploads = [] } = await list.catch(() => ({ Uploads: [] }));
    for (const { Key, UploadId, Initiated } of Uploads)
      if (Initiated && Initiated < before) await this.#abort(Key, UploadId);
  }

  /** Gives the object a new time. `false` where the server keeps the old one, or the object was removed meanwhile. */
  async #copyToItself({ sha256, createdAt }: StoredContent): Promise<boolean> {
    const object = this.#object(sha256);
    const source = `${object.Bucket}/${object.Key.split("/").map(encodeURIComponent).join("/")}`;
    const copy = { ...object, CopySource: source, MetadataDirective: "REPLACE" } as const;
    if (!(await this.#answer(this.#client.copyObject(copy)))) return false;
    return ((await this.find(sha256))?.createdAt ?? "") > createdAt;
  }

  /** An object appears when its upload is completed, and only then. */
  async #upload(sha256: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const object = this.#object(sha256);
    const parts = inParts(bytes, PART_BYTES);
    const first = await parts.next();
    const second = first.done || first.value.length < PART_BYTES ? undefined : await parts.next();
    if (!second || second.done) {
      // The end of the bytes has been seen, so their digest is right.
      if (!first.done && !second) await parts.next();
      const Body = first.done ? Buffer.alloc(0) : first.value;
      await this.#client.putObject({ ...object, Body });
      return;
    }
    const { UploadId } = await this.#client.createMultipartUpload(object);
    const Parts: CompletedPart[] = [];
    const send = async (Body: Buffer): Promise<void> => {
      const PartNumber = Parts.length + 1;
      const { ETag } = await this.#client.uploadPart({ ...object, UploadId, PartNumber, Body });
      Parts.push({ ETag, PartNumber });
    };
    try {
      await send(first.value);
      await send(second.value);
      for await (const part of parts) await send(part);
      const whole = { ...object, UploadId, MultipartUpload: { Parts } };
      await this.#client.completeMultipartUpload(whole);
    } catch (error) {
      await this.#abort(object.Key, UploadId);
      throw error;
    }
  }

  async #abort(Key: string | undefined, UploadId: string | undefined): Promise<void> {
    const ended = this.#client.abortMultipartUpload({ Bucket: this.#place.bucket, Key, UploadId });
    // The error that led here says more, and the next sweep tries again.
    await ended.catch(() => undefined);
  }

  /** Asks for the object when the first bytes are asked for, so that nobody leaves a connection open. */
  async *#pieces(sha256: string): AsyncGenerator<Uint8Array> {
    try {
      const { Body } = await this.#client.getObject(this.#object(sha256));
      if (Body) yield* Body as unknown as AsyncIterable<Uint8Array>;
    } catch (error) {
      // Whoever reads it compares the digest.
      if (!isAbsent(error)) throw s3Error(error, this.shown);
    }
  }

  #object(sha256: string): { readonly Bucket: string; readonly Key: string } {
    const { bucket, prefix } = this.#place;
    return { Bucket: bucket, Key: `${prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}` };
  }

  /** `null` where there is no such object. */
  async #answer<T>(sent: Promise<T>): Promise<T | null> {
    return sent.catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw s3Error(error, this.shown);
    });
  }
}

function contentOf(sha256: string, size = 0, time = new Date(0)): StoredContent {
  return { sha256, size, createdAt: time.toISOString() };
}

/** Opens `s3://bucket/prefix`. Region, credentials and endpoint come from the standard AWS variables and files. */
export async function openS3(url: string, storeId: string): Promise<Backend> {
  const sdk = await loadSdk();
  const { host: bucket, pathname } = new URL(url);
  const prefix = [...pathname.split("/").filter(Boolean), storeId, ""].join("/");
  return new S3Backend(clientOf(sdk), { bucket, prefix, shown: url });
}

/** The program brings it; an application that embeds the engine installs it if it uses S3. */
async function loadSdk() {
  try {
    return await import("@aws-sdk/client-s3");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new KnackError(
      "CONFIG_INVALID",
      "artifacts.url: s3://… needs the package @aws-sdk/client-s3. Install it: npm install @aws-sdk/client-s3",
    );
  }
}

function clientOf({ S3: Client }: Awaited<ReturnType<typeof loadSdk>>): S3 {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const isOther = Boolean(AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL);
  const region = AWS_REGION || AWS_DEFAULT_REGION || (isOther ? "us-east-1" : undefined);
  return new Client({
    maxAttempts: 5,
    requestHandler: { connectionTimeout: 10_000, requestTimeout: 120_000 },
    // Other servers do not know the newer checksums, and each content is compared with its SHA-256 anyway.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Other servers have no host name per bucket.
    ...(isOther && { forcePathStyle: true }),
    ...(region && { region }),
  });
}
