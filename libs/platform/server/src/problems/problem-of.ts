import type { Problem } from '@homeport/platform/contracts';
import { HttpException } from '@nestjs/common';
import { DomainError, type ErrorKind } from './domain-error';
import { InternalError, InvalidRequest, NoRoute, PayloadTooLarge, UnsupportedMediaType } from './platform.errors';

/** The one place where a kind of failure becomes an HTTP status and a title. */
const STATUS_AND_TITLE: Record<ErrorKind, { readonly status: number; readonly title: string }> = {
  invalid: { status: 400, title: 'Invalid request' },
  unauthenticated: { status: 401, title: 'Not signed in' },
  forbidden: { status: 403, title: 'Not allowed' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  'precondition-failed': { status: 412, title: 'Precondition failed' },
  'too-large': { status: 413, title: 'Too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'range-not-satisfiable': { status: 416, title: 'Range not satisfiable' },
  unprocessable: { status: 422, title: 'Cannot be processed' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Headers too large' },
  internal: { status: 500, title: 'Internal error' },
  'upstream-error': { status: 502, title: 'Bad answer from a dependency' },
  unavailable: { status: 503, title: 'Unavailable' },
  timeout: { status: 504, title: 'Timeout' },
};

/** An answer repeats a part of the request at most: names of fields come from the caller. */
const MAX_LISTED_FIELDS = 50;
const MAX_FIELD_LENGTH = 100;
const MAX_REASON_LENGTH = 300;
const MAX_DETAIL_LENGTH = 1_000;

export function problemOf(error: DomainError, requestId: string): Problem {
  const { status, title } = STATUS_AND_TITLE[error.kind];
  const fields = error.fields?.slice(0, MAX_LISTED_FIELDS).map(({ field, reason }) => ({
    field: shortened(field, MAX_FIELD_LENGTH),
    reason: shortened(reason, MAX_REASON_LENGTH),
  }));
  return {
    type: `urn:homeport:problem:${error.code}`,
    title,
    status,
    detail: shortened(error.message, MAX_DETAIL_LENGTH) + omission(error.fields?.length ?? 0),
    code: error.code,
    request_id: requestId,
    ...(fields ? { errors: fields } : {}),
  };
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`.toWellFormed();
}

function omission(count: number): string {
  return count <= MAX_LISTED_FIELDS ? '' : ` The first ${MAX_LISTED_FIELDS} of ${count} errors are listed.`;
}

export function statusOf(kind: ErrorKind): number {
  return STATUS_AND_TITLE[kind].status;
}

/** Names a failure: our own errors as they are, the framework's by what they mean, everything else as internal. */
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

/** Nest's exceptions and Fastify's own errors both carry a status, under different names. */
function statusIn(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof Error && 'statusCode' in thrown && typeof thrown.statusCode === 'number') {
    return thrown.statusCode;
  }
  return undefined;
}
