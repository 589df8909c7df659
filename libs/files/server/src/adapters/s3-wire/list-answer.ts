import type { ListedObject, ListPage } from '../../application/object-store.port';
import { StorageFailed } from '../../domain/files.errors';

/**
 * The answer to ListObjectsV2. It is read by looking for its tags: text cannot hold a `<`, S3 writes no attributes on
 * these elements, and a page of a thousand objects costs a general XML reader more than everything else together.
 * @throws {StorageFailed} for anything that is no whole list.
 */
export function listPageIn(xml: string): ListPage {
  if (!xml.includes('<ListBucketResult') || !xml.trimEnd().endsWith('</ListBucketResult>')) {
    throw new StorageFailed({ cause: new Error('the answer is no whole list of objects') });
  }
  const objects = contentsOf(xml, 'Contents').map(objectIn);
  const directories = contentsOf(xml, 'CommonPrefixes').map((each) => textIn(each, 'Prefix'));
  const isTruncated = textIn(xml, 'IsTruncated') === 'true';
  return { objects, directories, ...(isTruncated ? { next: textIn(xml, 'NextContinuationToken') } : {}) };
}

function objectIn(xml: string): ListedObject {
  const size = Number(textIn(xml, 'Size'));
  const modifiedAt = new Date(textIn(xml, 'LastModified'));
  if (!Number.isSafeInteger(size) || Number.isNaN(modifiedAt.getTime())) {
    throw new StorageFailed({ cause: new Error('the list has an object without size or time') });
  }
  return { key: textIn(xml, 'Key'), size, etag: textIn(xml, 'ETag'), modifiedAt };
}

/** What stands between the tags of each element of that name. */
function contentsOf(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const found = [];
  for (let from = xml.indexOf(open); from >= 0; from = xml.indexOf(open, from)) {
    const end = xml.indexOf(close, from);
    if (end < 0) break;
    found.push(xml.slice(from + open.length, end));
    from = end;
  }
  return found;
}

function textIn(xml: string, name: string): string {
  const open = `<${name}>`;
  const from = xml.indexOf(open);
  const end = from < 0 ? -1 : xml.indexOf('</', from);
  if (end < 0) throw new StorageFailed({ cause: new Error(`the list lacks ${name}`) });
  return decoded(xml.slice(from + open.length, end));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(escaped: string): string {
  if (!escaped.includes('&')) return escaped;
  // Every tag is quoted, and hardly anything else is escaped.
  const text = escaped.replaceAll('&quot;', '"');
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (_all, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[(name as string).toLowerCase()] as string;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16));
  });
}
