import { describe, expect, it } from '@jest/globals';
import { documentedVariables } from '@homeport/platform/server/testing';
import { ENVIRONMENT_NAMES } from './config';

describe('docs/operations.md', () => {
  it('documents exactly the variables that the API reads', () => {
    expect(documentedVariables('What the API reads').sort()).toEqual([...ENVIRONMENT_NAMES].sort());
  });
});
