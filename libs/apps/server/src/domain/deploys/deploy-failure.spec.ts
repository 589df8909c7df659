import { describe, expect, it } from '@jest/globals';
import { ArchiveRejected } from './archive.errors';
import { deployFailureOf } from './deploy-failure';
import { BlobStorageTimeout } from '../blobs/blobs.errors';
import { DeployInterrupted, UploadAborted } from './deploys.errors';

describe('deployFailureOf', () => {
  it('names the rejected entries of an archive', () => {
    const fields = [{ field: '../x', reason: 'It climbs.' }];
    const { failure, problems } = deployFailureOf(new ArchiveRejected(fields));
    expect(failure.code).toBe('rejected');
    expect(failure.message).toContain('../x');
    expect(problems).toEqual([{ path: '../x', line: null, reason: 'It climbs.' }]);
  });

  it('distinguishes client, storage and server errors without internal details', () => {
    expect(deployFailureOf(new UploadAborted()).failure.code).toBe('aborted');
    expect(deployFailureOf(new BlobStorageTimeout()).failure.code).toBe('storage');
    for (const error of [new DeployInterrupted(), new Error('select * from secrets')]) {
      expect(deployFailureOf(error)).toEqual({
        failure: { code: 'interrupted', message: 'The upload was interrupted on our side. Upload it again.' },
        problems: [],
      });
    }
  });
});
