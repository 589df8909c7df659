import { describe, expect, it } from '@jest/globals';
import { endToEndHeaders } from './end-to-end-headers';

const none = () => false;

describe('endToEndHeaders', () => {
  it('keeps order, spelling and repeated fields', () => {
    const raw = ['Host', 'a', 'X-A', '1', 'Set-Cookie', 'a=1', 'set-cookie', 'b=2'];
    expect(endToEndHeaders(raw, none)).toEqual(raw);
  });

  it('removes the fields of a connection and those that Connection names', () => {
    const raw = ['Connection', 'keep-alive, X-Secret', 'x-secret', '1', 'Keep-Alive', 'timeout=5', 'Upgrade', 'h2c'];
    expect(endToEndHeaders([...raw, 'TE', 'trailers', 'Transfer-Encoding', 'chunked', 'A', 'b'], none)).toEqual([
      'A',
      'b',
    ]);
  });

  it('keeps the fields that frame a message, even if Connection names them', () => {
    const raw = ['Content-Length', '3', 'Host', 'a'];
    expect(endToEndHeaders([...raw, 'Connection', 'content-length, host'], none)).toEqual(raw);
  });

  it('removes further fields', () => {
    expect(endToEndHeaders(['X-Homeport-Deploy', 'a', 'B', 'c'], (name) => name.startsWith('x-homeport-'))).toEqual([
      'B',
      'c',
    ]);
  });
});
