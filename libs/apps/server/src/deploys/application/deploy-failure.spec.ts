import { describe, expect, it } from '@jest/globals';
import { ArchiveRejected } from '../domain/archive.errors';
import { deployFailureOf } from './deploy-failure';
import { BlobStorageTimeout } from '@homeport/platform/server/blobs';
import { DeployInterrupted, UploadAborted } from '../domain/deploys.errors';

describe('deployFailureOf', () => {
  it('names the rejected entries of an archive', () => {
    const fields = [{ field: '../x', reason: 'It climbs.' }];
    const { error, problems } = deployFailureOf(new ArchiveRejected(fields));
    expect(error.code).toBe('rejected');
    expect(error.message).toContain('../x');
    expect(problems).toEqual([{ path: '../x', line: null, reason: 'It climbs.' }]);
  });

  it('distinguishes client, storage and server errors without internal details', () => {
    expect(deployFailureOf(new UploadAborted()).error.code).toBe('aborted');
    expect(deployFailureOf(new BlobStorageTimeout()).error.code).toBe('storage');
    for (const error of [new DeployInterrupted(), new Error('select * from secrets')]) {
      expect(deployFailureOf(error)).toEqual({
        error: { code: 'interrupted', message: 'The upload was interrupted on our side. Upload it again.' },
        problems: [],
      });
    }
  });
});
