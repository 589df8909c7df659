import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SealedBox } from './sealed-box';

const KEY = randomBytes(32);
const NEWER = randomBytes(32);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/! ';

describe('SealedBox', () => {
  const box = new SealedBox([KEY]);

  it.each(['secret', '', 'ü€𝄞', '\0', 'x'.repeat(10_000), '{"a":"b.c"}'])('opens what it sealed (case %#)', (plain) => {
    expect(box.open(box.seal(plain, 'use'), 'use')).toBe(plain);
  });

  it('opens the bytes that it sealed', () => {
    const bytes = Buffer.from([0, 255, 128, 10]);
    expect(box.openBytes(box.seal(bytes, 'use'), 'use')).toEqual(bytes);
    expect(box.openBytes(box.seal(bytes, 'use'), 'other')).toBeUndefined();
  });

  it('seals the same text differently each time', () => {
    expect(new Set(Array.from({ length: 50 }, () => box.seal('secret', 'use'))).size).toBe(50);
  });

  it('reveals neither the text nor a key', () => {
    const sealed = box.seal('secret', 'use');
    expect(sealed).toMatch(/^[\w-]{8}\.[\w-]{16}\.[\w-]{30}$/);
    expect(Buffer.from(sealed.replaceAll('.', ''), 'base64url').includes('secret')).toBe(false);
    expect(sealed).not.toContain(KEY.toString('base64url').slice(0, 8));
  });

  it('does not open a text sealed for another purpose', () => {
    const sealed = box.seal('secret', 'use');
    expect(box.open(sealed, 'other')).toBeUndefined();
    expect(box.open(sealed, '')).toBeUndefined();
  });

  it('does not open a text with any character changed, dropped or added', () => {
    const sealed = box.seal('secret', 'use');
    const wrong: string[] = [];
    for (let at = 0; at <= sealed.length; at++) {
      const [before, after] = [sealed.slice(0, at), sealed.slice(at)];
      wrong.push(before + after.slice(1));
      for (const letter of ALPHABET) wrong.push(before + letter + after, before + letter + after.slice(1));
    }
    const others = wrong.filter((each) => each !== sealed);
    expect(others.length).toBeGreaterThan(5_000);
    expect(others.filter((each) => box.open(each, 'use') !== undefined)).toEqual([]);
  });

  it.each(['', '.', '..', '...', 'a.b.c', 'secret', 'null', 'x'.repeat(100)])('does not open %j', (text) => {
    expect(box.open(text, 'use')).toBeUndefined();
  });

  it('does not open a text with a shortened tag', () => {
    const [id, nonce, body = ''] = box.seal('', 'use').split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let length = 0; length < bytes.length; length++) {
      expect(box.open(`${id}.${nonce}.${bytes.subarray(0, length).toString('base64url')}`, 'use')).toBeUndefined();
    }
  });
});

describe('SealedBox under rotating keys', () => {
  it('seals with the newest key and opens with every key', () => {
    const before = new SealedBox([KEY]);
    const during = new SealedBox([NEWER, KEY]);
    const after = new SealedBox([NEWER]);
    expect(during.open(before.seal('old', 'use'), 'use')).toBe('old');
    expect(after.open(during.seal('new', 'use'), 'use')).toBe('new');
  });

  it('does not open a text whose key was removed', () => {
    expect(new SealedBox([NEWER]).open(new SealedBox([KEY]).seal('old', 'use'), 'use')).toBeUndefined();
  });

  it('requires at least one key', () => {
    expect(() => new SealedBox([])).toThrow('at least one key');
  });
});
