import { DomainError } from '@homeport/kernel';
import { type S3FailureKind, s3FailureKind } from './s3-errors';
import { createTimedCall, type TimedCall, type TimeoutErrorFactory } from './storage-timeouts';

/** The storage errors of a domain. */
export interface StorageErrors {
  /** @returns the error of the domain for a failure of S3; errors of domains unchanged. */
  readonly translate: (error: unknown) => DomainError;
  readonly timeout: TimeoutErrorFactory;
  /** @param reason why the response contradicts the request or the S3 protocol; logged, not sent to clients. */
  readonly invalidResponse: (reason: string) => DomainError;
  /** Calls storage with a time limit. @throws the timeout error of the domain. */
  readonly withTimeout: TimedCall;
}

/** @param factories creates the error of the domain for each kind of failure. */
export function createStorageErrors(
  factories: Readonly<Record<S3FailureKind, (options?: ErrorOptions) => DomainError>>,
): StorageErrors {
  return {
    translate: (error) => (error instanceof DomainError ? error : factories[s3FailureKind(error)]({ cause: error })),
    timeout: factories.timeout,
    invalidResponse: (reason) => factories['upstream-error']({ cause: new Error(reason) }),
    withTimeout: createTimedCall(factories.timeout),
  };
}
