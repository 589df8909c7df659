import { describe, expect, it } from '@jest/globals';
import { ChunkedDecoder } from './chunked-decoder.ts';

const SIGNED = ';chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648';

function decode(pieces: readonly string[]): { payload: string; trailers: [string, string][] } {
  const decoder = new ChunkedDecoder();
  const payload = pieces.flatMap((piece) => decoder.decode(Buffer.from(piece, 'latin1')));
  decoder.finish();
  return { payload: Buffer.concat(payload).toString('latin1'), trailers: [...decoder.trailers] };
}

describe('ChunkedDecoder', () => {
  const body = `5\r\nhello\r\n6${SIGNED}\r\n\r\nwide\r\n0${SIGNED}\r\nX-Amz-Checksum-Crc32: abc=\r\n\r\n`;
  const decoded = { payload: 'hello\r\nwide', trailers: [['x-amz-checksum-crc32', 'abc=']] };

  it('removes framing, signatures and trailers', () => {
    expect(decode([body])).toEqual(decoded);
  });

  it.each([1, 2, 3, 7, 50])('returns the same for chunks of %i bytes', (size) => {
    expect(decode(body.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [])).toEqual(decoded);
  });

  it('accepts an empty body, with and without the last line break', () => {
    expect(decode(['0\r\n\r\n'])).toEqual({ payload: '', trailers: [] });
    expect(decode(['0\r\n'])).toEqual({ payload: '', trailers: [] });
  });

  it.each([
    ['no size', 'zz\r\n'],
    ['a negative size', '-5\r\n'],
    ['more bytes than announced', '2\r\nabc\r\n'],
    ['bytes after the end', '0\r\n\r\nrest\r\n'],
    ['an endless line', 'a'.repeat(5000)],
    ['a trailer without a name', '0\r\n: x\r\n'],
  ])('refuses %s', (_, broken) => {
    expect(() => decode([broken])).toThrow(expect.objectContaining({ code: 'InvalidChunk' }));
  });

  it.each(['', '5\r\nhel', '5\r\nhello', '5\r\nhello\r\n', '0', '0\r\nx-a: b'])(
    'detects the missing end of %j',
    (cut) => {
      expect(() => decode([cut])).toThrow(expect.objectContaining({ code: 'IncompleteBody' }));
    },
  );
});
