import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { errorRecord, redacted, serializedError } from './error-record';

describe('errorRecord', () => {
  it('includes type, message and code of every cause and the stack of the outermost error', () => {
    const inner = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    expect(errorRecord(new TypeError('fetch failed', { cause: inner }))).toEqual({
      type: 'TypeError',
      message: 'fetch failed',
      stack: expect.stringContaining('error-record.spec'),
      cause: { type: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:5432', code: 'ECONNREFUSED' },
    });
  });

  it('includes every error of an AggregateError', () => {
    const errors = [new Error('::1 refused'), new Error('127.0.0.1 refused')];
    expect(errorRecord(new AggregateError(errors, 'all failed'), false)).toMatchObject({
      type: 'AggregateError',
      message: 'all failed',
      errors: [{ message: '::1 refused' }, { message: '127.0.0.1 refused' }],
    });
  });

  it('omits other properties that libraries attach to errors', () => {
    const driver = Object.assign(new Error('duplicate key'), { detail: 'Key (name)=(secret) exists.' });
    const failed = new QueryFailedError('insert', ['secret'], driver);
    const refused = Object.assign(new Error('no match'), { StringToSign: 'secret', response: { body: 'secret' } });
    for (const error of [failed, refused, new Error('outer', { cause: refused })]) {
      expect(JSON.stringify(errorRecord(error))).not.toContain('secret');
    }
  });

  it('accepts string causes and values that are not errors', () => {
    expect(errorRecord(new Error('a', { cause: 'the reason' }), false)).toEqual({
      type: 'Error',
      message: 'a',
      cause: { type: 'string', message: 'the reason' },
    });
    expect(errorRecord(undefined)).toEqual({ type: 'undefined', message: 'undefined' });
    expect(serializedError({ token: 'secret' })).toEqual({ type: 'object', message: '[object Object]' });
    const record = { type: 'Error', message: 'a' };
    expect(serializedError(record)).toBe(record);
  });
});

describe('a long message', () => {
  it('is cut after the redaction, so that no part of a credential is left', () => {
    const before = 'x'.repeat(980);
    const { message } = errorRecord(new Error(`${before} postgres://app:secret@db:5432/x`), false);
    expect(message).toHaveLength(1_000);
    expect(message).not.toContain('secret');
    expect(message.slice(0, 993)).toBe(`${before} postgres://[`.slice(0, 993));
  });
});

describe('redacted', () => {
  it.each([
    ['postgres://app:pass@db:5432/x is down', 'postgres://[redacted]@db:5432/x is down'],
    ['GET https://id.example/token?code=abc&state=d failed', 'GET https://id.example/token?[redacted] failed'],
    ['sent Bearer abc.def-_~ there', 'sent Bearer [redacted] there'],
    ['token eyJhbGciOi.eyJzdWIi.sig_-x', 'token [redacted]'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ])('%s', (text, clean) => {
    expect(redacted(text)).toBe(clean);
  });
});
