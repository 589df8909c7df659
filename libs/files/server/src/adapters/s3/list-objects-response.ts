import type { ListedObject, ListPage } from '../../application/object-store.port';
import { invalidResponse } from './s3-errors';

const TAGS = {
  isTruncated: '<IsTruncated>',
  nextContinuationToken: '<NextContinuationToken>',
  prefix: '<Prefix>',
  key: '<Key>',
  size: '<Size>',
  etag: '<ETag>',
  lastModified: '<LastModified>',
} as const;

/**
 * Parses the response to ListObjectsV2 by searching for its tags: text cannot contain `<`, and S3 writes no attributes
 * on these elements. A general XML parser would take more time for 1,000 objects than the rest of the request.
 * @throws {StorageFailed} when the list is incomplete or invalid.
 */
export function parseListObjectsResponse(xml: string): ListPage {
  if (!xml.includes('<ListBucketResult') || !xml.trimEnd().endsWith('</ListBucketResult>')) {
    throw invalidResponse('the response is not a complete list of objects');
  }
  const whole = new XmlElement(xml, 0, xml.length);
  const isTruncated = whole.text(TAGS.isTruncated) === 'true';
  return {
    objects: elementsOf(xml, 'Contents', parseObject),
    directories: elementsOf(xml, 'CommonPrefixes', (each) => each.text(TAGS.prefix)),
    ...(isTruncated ? { next: whole.text(TAGS.nextContinuationToken) } : {}),
  };
}

function parseObject(element: XmlElement): ListedObject {
  const size = Number(element.text(TAGS.size));
  const modifiedAt = new Date(element.text(TAGS.lastModified));
  if (!Number.isSafeInteger(size) || Number.isNaN(modifiedAt.getTime())) {
    throw invalidResponse('the list has an object without a size or time');
  }
  return { key: element.text(TAGS.key), size, etag: element.text(TAGS.etag), modifiedAt };
}

/** Parses each element with that name. */
function elementsOf<T>(xml: string, name: string, read: (element: XmlElement) => T): T[] {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const found = [];
  for (let from = xml.indexOf(open); from >= 0; from = xml.indexOf(open, from)) {
    const end = xml.indexOf(close, from);
    if (end < 0) break;
    found.push(read(new XmlElement(xml, from + open.length, end)));
    from = end;
  }
  return found;
}

/** A range of the document. It is not copied, because copying would cost as much as parsing. */
class XmlElement {
  constructor(
    private readonly xml: string,
    private readonly from: number,
    private readonly end: number,
  ) {}

  /** The text of the first child with that tag. @throws {StorageFailed} when there is no such child. */
  text(tag: string): string {
    const at = this.xml.indexOf(tag, this.from);
    const from = at + tag.length;
    const end = at < 0 || at > this.end ? -1 : this.xml.indexOf('</', from);
    if (end < 0) throw invalidResponse(`the list lacks ${tag}`);
    return decodeEntities(this.xml.slice(from, end));
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const LAST_CODE_POINT = 0x10ffff;
const QUOTED = /^&quot;([^&]*)&quot;$/;

function decodeEntities(escaped: string): string {
  if (!escaped.includes('&')) return escaped;
  // Fast path: every entity tag is quoted, and little else is escaped.
  const quoted = QUOTED.exec(escaped);
  if (quoted) return `"${quoted[1] as string}"`;
  return escaped.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (_all, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[(name as string).toLowerCase()] as string;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    if (point > LAST_CODE_POINT) throw invalidResponse('the list has an invalid character reference');
    return String.fromCodePoint(point);
  });
}
