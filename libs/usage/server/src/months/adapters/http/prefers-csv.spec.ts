import { describe, expect, it } from '@jest/globals';
import { prefersCsv } from './prefers-csv';

describe('prefersCsv', () => {
  it.each([
    'text/csv',
    'Text/CSV',
    'text/csv, */*',
    'text/csv; charset=utf-8',
    'text/csv;charset="UTF-8";q=0.9, application/json;q=0.5',
  ])('takes %j for CSV', (accept) => {
    expect(prefersCsv(accept)).toBe(true);
  });

  it.each([undefined, '', '*/*', 'text/csv;q=0', 'text/csv;charset=utf-8;q=0.5, application/json', 'image/png'])(
    'takes %j for JSON',
    (accept) => {
      expect(prefersCsv(accept)).toBe(false);
    },
  );
});
