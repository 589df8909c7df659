import { ListObjectsV2Command, type ListObjectsV2Output, type S3Client } from '@aws-sdk/client-s3';
import { BlobInventory, type ListedBlob } from '../blobs/blob-inventory.port';
import { BLOB_ROOT } from '../blobs/blob-key';
import { parseBlobObjectName } from './blob-object-names';
import { blobErrors } from './s3-blob-errors';
import { createS3Client, type S3Options } from './s3-client';

/** Lists blobs in an S3 bucket, a thousand objects with each call. */
export class S3BlobInventory extends BlobInventory {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(options: S3Options) {
    super();
    this.#bucket = options.bucket;
    this.#client = createS3Client(options, 3);
  }

  async *folders(signal: AbortSignal): AsyncIterable<string> {
    for await (const { CommonPrefixes = [] } of this.#pages({ Prefix: BLOB_ROOT, Delimiter: '/' }, signal)) {
      for (const { Prefix } of CommonPrefixes) if (Prefix) yield Prefix;
    }
  }

  async *blobs(folder: string, signal: AbortSignal): AsyncIterable<ListedBlob> {
    for await (const { Contents = [] } of this.#pages({ Prefix: folder }, signal)) {
      for (const { Key = '', Size = 0 } of Contents) {
        const parsed = parseBlobObjectName(Key);
        if (parsed) yield { ...parsed, size: Size };
      }
    }
  }

  async *#pages(
    query: { readonly Prefix: string; readonly Delimiter?: string },
    signal: AbortSignal,
  ): AsyncIterable<ListObjectsV2Output> {
    let ContinuationToken: string | undefined;
    do {
      const command = new ListObjectsV2Command({ Bucket: this.#bucket, ...query, ContinuationToken });
      const page = await this.#send(command, signal);
      yield page;
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  async #send(command: ListObjectsV2Command, signal: AbortSignal): Promise<ListObjectsV2Output> {
    try {
      return await blobErrors.withTimeout((abortSignal) => this.#client.send(command, { abortSignal }), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw blobErrors.translate(error);
    }
  }
}
