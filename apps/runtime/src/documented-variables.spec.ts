import { describe, expect, it } from '@jest/globals';
import { documentedVariables } from '@homeport/platform/server/testing';
import { RUNTIME_ENVIRONMENT_NAMES } from './config';

describe('docs/operations.md', () => {
  it('documents exactly the variables that the runtime reads', () => {
    expect(documentedVariables('What the runtime reads').sort()).toEqual([...RUNTIME_ENVIRONMENT_NAMES].sort());
  });
});
