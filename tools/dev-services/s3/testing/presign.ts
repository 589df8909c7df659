import { createHash, createHmac } from 'node:crypto';
import { BUCKET, KEYS } from './fixture.ts';

export interface PresignedRequest {
  readonly method: string;
  /** Must not contain characters that need escaping. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly signedAt?: Date;
}

/** Builds a presigned URL independently of the code under test. */
export function presign(
  endpoint: string,
  { method, key, query = {}, signedAt = new Date() }: PresignedRequest,
): string {
  const url = new URL(`/${BUCKET}/${key}`, endpoint);
  const timestamp = signedAt.toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${timestamp.slice(0, 8)}/eu-central-1/s3/aws4_request`;
  const parameters = {
    ...query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${KEYS.accessKeyId}/${scope}`,
    'X-Amz-Date': timestamp,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host',
  };
  const canonicalQuery = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const canonical = [method, url.pathname, canonicalQuery, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join(
    '\n',
  );
  const digest = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', timestamp, scope, digest].join('\n');
  let secret: string | Buffer = `AWS4${KEYS.secretAccessKey}`;
  for (const step of scope.split('/')) secret = createHmac('sha256', secret).update(step).digest();
  const signature = createHmac('sha256', secret).update(toSign).digest('hex');
  return `${url.origin}${url.pathname}?${canonicalQuery}&X-Amz-Signature=${signature}`;
}
