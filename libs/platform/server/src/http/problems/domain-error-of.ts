import {
  DomainError,
  InternalError,
  InvalidRequest,
  NoRoute,
  PayloadTooLarge,
  UnsupportedMediaType,
} from '@homeport/kernel';
import { HttpException } from '@nestjs/common';

/** @returns domain errors unchanged, errors of the framework by their status, and an internal error for the rest. */
export function domainErrorOf(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  const status = statusIn(thrown);
  if (status === 404) return new NoRoute();
  if (status === 413) return new PayloadTooLarge();
  if (status === 415) return new UnsupportedMediaType();
  if (status !== undefined && status >= 400 && status < 500) {
    return new InvalidRequest('The request could not be read. Check its syntax and headers.');
  }
  return new InternalError({ cause: thrown });
}

/** The exceptions of Nest and Fastify store their status under different names. */
function statusIn(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof Error && 'statusCode' in thrown && typeof thrown.statusCode === 'number') {
    return thrown.statusCode;
  }
  return undefined;
}
