import { describe, expect, it } from '@jest/globals';
import { matchesIfRange, evaluatePreconditions } from './conditions';
import { PreconditionFailed } from './files.errors';

const A = '"a"';
const B = '"b"';

describe('evaluatePreconditions', () => {
  it.each([
    [{}, A, undefined],
    [{}, undefined, undefined],
    [{ ifMatch: A }, A, { etag: A }],
    [{ ifMatch: `${B}, ${A}` }, A, { etag: A }],
    [{ ifMatch: '*' }, A, { etag: A }],
    [{ ifNoneMatch: '*' }, undefined, { absent: true }],
    [{ ifNoneMatch: A }, undefined, { absent: true }],
    [{ ifNoneMatch: B }, A, { etag: A }],
    [{ ifMatch: A, ifNoneMatch: B }, A, { etag: A }],
  ] as const)('turns %j for ETag %j into %j', (conditions, etag, expected) => {
    expect(evaluatePreconditions(conditions, etag)).toEqual(expected);
  });

  it.each([
    [{ ifMatch: A }, undefined],
    [{ ifMatch: '*' }, undefined],
    [{ ifMatch: A }, B],
    [{ ifMatch: `W/${A}` }, A],
    [{ ifNoneMatch: '*' }, A],
    [{ ifNoneMatch: A }, A],
    [{ ifNoneMatch: `W/${A}` }, A],
    [{ ifNoneMatch: `${B}, ${A}` }, A],
    [{ ifMatch: A, ifNoneMatch: A }, A],
  ] as const)('rejects %j for ETag %j and returns the current ETag', (conditions, etag) => {
    const convert = () => evaluatePreconditions(conditions, etag);
    expect(convert).toThrow(PreconditionFailed);
    expect(convert).toThrow(expect.objectContaining({ headers: etag === undefined ? {} : { etag } }));
  });
});

describe('matchesIfRange', () => {
  const current = { etag: A, modifiedAt: new Date('2026-01-02T03:04:05Z') };

  it.each([
    [A, true],
    [B, false],
    [`W/${A}`, false],
    ['Fri, 02 Jan 2026 03:04:05 GMT', true],
    ['Fri, 02 Jan 2026 03:04:06 GMT', false],
    ['nonsense', false],
  ])('returns for %s: %s', (ifRange, expected) => {
    expect(matchesIfRange(ifRange, current)).toBe(expected);
  });
});
