import { describe, expect, it } from '@jest/globals';
import { SIZES } from './src/sizes.ts';
import { synthesise } from './testing/synthesis.ts';

describe('the resources of an installation', () => {
  it.each(SIZES)('match the schemas of CloudFormation in size %s', (size) => {
    expect(() => synthesise({ size }, true)).not.toThrow();
  });
});
