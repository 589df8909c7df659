import { SaxesParser } from 'saxes';
import type { ListedObject, ListPage } from '../../application/object-store.port';
import { StorageFailed } from '../../domain/files.errors';

/** The answer to ListObjectsV2, read without building a tree: a page holds a thousand objects of five elements each. */
export function listPageIn(xml: string): ListPage {
  const objects: ListedObject[] = [];
  const directories: string[] = [];
  let fields: Record<string, string> = {};
  const page: Record<string, string> = {};
  const open: string[] = [];
  let text = '';
  const parser = new SaxesParser({ position: false });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    text = '';
    if (open.length === 2) fields = {};
  });
  parser.on('text', (more) => (text += more));
  parser.on('closetag', ({ name }) => {
    open.pop();
    if (open.length === 2) fields[name] = text;
    if (open.length !== 1) return;
    if (name === 'Contents') objects.push(objectOf(fields));
    else if (name === 'CommonPrefixes') directories.push(demanded(fields, 'Prefix'));
    else page[name] = text;
  });
  parser.on('error', (error) => {
    throw new StorageFailed({ cause: error });
  });
  parser.write(xml).close();
  if (page['IsTruncated'] === undefined) throw new StorageFailed({ cause: new Error('it is no list of objects') });
  const next = page['IsTruncated'] === 'true' ? demanded(page, 'NextContinuationToken') : undefined;
  return { objects, directories, ...(next === undefined ? {} : { next }) };
}

function objectOf(fields: Readonly<Record<string, string>>): ListedObject {
  return {
    key: demanded(fields, 'Key'),
    size: Number(demanded(fields, 'Size')),
    etag: demanded(fields, 'ETag'),
    modifiedAt: new Date(demanded(fields, 'LastModified')),
  };
}

function demanded(fields: Readonly<Record<string, string>>, name: string): string {
  const value = fields[name];
  if (value === undefined) throw new StorageFailed({ cause: new Error(`the list lacks ${name}`) });
  return value;
}
