/**
 * A bucket of an S3 store: whole objects below one prefix, streamed. Its client takes 40 MB, so it is loaded where there is a
 * store. What goes wrong is told without keys and addresses.
 */
import { Readable } from 'node:stream';

export type ObjectStoreOptions = {
  readonly bucket: string;
  /** Without a slash at its end; empty for the whole bucket. */
  readonly prefix: string;
  /** Of a store that is not the public one of its region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Without them the client looks for those of the machine, e.g. of the role of a pod. */
  readonly keys?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
};

export type StoreFailureReason = 'unreachable' | 'denied' | 'no-bucket' | 'failed' | 'refused';

/** `refused`: what the store has is not what was put there. */
export class StoreFailure extends Error {
  constructor(
    readonly reason: StoreFailureReason,
    message: string,
  ) {
    super(message);
    this.name = 'StoreFailure';
  }
}

export type OpenedObject = { readonly bytes: number; readonly body: Readable };
export type ListedObject = { readonly name: string; readonly putAtMs: number };

const connectMs = 5_000;
const silenceMs = 30_000;

/** Without one the client writes to the console. */
const ignore = (): void => undefined;
const silentLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const openClient = async ({ endpoint, region, keys }: ObjectStoreOptions) => {
  const { S3Client, ...commands } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    region,
    // Stores of one's own have no host name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(keys && { credentials: keys }),
    // Manifests have digests of their own, and not every store knows these.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    logger: silentLogger,
  });
  return { client, commands };
};
type OpenClient = Awaited<ReturnType<typeof openClient>>;

export class ObjectStore {
  readonly #opened: Promise<OpenClient>;

  constructor(private readonly options: ObjectStoreOptions) {
    // Loading holds the event loop, which nobody waits for while the service starts.
    this.#opened = openClient(options);
    this.#opened.catch(() => undefined);
  }

  /** Undefined when there is none. Rejects with `StoreFailure`; the body, which the caller reads or destroys, fails as streams do. */
  get(name: string, signal: AbortSignal): Promise<OpenedObject | undefined> {
    return this.#send(async ({ client, commands }) => {
      const command = new commands.GetObjectCommand({ Bucket: this.options.bucket, Key: this.#keyOf(name) });
      const found = await client.send(command, { abortSignal: signal }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
        throw error;
      });
      if (!found) return undefined;
      const { Body: body, ContentLength: bytes } = found;
      if (!(body instanceof Readable) || bytes === undefined)
        throw new StoreFailure('failed', 'The store sent an object without its length.');
      return { bytes, body };
    });
  }

  /** Replaces what has this name. Rejects with `StoreFailure`. */
  put(name: string, body: Readable | string, bytes: number, signal: AbortSignal): Promise<void> {
    return this.#send(async ({ client, commands }) => {
      const object = { Bucket: this.options.bucket, Key: this.#keyOf(name), Body: body, ContentLength: bytes };
      await client.send(new commands.PutObjectCommand(object), { abortSignal: signal });
    });
  }

  /** All of them. Rejects with `StoreFailure`. */
  list(signal: AbortSignal): Promise<readonly ListedObject[]> {
    return this.#send(async ({ client, commands }) => {
      const root = this.#keyOf('');
      const wanted = { Bucket: this.options.bucket, Prefix: root };
      const listed: ListedObject[] = [];
      let next: string | undefined;
      do {
        const command = new commands.ListObjectsV2Command({ ...wanted, ContinuationToken: next });
        const page = await client.send(command, { abortSignal: signal });
        for (const { Key: key, LastModified: putAt } of page.Contents ?? [])
          if (key?.startsWith(root) && putAt) listed.push({ name: key.slice(root.length), putAtMs: putAt.getTime() });
        next = page.NextContinuationToken;
      } while (next !== undefined);
      return listed;
    });
  }

  /** Whether it was there or not. Rejects with `StoreFailure`. */
  remove(name: string, signal: AbortSignal): Promise<void> {
    return this.#send(async ({ client, commands }) => {
      const object = { Bucket: this.options.bucket, Key: this.#keyOf(name) };
      await client.send(new commands.DeleteObjectCommand(object), { abortSignal: signal });
    });
  }

  /** Closes its connections. */
  async close(): Promise<void> {
    const opened = await this.#opened.catch(() => undefined);
    opened?.client.destroy();
  }

  #keyOf(name: string): string {
    return this.options.prefix === '' ? name : `${this.options.prefix}/${name}`;
  }

  async #send<T>(work: (opened: OpenClient) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#opened);
    } catch (error) {
      throw error instanceof StoreFailure ? error : toStoreFailure(error);
    }
  }
}

/** Messages of the store quote keys and addresses; names and states do not. */
const toStoreFailure = (error: unknown): StoreFailure => {
  const name = error instanceof Error ? error.name : 'an unknown error';
  const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : '';
  const status = statusOf(error);
  const message = `The store failed: ${name}${code}${status === undefined ? '' : ` (${status})`}.`;
  return new StoreFailure(reasonOf(name, status), message);
};

const reasonOf = (name: string, status: number | undefined): StoreFailureReason => {
  if (name === 'NoSuchBucket') return 'no-bucket';
  if (status === 401 || status === 403 || name === 'CredentialsProviderError') return 'denied';
  return status === undefined || status >= 500 ? 'unreachable' : 'failed';
};

/** Of HTTP; undefined without an answer. */
const statusOf = (error: unknown): number | undefined => {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
};
