// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { isFinalResponse, nameErrorMessage } from './registration-errors';

const problem = (code: string) => ({
  code,
  detail: 'In words.',
  errors: [{ field: 'name', reason: 'must be text' }],
});

describe('nameErrorMessage', () => {
  it.each([
    ['apps.subdomain-taken', '“acme” is taken. Try another name.'],
    ['apps.subdomain-reserved', '“acme” is reserved. Try another name.'],
    ['apps.subdomain-invalid', 'In words.'],
    ['platform.invalid-request', 'must be text'],
    ['apps.quota-exceeded', undefined],
    ['platform.idempotency-in-progress', undefined],
  ])('%s', (code, words) => {
    expect(nameErrorMessage(problem(code), 'acme')).toBe(words);
  });
});

describe('isFinalResponse', () => {
  it.each([
    ['apps.quota-exceeded', true],
    ['apps.subdomain-taken', true],
    ['platform.idempotency-mismatch', true],
    ['platform.idempotency-in-progress', false],
    ['platform.database-unavailable', false],
    ['platform.rate-limited', false],
    ['client.unreachable', false],
  ])('%s', (code, final) => {
    expect(isFinalResponse(problem(code))).toBe(final);
  });
});
