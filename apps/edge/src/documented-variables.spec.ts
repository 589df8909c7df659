import { describe, expect, it } from '@jest/globals';
import { documentedVariables } from '@homeport/platform/server/testing';
import { EDGE_ENVIRONMENT_NAMES } from './config';

describe('docs/operations.md', () => {
  it('documents exactly the variables that the edge reads', () => {
    expect(documentedVariables('What the edge reads').sort()).toEqual([...EDGE_ENVIRONMENT_NAMES].sort());
  });
});
