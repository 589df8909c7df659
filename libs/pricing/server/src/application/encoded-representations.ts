import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** An encoded body with its strong entity tag. */
export interface EncodedRepresentation {
  readonly encoding: Encoding;
  readonly body: Buffer;
  readonly etag: string;
}

/** One representation per encoding, with the same bytes and tags on every instance. */
export interface EncodedRepresentations {
  readonly representations: Readonly<Record<Encoding, EncodedRepresentation>>;
}

/** Encodes a body in advance, so no request waits for it. Each encoding has a different strong tag. */
export function encodeRepresentations(body: Buffer): EncodedRepresentations {
  const hash = createHash('sha256').update(body).digest('base64url');
  const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } });
  return {
    representations: {
      br: { encoding: 'br', body: br, etag: `"${hash}-br"` },
      gzip: { encoding: 'gzip', body: gzipSync(body, { level: 9 }), etag: `"${hash}-gzip"` },
      identity: { encoding: 'identity', body, etag: `"${hash}"` },
    },
  };
}
