import { describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hash } from 'node:crypto';
import type { Digest } from '../domain/digests';
import { DigestMismatch, FileTooLarge } from '../domain/files.errors';
import { verifyBody, ClientDisconnected, bufferBody } from './upload-body';

const MAX_BYTES = 10;
const digestOf = (text: string): Digest => ({ algorithm: 'sha256', value: hash('sha256', text, 'buffer') });
const bodyOf = (...chunks: string[]) => Readable.from(chunks.map((each) => Buffer.from(each)));
/** The chunks that a reader received, and its failure. */
const readingOf = async (body: Readable) => {
  const seen: string[] = [];
  const ended = jest.fn();
  body.on('end', ended);
  try {
    for await (const chunk of body) seen.push(String(chunk));
    return { seen, failure: undefined };
  } catch (failure) {
    expect(ended).not.toHaveBeenCalled();
    return { seen, failure };
  }
};

/** Both functions must behave the same in these tests. */
const READERS: [string, (body: Readable, digests?: readonly Digest[]) => Promise<string>][] = [
  ['bufferBody', async (body, digests = []) => (await bufferBody(body, { digests })).toString()],
  [
    'verifyBody',
    async (body, digests = []) =>
      Buffer.concat(await verifyBody(body, { maxBytes: MAX_BYTES, digests }).toArray()).toString(),
  ],
];

describe.each(READERS)('%s', (_name, read) => {
  it('returns every byte', async () => {
    expect(await read(bodyOf('hel', 'l', 'o'))).toBe('hello');
    expect(await read(bodyOf('hello'), [digestOf('hello')])).toBe('hello');
    expect(await read(bodyOf(), [digestOf('')])).toBe('');
  });

  it('rejects bytes that do not match one of the digests', async () => {
    const digests = [digestOf('hello'), digestOf('hullo')];
    await expect(read(bodyOf('hel', 'lo'), digests)).rejects.toBeInstanceOf(DigestMismatch);
    await expect(read(bodyOf(), [digestOf('hello')])).rejects.toBeInstanceOf(DigestMismatch);
  });

  it('fails when the client disconnects during the body', async () => {
    const body = new PassThrough();
    const taken = read(body, [digestOf('half')]);
    body.write('half');
    await nextTurn();
    body.destroy();
    await expect(taken).rejects.toBeInstanceOf(ClientDisconnected);
  });

  it('fails with the error of the body', async () => {
    const body = new PassThrough();
    const taken = read(body);
    body.destroy(new Error('reset'));
    await expect(taken).rejects.toThrow('reset');
  });

  it('fails on a body that is already destroyed', async () => {
    const destroyed = bodyOf('hello').destroy();
    await once(destroyed, 'close');
    await expect(read(destroyed)).rejects.toBeInstanceOf(ClientDisconnected);
    const broken = bodyOf('hello').on('error', () => undefined);
    await new Promise((resolve) => broken.destroy(new Error('reset')).once('close', resolve));
    await expect(read(broken)).rejects.toThrow('reset');
  });
});

describe('verifyBody', () => {
  it('holds the last chunk back until the digests are verified', async () => {
    const body = new PassThrough();
    const checked = verifyBody(body, { maxBytes: MAX_BYTES, digests: [digestOf('hello')] });
    const seen: string[] = [];
    checked.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
    body.write('hel');
    await nextTurn();
    expect(seen).toEqual([]);
    body.write('lo');
    await nextTurn();
    expect(seen).toEqual(['hel']);
    body.end();
    await once(checked, 'end');
    expect(seen).toEqual(['hel', 'lo']);
  });

  it('never passes on a complete body that does not match its digest', async () => {
    const body = new PassThrough();
    const checked = verifyBody(body, { maxBytes: MAX_BYTES, digests: [digestOf('hullo')] });
    const reading = readingOf(checked);
    body.write('hel');
    await nextTurn();
    body.write('lo');
    await nextTurn();
    body.end();
    const { seen, failure } = await reading;
    expect(failure).toBeInstanceOf(DigestMismatch);
    expect(seen).toEqual(['hel']);
  });

  it('accepts the maximum file size and not one byte more', async () => {
    const options = { maxBytes: MAX_BYTES, digests: [] };
    expect((await readingOf(verifyBody(bodyOf('12345', '67890'), options))).failure).toBeUndefined();
    const { seen, failure } = await readingOf(verifyBody(bodyOf('12345', '67890', 'x'), options));
    expect(failure).toBeInstanceOf(FileTooLarge);
    expect(seen.join('').length).toBeLessThan(MAX_BYTES);
  });

  it('stops reading a body that is too large', async () => {
    let taken = 0;
    const endless = function* () {
      for (;;) yield Buffer.alloc(MAX_BYTES, (taken += 1));
    };
    const body = Readable.from(endless(), { highWaterMark: 1 });
    const checked = verifyBody(body, { maxBytes: MAX_BYTES, digests: [] });
    await new Promise((resolve) => checked.once('close', resolve));
    const before = taken;
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    expect(taken).toBe(before);
    body.destroy();
  });

  it('survives a failure before the first read', async () => {
    const body = new PassThrough();
    const checked = verifyBody(body, { maxBytes: MAX_BYTES, digests: [] });
    body.destroy(new Error('reset'));
    await new Promise((resolve) => checked.once('close', resolve));
    await expect(checked.toArray()).rejects.toThrow('reset');
  });
});
