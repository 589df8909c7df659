import { describe, expect, it } from '@jest/globals';
import { hexRows } from './hex-rows';

describe('hexRows', () => {
  it('formats sixteen bytes per row', () => {
    expect(hexRows(Uint8Array.from([...Array(17).keys()].map((byte) => byte + 0x40)))).toEqual([
      { place: '0000', bytes: '40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f', signs: '@ABCDEFGHIJKLMNO' },
      { place: '0010', bytes: '50', signs: 'P' },
    ]);
    expect(hexRows(Uint8Array.of(0, 0x3c, 0xff))[0]?.signs).toBe('.<.');
    expect(hexRows(new Uint8Array())).toEqual([]);
  });
});
