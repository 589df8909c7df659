import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

export async function digestOf(algorithm: 'md5' | 'sha256', path: string): Promise<Buffer> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}

/** The header field that makes the API compare the stored bytes (RFC 9530). */
export async function contentDigestOf(path: string): Promise<string> {
  return `sha-256=:${(await digestOf('sha256', path)).toString('base64')}:`;
}
