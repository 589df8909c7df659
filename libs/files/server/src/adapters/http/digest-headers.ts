import type { IncomingHttpHeaders } from 'node:http';
import { parseDictionary, ParseError } from 'structured-headers';
import { type Digest, DIGEST_BYTES, type DigestAlgorithm } from '../../domain/digests';
import { DigestMismatch } from '../../domain/files.errors';

/** The digest algorithms of RFC 9530. Others, including the insecure ones of its registry, are ignored as required. */
const ALGORITHMS: ReadonlyMap<string, DigestAlgorithm> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * Parses the digests that a request declares for its body. Bodies have no content encoding, so the body is the
 * representation and both headers of RFC 9530 have the same meaning.
 * @throws {DigestMismatch} when a digest is malformed.
 */
export function parseDigests(headers: IncomingHttpHeaders): Digest[] {
  const md5 = headers['content-md5'];
  return [
    ...(md5 === undefined ? [] : [digest('md5', parseBase64(String(md5)))]),
    ...['content-digest', 'repr-digest'].flatMap((name) => parseDigestHeader(headers[name])),
  ];
}

function parseDigestHeader(value: string | string[] | undefined): Digest[] {
  if (value === undefined) return [];
  return [...parseHeaderDictionary(String(value))].flatMap(([name, [member]]) => {
    const algorithm = ALGORITHMS.get(name);
    if (algorithm === undefined) return [];
    if (!(member instanceof ArrayBuffer)) throw new DigestMismatch();
    return [digest(algorithm, Buffer.from(member))];
  });
}

function parseHeaderDictionary(value: string): ReturnType<typeof parseDictionary> {
  try {
    return parseDictionary(value);
  } catch (error) {
    if (error instanceof ParseError) throw new DigestMismatch();
    throw error;
  }
}

function digest(algorithm: DigestAlgorithm, value: Buffer): Digest {
  if (value.length !== DIGEST_BYTES[algorithm]) throw new DigestMismatch();
  return { algorithm, value };
}

function parseBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new DigestMismatch();
  return bytes;
}
