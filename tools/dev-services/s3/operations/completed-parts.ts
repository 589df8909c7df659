import { checksumElements } from '../protocol/checksums.ts';
import type { ChecksumAlgorithm } from '../protocol/checksums.ts';
import { bareEtag } from '../protocol/conditions.ts';
import { S3Error } from '../protocol/errors.ts';
import { childrenOf, textOf } from '../protocol/xml-reader.ts';
import type { XmlElement } from '../protocol/xml-reader.ts';
import type { Part } from '../storage/multipart-upload.ts';

/** A part named in a CompleteMultipartUpload request. */
export interface CompletedPart {
  readonly number: number;
  readonly etag: string;
  readonly checksums: ReadonlyMap<ChecksumAlgorithm, string>;
}

const MIN_PART_BYTES = 5 * 1024 * 1024;

/** Parses the body of CompleteMultipartUpload. Throws MalformedXML. */
export function parseCompletedParts(root: XmlElement): CompletedPart[] {
  const parts = childrenOf(root, 'Part');
  if (root.name !== 'CompleteMultipartUpload' || parts.length === 0) throw new S3Error('MalformedXML');
  return parts.map((part) => {
    const number = Number(textOf(part, 'PartNumber') ?? NaN);
    const etag = textOf(part, 'ETag');
    if (!Number.isInteger(number) || etag === undefined) throw new S3Error('MalformedXML');
    return { number, etag: bareEtag(etag), checksums: readChecksums(part) };
  });
}

function readChecksums(part: XmlElement): ReadonlyMap<ChecksumAlgorithm, string> {
  const checksums = new Map<ChecksumAlgorithm, string>();
  for (const [algorithm, element] of checksumElements()) {
    const value = textOf(part, element);
    if (value !== undefined) checksums.set(algorithm, value.trim());
  }
  return checksums;
}

/** Returns the parts to join. Throws InvalidPartOrder, InvalidPart or EntityTooSmall. */
export function selectPartsToJoin(
  choices: readonly CompletedPart[],
  find: (number: number) => Part | undefined,
): Part[] {
  if (choices.some(({ number }, i) => number <= (choices[i - 1]?.number ?? 0))) throw new S3Error('InvalidPartOrder');
  return choices.map((choice, i) => {
    const part = find(choice.number);
    if (!part || part.etag !== choice.etag || !checksumsAgree(choice, part)) throw new S3Error('InvalidPart');
    if (i < choices.length - 1 && part.size < MIN_PART_BYTES) throw new S3Error('EntityTooSmall');
    return part;
  });
}

/** A checksum with another algorithm than that of the part cannot be compared and counts as a mismatch. */
function checksumsAgree({ checksums }: CompletedPart, { checksum }: Part): boolean {
  return [...checksums].every(([algorithm, value]) => checksum?.algorithm === algorithm && checksum.value === value);
}
