import { describe, expect, it } from '@jest/globals';
import { keyLabel } from './key-labels';

describe('keyLabel', () => {
  it.each([
    ['Mod', 'Win32', 'Ctrl'],
    ['Mod', 'Linux x86_64', 'Ctrl'],
    ['Mod', 'MacIntel', '⌘'],
    ['Mod', 'iPhone', '⌘'],
    ['Alt', 'MacIntel', '⌥'],
    ['Alt', 'Win32', 'Alt'],
    ['K', 'MacIntel', 'K'],
  ])('%s on %s is %s', (key, platform, word) => {
    expect(keyLabel(key, platform)).toBe(word);
  });
});
