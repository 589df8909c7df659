import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes as they go over the wire, with their strong tag. */
export interface Form {
  readonly encoding: Encoding;
  readonly body: Buffer;
  readonly etag: string;
}

/** Each encoding once: the same bytes, and so the same tags, on every instance. */
export interface Printed {
  readonly forms: Readonly<Record<Encoding, Form>>;
}

/** Prepared once, so that nobody waits for it. The tags are strong, and differ because the bytes do. */
export function print(body: Buffer): Printed {
  const hash = createHash('sha256').update(body).digest('base64url');
  const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } });
  return {
    forms: {
      br: { encoding: 'br', body: br, etag: `"${hash}-br"` },
      gzip: { encoding: 'gzip', body: gzipSync(body, { level: 9 }), etag: `"${hash}-gzip"` },
      identity: { encoding: 'identity', body, etag: `"${hash}"` },
    },
  };
}
