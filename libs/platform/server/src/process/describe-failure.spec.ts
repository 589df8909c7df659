import { describe, expect, it } from '@jest/globals';
import { InvalidConfig } from '../config/read-environment';
import { describeFailure } from './describe-failure';

describe('describeFailure', () => {
  it('lists the invalid settings alone', () => {
    expect(describeFailure(new InvalidConfig(['S3_BUCKET is missing']))).toBe(
      'The configuration is invalid:\n  - S3_BUCKET is missing',
    );
  });

  it.each(['42P01', '42703'])('names the setting of a database with other tables (%s)', (code) => {
    const error = Object.assign(new Error('relation "apps.apps" does not exist'), { code });
    expect(describeFailure(error)).toBe(
      `The database has other tables than this version (${code}). Correct DATABASE_URL, or start the API once: it ` +
        'creates the tables.',
    );
  });

  it('names the cause of other failures, and the command that explains it', () => {
    const error = new Error('The deploy could not be read.', {
      cause: Object.assign(new Error('none'), { code: 'NoSuchBucket' }),
    });
    expect(describeFailure(error)).toBe(
      'The deploy could not be read. (NoSuchBucket) The command main.js doctor names the setting to correct.',
    );
  });
});
