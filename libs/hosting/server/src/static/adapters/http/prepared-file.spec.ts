import { describe, expect, it } from '@jest/globals';
import { type FileFixture, siteFile } from '../../../testing/site-file';
import type { Header } from '@homeport/hosting/contracts';
import { PreparedFile, type ServedFile } from './prepared-file';

const LONG = 'words '.repeat(200);

async function prepared(given: FileFixture = 'body', served: Partial<ServedFile> = {}): Promise<PreparedFile> {
  const file = await siteFile({ deployId: 'one', path: 'a.html' }, given);
  return new PreparedFile({
    appId: 'app',
    file,
    status: 200,
    isImmutable: false,
    isPreview: false,
    variesByNavigation: false,
    fields: [],
    ...served,
  });
}

/** By lower-case names. A duplicate name shows both values. */
function named(headers: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) {
    const name = String(headers[at]).toLowerCase();
    fields[name] = name in fields ? `${fields[name]} & ${headers[at + 1]}` : String(headers[at + 1]);
  }
  return fields;
}

describe('PreparedFile', () => {
  it('creates each variant once', async () => {
    const file = await prepared({ body: LONG, codings: ['br', 'gzip'] });
    expect(file.variantFor('br')).toBe(file.variantFor('gzip, br'));
    expect(new Set(['br', 'gzip', undefined].map((each) => file.variantFor(each).etag)).size).toBe(3);
    expect(new Set(['br', 'gzip', undefined].map((each) => file.variantFor(each).key)).size).toBe(3);
  });

  it('counts the characters of its header fields', async () => {
    const fields: Header[] = [['link', 'x'.repeat(5_000)]];
    expect((await prepared('body', { fields })).headLength - (await prepared()).headLength).toBe(5_004);
  });

  it('lets the rules of a site replace default header fields and add others', async () => {
    const fields: Header[] = [
      ['cache-control', 'public, max-age=60'],
      ['content-type', 'text/plain'],
      ['x-frame-options', 'DENY'],
      ['link', '</a>; rel=preload, </b>; rel=preload'],
    ];
    const file = await prepared(
      { body: LONG, codings: ['br'] },
      { fields, isImmutable: true, variesByNavigation: true },
    );
    expect(named(file.variant('identity').headers)).toMatchObject({
      'cache-control': 'public, max-age=60',
      'content-type': 'text/plain',
      'x-frame-options': 'DENY',
      link: '</a>; rel=preload, </b>; rel=preload',
      vary: 'Accept-Encoding, Accept, Sec-Fetch-Mode',
    });
  });

  it("keeps previews out of search engines against the site's own rules", async () => {
    const file = await prepared('body', { isPreview: true, fields: [['x-robots-tag', 'all']] });
    expect(named(file.variant('identity').headers)['x-robots-tag']).toBe('noindex');
  });

  it('gives a 404 page no ETag and no ranges', async () => {
    const file = await prepared('body', { status: 404 });
    expect(Object.keys(named(file.variant('identity').headers))).not.toEqual(expect.arrayContaining(['etag']));
    expect(Object.keys(named(file.variant('identity').headers))).not.toEqual(expect.arrayContaining(['accept-ranges']));
  });
});
