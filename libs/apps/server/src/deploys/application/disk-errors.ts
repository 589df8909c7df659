import { DeploysUnavailable } from '../domain/deploys.errors';

const DISK_ERROR_CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOENT', 'EMFILE', 'ENFILE'];

/** Reports a disk that cannot be written to as a temporary server error; the log has the cause. */
export function translateDiskError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && DISK_ERROR_CODES.includes(String(error.code)))) return error;
  return new DeploysUnavailable(
    { cause: error },
    'The server cannot store uploads at this moment. Try again in a few minutes.',
  );
}
