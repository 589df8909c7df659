import { describe, expect, it } from '@jest/globals';
import { parseSandboxResponse } from './sandbox-protocol';

describe('parseSandboxResponse', () => {
  it('parses drawings and errors', () => {
    expect(parseSandboxResponse({ id: 1, svg: '<svg/>', width: 10, height: 20 })).toEqual({
      id: 1,
      drawing: { kind: 'diagram', svg: '<svg/>', width: 10, height: 20 },
    });
    expect(parseSandboxResponse({ id: 2, mathml: '<math/>' })).toEqual({
      id: 2,
      drawing: { kind: 'formula', mathml: '<math/>' },
    });
    expect(parseSandboxResponse({ id: 3, fault: 'x'.repeat(999) })).toEqual({ id: 3, fault: 'x'.repeat(400) });
  });

  it.each([
    null,
    'x',
    {},
    { id: '1', mathml: '' },
    { id: 1, svg: '<svg/>' },
    { id: 1, svg: '<svg/>', width: Number.NaN, height: 1 },
    { id: 1, svg: '<svg/>', width: 1, height: -1 },
    { id: 1, svg: 7, width: 1, height: 1 },
  ])('rejects %j', (data) => {
    expect(parseSandboxResponse(data)).toBeUndefined();
  });
});
