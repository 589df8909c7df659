import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '@homeport/kernel';
import { parseDeploySource } from './deploy-source';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const faultsOf = (given: Parameters<typeof parseDeploySource>[0]) => {
  try {
    parseDeploySource(given);
  } catch (error) {
    return error instanceof InvalidRequest ? error.fields?.map(({ field }) => field) : error;
  }
  return [];
};

describe('parseDeploySource', () => {
  it('returns the stated values, and null for the others', () => {
    expect(parseDeploySource({})).toBeUndefined();
    expect(parseDeploySource({ commit: COMMIT.toUpperCase(), message: 'Fix prices\n\nMore.' })).toEqual({
      ...{ branch: null, commit: COMMIT, message: 'Fix prices\n\nMore.', url: null },
    });
  });

  it.each([
    { branch: 'b'.repeat(255) },
    { commit: 'f'.repeat(64) },
    { message: '😀'.repeat(200) },
    { url: 'https://ci.example.com/runs/1?x=1#log' },
  ])('accepts %j', (given) => {
    expect(faultsOf(given)).toEqual([]);
  });

  it.each([
    { branch: 'b'.repeat(256) },
    { branch: 'main\n' },
    { commit: 'f'.repeat(41) },
    { commit: `${COMMIT.slice(1)}g` },
    { message: 'm'.repeat(201) },
    { message: 'a\0b' },
    { url: 'http://ci.example.com' },
    { url: 'https://' },
    { url: 'https://ada:secret@ci.example.com/' },
    { url: ' https://ci.example.com' },
    { url: 'javascript:alert(1)' },
    { url: `https://ci.example.com/${'x'.repeat(2_048)}` },
  ])('rejects %j', (given) => {
    expect(faultsOf(given)).toEqual(Object.keys(given));
  });

  it('names every invalid value', () => {
    expect(faultsOf({ branch: 'main', commit: 'x', url: 'ftp://x' })).toEqual(['commit', 'url']);
  });
});
