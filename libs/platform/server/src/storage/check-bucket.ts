import { HeadBucketCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { statusIn } from './s3-errors';

/**
 * Resolves when the bucket exists and is accessible. The response to HEAD has no body and so no error code. After a 4xx
 * the function therefore lists one key, which needs the same permission and reports `InvalidAccessKeyId` or
 * `NoSuchBucket`.
 * @throws {Error} of the SDK.
 */
export async function checkBucket(client: S3Client, bucket: string, abortSignal: AbortSignal): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal });
  } catch (error) {
    if (isClientError(statusIn(error))) {
      await client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }), { abortSignal });
    }
    throw error;
  }
}

function isClientError(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}
