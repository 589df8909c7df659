import { CodedFailure, DomainError } from '@homeport/platform/server';
import { DigestMismatch, StorageFailed, StorageTimeout, StorageUnavailable } from '../../domain/files.errors';

const TIMEOUT_CODES = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const UNAVAILABLE_STATUSES = [429, 500, 503];

/** Maps a transport error to a domain error; returns domain errors unchanged. */
export function transportErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (codeOf(error).startsWith('HPE_')) return new StorageFailed({ cause: error });
  return TIMEOUT_CODES.includes(codeOf(error))
    ? new StorageTimeout({ cause: error })
    : new StorageUnavailable({ cause: error });
}

/** Whether the connection broke, which allows a retry; false for timeouts and aborted requests. */
export function isBrokenConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** Maps an unexpected response to a domain error. @param code the code in S3's error document. */
export function responseErrorOf(statusCode: number, code: string | undefined): DomainError {
  const cause = {
    cause: new CodedFailure(code ?? `HTTP_${statusCode}`, `S3 answered ${statusCode}, ${code ?? 'without a code'}`),
  };
  if (code === 'BadDigest' || code === 'InvalidDigest') return new DigestMismatch();
  if (code === 'RequestTimeout') return new StorageTimeout(cause);
  return UNAVAILABLE_STATUSES.includes(statusCode) ? new StorageUnavailable(cause) : new StorageFailed(cause);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
