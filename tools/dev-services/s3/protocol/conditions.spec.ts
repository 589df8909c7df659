import { describe, expect, it } from '@jest/globals';
import {
  assertCopySourceConditions,
  assertReadConditions,
  deletePrecondition,
  rangeApplies,
  writePrecondition,
} from './conditions.ts';
import type { RequestHeaders } from './headers.ts';

const CURRENT = { etag: 'abc', modified: Date.UTC(2026, 0, 1, 12, 0, 0, 500) };
const SAME_SECOND = 'Thu, 01 Jan 2026 12:00:00 GMT';
const BEFORE = 'Thu, 01 Jan 2026 11:59:59 GMT';

function outcome(action: () => void): string {
  try {
    action();
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('read conditions', () => {
  it.each<[RequestHeaders, string]>([
    [{}, 'ok'],
    [{ 'if-match': '"abc"' }, 'ok'],
    [{ 'if-match': 'abc' }, 'ok'],
    [{ 'if-match': '"x", "abc"' }, 'ok'],
    [{ 'if-match': '*' }, 'ok'],
    [{ 'if-match': '"x"' }, 'PreconditionFailed'],
    [{ 'if-none-match': '"abc"' }, 'NotModified'],
    [{ 'if-none-match': 'W/"abc"' }, 'NotModified'],
    [{ 'if-none-match': '*' }, 'NotModified'],
    [{ 'if-none-match': '"x"' }, 'ok'],
    [{ 'if-modified-since': SAME_SECOND }, 'NotModified'],
    [{ 'if-modified-since': BEFORE }, 'ok'],
    [{ 'if-modified-since': 'nonsense' }, 'ok'],
    [{ 'if-unmodified-since': SAME_SECOND }, 'ok'],
    [{ 'if-unmodified-since': BEFORE }, 'PreconditionFailed'],
    [{ 'if-match': '"abc"', 'if-unmodified-since': BEFORE }, 'ok'],
    [{ 'if-none-match': '"x"', 'if-modified-since': SAME_SECOND }, 'ok'],
  ])('%j: %s', (headers, expected) => {
    expect(outcome(() => assertReadConditions(headers, CURRENT))).toBe(expected);
  });

  it('apply to the source of a copy, where each failure is a 412', () => {
    const headers = { 'x-amz-copy-source-if-none-match': '"abc"' };
    expect(outcome(() => assertCopySourceConditions(headers, CURRENT))).toBe('PreconditionFailed');
    expect(outcome(() => assertCopySourceConditions({ 'if-none-match': '"abc"' }, CURRENT))).toBe('ok');
  });

  it.each([
    [undefined, true],
    ['"abc"', true],
    [SAME_SECOND, true],
    ['"x"', false],
    [BEFORE, false],
  ])('If-Range %s applies the range: %s', (value, expected) => {
    expect(rangeApplies({ 'if-range': value }, CURRENT)).toBe(expected);
  });
});

describe('write conditions', () => {
  it.each<[RequestHeaders, string, string]>([
    [{}, 'ok', 'ok'],
    [{ 'if-none-match': '*' }, 'PreconditionFailed', 'ok'],
    [{ 'if-match': '"abc"' }, 'ok', 'NoSuchKey'],
    [{ 'if-match': '"x"' }, 'PreconditionFailed', 'NoSuchKey'],
    [{ 'if-match': '*' }, 'ok', 'NoSuchKey'],
  ])('%j for an existing object: %s, for a missing one: %s', (headers, present, absent) => {
    expect(outcome(() => writePrecondition(headers)(CURRENT))).toBe(present);
    expect(outcome(() => writePrecondition(headers)(undefined))).toBe(absent);
  });

  it('rejects conditions that S3 does not define', () => {
    expect(outcome(() => void writePrecondition({ 'if-none-match': '"abc"' }))).toBe('NotImplemented');
  });

  it('accepts deletes without a condition', () => {
    expect(outcome(() => deletePrecondition(undefined)(undefined))).toBe('ok');
    expect(outcome(() => deletePrecondition('"x"')(CURRENT))).toBe('PreconditionFailed');
    expect(outcome(() => deletePrecondition('"x"')(undefined))).toBe('NoSuchKey');
  });
});
