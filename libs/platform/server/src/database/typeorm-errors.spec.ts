import { describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { translateDatabaseError } from './typeorm-errors';

describe('translateDatabaseError', () => {
  it.each([new QueryRunnerAlreadyReleasedError(), new QueryRunnerProviderAlreadyReleasedError()])(
    'maps the error of a released connection to DatabaseUnavailable: %s',
    (thrown) => {
      expect(translateDatabaseError(thrown)).toBeInstanceOf(DatabaseUnavailable);
    },
  );

  it('translates the other errors like those of the driver', () => {
    const defect = new TypeError('undefined is not a function');
    expect(translateDatabaseError(defect)).toBe(defect);
    expect(translateDatabaseError(new Error('Query read timeout'))).toBeInstanceOf(DatabaseUnavailable);
  });
});
