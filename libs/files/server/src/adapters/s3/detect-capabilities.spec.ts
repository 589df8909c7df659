import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { StorageTimeout, StorageUnavailable } from '../../domain/files.errors';
import { detectCapabilities } from './detect-capabilities';

/** A client whose second write fails, and whose deletion ends when it is told to. */
function failingClient(failure: Error) {
  let writes = 0;
  let deleted = false;
  const finish = Promise.withResolvers<object>();
  const send = async (command: unknown) => {
    if (command instanceof PutObjectCommand) {
      writes += 1;
      if (writes > 1) throw failure;
      return { ETag: '"a"' };
    }
    expect(command).toBeInstanceOf(DeleteObjectCommand);
    await finish.promise;
    deleted = true;
    return {};
  };
  return { client: { send } as unknown as S3Client, finish: () => finish.resolve({}), isDeleted: () => deleted };
}

describe('the probe of a storage that fails', () => {
  it('is removed before the failure is reported', async () => {
    const { client, finish, isDeleted } = failingClient(new StorageUnavailable());
    finish();
    await expect(detectCapabilities(client, 'bucket')).rejects.toBeInstanceOf(StorageUnavailable);
    expect(isDeleted()).toBe(true);
  });

  it('is removed in the background after a time-out, and the caller can wait for it', async () => {
    const { client, finish, isDeleted } = failingClient(new StorageTimeout());
    let removed: Promise<void> | undefined;
    const onCleanUp = (removal: Promise<void>) => (removed = removal);
    await expect(detectCapabilities(client, 'bucket', onCleanUp)).rejects.toBeInstanceOf(StorageTimeout);
    expect(isDeleted()).toBe(false);
    finish();
    await removed;
    expect(isDeleted()).toBe(true);
  });
});
