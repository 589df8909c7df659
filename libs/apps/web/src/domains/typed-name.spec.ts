import { describe, expect, it } from '@jest/globals';
import { typedName } from './typed-name';

describe('typedName', () => {
  it.each([
    ['www.acme.com', 'www.acme.com'],
    [' WWW.Acme.com. ', 'www.acme.com'],
    ['https://www.acme.com:443/shop?a=b#c', 'www.acme.com'],
    ['acme.com/shop', 'acme.com'],
    ['*.acme.com', '*.acme.com'],
    ['', ''],
  ])('reads %j as %j', (text, name) => expect(typedName(text)).toBe(name));
});
