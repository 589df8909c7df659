import { S3ResponseError } from '../s3-errors';
import type { S3Response } from './send-request';

/** The text of a buffered response; empty for a stream. */
export function textOf({ body }: S3Response): string {
  return Buffer.isBuffer(body) ? body.toString() : '';
}

/** Whether an error response means that the object is absent. Other 404 responses, such as for a bucket, are failures. */
export function isNoSuchKey(response: S3Response): boolean {
  return response.statusCode === 404 && errorCodeOf(response) === 'NoSuchKey';
}

/** An error response as an error, with the code of its error document. */
export function responseErrorOf(response: S3Response): S3ResponseError {
  return new S3ResponseError(response.statusCode, errorCodeOf(response));
}

/** The `<Code>` of S3's error document; undefined when absent. */
export function errorCodeOf(response: S3Response): string | undefined {
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(textOf(response))?.[1];
}
