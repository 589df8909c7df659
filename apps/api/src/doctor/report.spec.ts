import { describe, expect, it } from '@jest/globals';
import type { CheckReport } from './check';
import { documentOf, lineOf, redactor, secretsIn, summaryOf } from './report';

const report = (status: CheckReport['status']): CheckReport => ({ name: 'storage', status, detail: 'Found.' });

describe('the lines of the doctor', () => {
  it('has status, name, finding and remedy on one line', () => {
    expect(lineOf({ ...report('fault'), remedy: 'Correct S3_BUCKET.' }, 10)).toBe(
      'fault    storage     Found. Correct S3_BUCKET.',
    );
    expect(lineOf(report('skipped'), 7)).toBe('skipped  storage  Found.');
  });

  it.each<[CheckReport['status'][], string]>([
    [['ok'], 'No fault.'],
    [['fault', 'skipped'], '1 fault, 1 skipped.'],
    [['fault', 'fault', 'warning'], '2 faults, 1 warning.'],
  ])('counts %j as %j', (statuses, summary) => expect(summaryOf(statuses.map(report))).toBe(summary));
});

describe('redactor', () => {
  it('hides secrets, the longest first, and keeps short values', () => {
    expect(redactor(['abcd', 'abcdef', 'no', ''])('abcdef abcd no')).toBe('*** *** no');
  });

  it('hides secrets with characters that JSON escapes', () => {
    const document = documentOf([{ ...report('fault'), detail: 'Rejected: a"b\\c.' }], redactor(['a"b\\c']));
    expect(JSON.parse(document)).toEqual({ checks: [{ ...report('fault'), detail: 'Rejected: ***.' }] });
  });

  it('knows the password among the parameters of the address of the database', () => {
    expect(secretsIn({ DATABASE_URL: 'postgres:///homeport?password=p%40ss' }, [], [])).toContain('p@ss');
  });

  it('knows the hidden variables, each key of a list, and the password of the database, and shows ids', () => {
    const env = {
      SESSION_KEYS: 'first,second ',
      ACME_EAB_KEY_ID: 'homeport',
      S3_BUCKET: 'homeport',
      DATABASE_URL: 'postgres://user:p%40ss@127.0.0.1/homeport',
    };
    const secrets = secretsIn(env, [...Object.keys(env), 'HOST'], ['S3_BUCKET', 'DATABASE_URL']);
    expect(secrets).toEqual(['first,second', 'first', 'second', 'p%40ss', 'p@ss']);
  });
});
