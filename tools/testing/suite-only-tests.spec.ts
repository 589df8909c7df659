import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SUITE_ONLY_TESTS } from './suite-only-tests.ts';

const root = resolve(import.meta.dirname, '../..');

describe.each(Object.entries(SUITE_ONLY_TESTS))('%s, which only the full suite runs', (path, sample) => {
  it(`exists and has the sample ${sample} in the gate`, () => {
    expect(existsSync(resolve(root, path))).toBe(true);
    expect(existsSync(resolve(root, sample))).toBe(true);
    expect(SUITE_ONLY_TESTS).not.toHaveProperty([sample]);
  });
});
