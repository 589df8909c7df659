import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSecretKey, SecretBox, SecretUnreadable, variableContext } from './secret-box';

const keyOf = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const [older, newer] = [keyOf('2025', 1), keyOf('2026', 2)];
const context = variableContext('app', 'TOKEN', 'all');

describe('SecretBox', () => {
  it('opens what it sealed, and never seals equal values equally', () => {
    const box = new SecretBox([newer]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, place) => {
        const sealed = box.seal(plain, place);
        expect(box.open(sealed, place)).toBe(Buffer.from(plain).toString());
        expect(box.seal(plain, place)).not.toEqual(sealed);
      }),
    );
  });

  it('opens values of older keys, and seals with the newest', () => {
    const sealed = new SecretBox([older]).seal('hunter2', context);
    const rotated = new SecretBox([newer, older]);
    expect(rotated.open(sealed, context)).toBe('hunter2');
    expect(new SecretBox([newer]).open(rotated.seal('hunter2', context), context)).toBe('hunter2');
    expect(() => new SecretBox([newer]).open(sealed, context)).toThrow(SecretUnreadable);
  });

  it.each([
    ['another app', variableContext('other', 'TOKEN', 'all')],
    ['another name', variableContext('app', 'OTHER', 'all')],
    ['another scope', variableContext('app', 'TOKEN', 'preview')],
  ])('opens no value for %s', (_, place) => {
    const box = new SecretBox([newer]);
    expect(() => box.open(box.seal('hunter2', context), place)).toThrow(SecretUnreadable);
  });

  it('opens no value that was altered or cut', () => {
    const box = new SecretBox([newer]);
    const sealed = box.seal('hunter2', context);
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      expect(() => box.open(altered, context)).toThrow(SecretUnreadable);
      expect(() => box.open(sealed.subarray(0, at), context)).toThrow(SecretUnreadable);
    }
  });

  it('needs a key', () => {
    expect(() => new SecretBox([])).toThrow('at least one key');
  });
});

describe('parseSecretKey', () => {
  it('parses an id and 32 bytes', () => {
    const key = Buffer.alloc(32, 7);
    expect(parseSecretKey(`2026-11:${key.toString('base64')}`)).toEqual({ id: '2026-11', key });
  });

  it.each([
    '',
    'a',
    'a:',
    `:${Buffer.alloc(32).toString('base64')}`,
    `a:${Buffer.alloc(31).toString('base64')}`,
    'a:x',
  ])('rejects %j', (text) => expect(parseSecretKey(text)).toBeUndefined());
});
