import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  NoSuchUpload,
  type S3Client,
} from '@aws-sdk/client-s3';
import { storageErrorOf, withTimeout } from './s3-errors';

/** The prefix of all workspaces; other programs may use the rest of the bucket. */
const PREFIX = 'u/';

/**
 * Aborts multipart uploads that started before a date. Their process has crashed, and storage keeps their parts.
 * @returns the number of aborted uploads.
 */
export async function abortIncompleteUploads(client: S3Client, bucket: string, before: Date): Promise<number> {
  try {
    let aborted = 0;
    let page: ListMultipartUploadsCommandOutput | undefined;
    do {
      page = await nextPage(client, bucket, page);
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Initiated || Initiated >= before) continue;
        await abort(client, { Bucket: bucket, Key, UploadId });
        aborted += 1;
      }
    } while (page.IsTruncated);
    return aborted;
  } catch (error) {
    throw storageErrorOf(error);
  }
}

function nextPage(
  client: S3Client,
  bucket: string,
  last?: ListMultipartUploadsCommandOutput,
): Promise<ListMultipartUploadsCommandOutput> {
  const markers = last && { KeyMarker: last.NextKeyMarker, UploadIdMarker: last.NextUploadIdMarker };
  const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: PREFIX, ...markers });
  return withTimeout((abortSignal) => client.send(command, { abortSignal }));
}

async function abort(
  client: S3Client,
  upload: { Bucket: string; Key: string | undefined; UploadId: string | undefined },
): Promise<void> {
  try {
    await withTimeout((abortSignal) => client.send(new AbortMultipartUploadCommand(upload), { abortSignal }));
  } catch (error) {
    // Another instance has already aborted it.
    if (!(error instanceof NoSuchUpload)) throw error;
  }
}
