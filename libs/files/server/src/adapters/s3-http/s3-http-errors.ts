import { CodedFailure, DomainError } from '@homeport/platform/server';
import { DigestMismatch, StorageFailed, StorageTimeout, StorageUnavailable } from '../../domain/files.errors';

const TIMEOUT_CODES = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const UNAVAILABLE_STATUSES = [429, 500, 503];

/** Names what kept an answer from coming; errors that are ours already stay themselves. */
export function transportErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (codeOf(error).startsWith('HPE_')) return new StorageFailed({ cause: error });
  return TIMEOUT_CODES.includes(codeOf(error))
    ? new StorageTimeout({ cause: error })
    : new StorageUnavailable({ cause: error });
}

/** Whether the connection broke, as opposed to storage being slow or our own leaving: only then is another try due. */
export function isBrokenConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** Names an answer that is none of those the caller knows what to do with. @param code of S3's error document. */
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
