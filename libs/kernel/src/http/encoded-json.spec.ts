import { describe, expect, it } from '@jest/globals';
import { EncodedJson } from './encoded-json';

describe('EncodedJson', () => {
  it('adds an encoded member to the others', () => {
    const { text } = EncodedJson.of({ a: '"}', b: null }, 'items' as never, '[{"c":1}]');
    expect(JSON.parse(text)).toEqual({ a: '"}', b: null, items: [{ c: 1 }] });
  });
});
