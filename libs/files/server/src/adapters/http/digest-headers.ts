import type { IncomingHttpHeaders } from 'node:http';
import { parseDictionary, ParseError } from 'structured-headers';
import { type Digest, DIGEST_BYTES, type DigestAlgorithm } from '../../domain/digests';
import { DigestMismatch } from '../../domain/files.errors';

/** Names of RFC 9530; others, the broken ones of its registry included, are ignored, as it wants. */
const ALGORITHMS: ReadonlyMap<string, DigestAlgorithm> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * The digests a request claims for its body. Nothing is stored under a content encoding, so that the body is the
 * representation and both headers of RFC 9530 say the same. @throws {DigestMismatch} for one that cannot be read.
 */
export function parseDigests(headers: IncomingHttpHeaders): Digest[] {
  const md5 = headers['content-md5'];
  return [
    ...(md5 === undefined ? [] : [digest('md5', base64In(String(md5)))]),
    ...['content-digest', 'repr-digest'].flatMap((name) => structuredIn(headers[name])),
  ];
}

function structuredIn(value: string | string[] | undefined): Digest[] {
  if (value === undefined) return [];
  return [...dictionaryIn(String(value))].flatMap(([name, [member]]) => {
    const algorithm = ALGORITHMS.get(name);
    if (algorithm === undefined) return [];
    if (!(member instanceof ArrayBuffer)) throw new DigestMismatch();
    return [digest(algorithm, Buffer.from(member))];
  });
}

function dictionaryIn(value: string): ReturnType<typeof parseDictionary> {
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

function base64In(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new DigestMismatch();
  return bytes;
}
