import { describe, expect, it } from '@jest/globals';
import type { ByteRange, FilesClient } from '../client/files-client';
import { openFile } from './opened-file';

/** A client with one file that records which ranges were read. */
function clientWith(content: Uint8Array, contentType: string) {
  const reads: (ByteRange | 'all')[] = [];
  const facts = (key: string) => ({ key, contentType, etag: '"1"', modifiedAt: null });
  const client = {
    head: (key: string) => Promise.resolve({ ...facts(key), size: content.length }),
    get: (key: string, _signal?: AbortSignal, range?: ByteRange, received?: (bytes: number) => void) => {
      reads.push(range ?? 'all');
      const part = range ? content.slice(range.first, range.last + 1) : content;
      received?.(part.length);
      return Promise.resolve({ ...facts(key), content: new Blob([new Uint8Array(part)]) });
    },
  } as unknown as FilesClient;
  const progress: [number, number][] = [];
  const open = (key: string) =>
    openFile(client, key, new AbortController().signal, (received, total) => progress.push([received, total]));
  return { reads, progress, open };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('openFile', () => {
  it.each([
    ['threads/a.md', 'text/markdown', 'markdown'],
    ['a.json', 'application/json', 'json'],
    ['Makefile', '', 'text'],
    ['a.ts', 'video/mp2t', 'text'],
  ])('reads %s (%s) as %s', async (key, type, id) => {
    const { file, renderer } = await clientWith(utf8('{}'), type).open(key);
    expect([renderer.id, file.text, file.encoding, file.name]).toEqual([id, '{}', 'utf-8', key.split('/').at(-1)]);
  });

  it('does not read an empty file', async () => {
    const { open, reads } = clientWith(utf8(''), 'text/markdown');
    expect(await open('a.md')).toMatchObject({ file: { text: '' }, renderer: { id: 'text' } });
    expect(reads).toEqual([]);
  });

  it('reads pictures as bytes', async () => {
    const { file, renderer } = await clientWith(utf8('x'), 'image/png').open('a.png');
    expect([renderer.id, file.bytes?.size, file.text]).toEqual(['picture', 1, undefined]);
  });

  it('tells how much of a file that is read whole has arrived', async () => {
    const text = clientWith(utf8('{}'), 'application/json');
    await text.open('a.json');
    const picture = clientWith(utf8('abc'), 'image/png');
    await picture.open('a.png');
    const video = clientWith(new Uint8Array(100_000), 'video/mp4');
    await video.open('a.mp4');
    expect([text.progress, picture.progress, video.progress]).toEqual([[[2, 2]], [[3, 3]], []]);
  });

  it('reads only a sample of files that are binary or too large', async () => {
    const video = clientWith(new Uint8Array(100_000), 'video/mp4');
    expect(await video.open('a.mp4')).toMatchObject({ renderer: { id: 'binary' } });
    const large = clientWith(new Uint8Array(9 * 1024 * 1024).fill(97), 'text/plain');
    expect(await large.open('a.log')).toMatchObject({ file: { encoding: 'utf-8' }, renderer: { id: 'large-text' } });
    expect([...video.reads, ...large.reads]).toEqual([
      { first: 0, last: 65_535 },
      { first: 0, last: 65_535 },
    ]);
  });

  it('shows binary content as binary, even with the name of a text file', async () => {
    const { file, renderer } = await clientWith(Uint8Array.of(0x23, 0, 0x23), 'text/markdown').open('a.md');
    expect([renderer.id, file.sample?.length]).toEqual(['binary', 3]);
  });
});
