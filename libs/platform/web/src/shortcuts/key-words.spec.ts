import { describe, expect, it } from '@jest/globals';
import { keyWord } from './key-words';

describe('the words on keys', () => {
  it.each([
    ['Mod', 'Win32', 'Ctrl'],
    ['Mod', 'Linux x86_64', 'Ctrl'],
    ['Mod', 'MacIntel', '⌘'],
    ['Mod', 'iPhone', '⌘'],
    ['K', 'MacIntel', 'K'],
  ])('%s on %s is %s', (key, platform, word) => {
    expect(keyWord(key, platform)).toBe(word);
  });
});
