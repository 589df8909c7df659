import type { DomainError, ErrorKind } from './domain-error';
import type { Problem } from './problem';

/** The status and the title of each kind of error. Titles follow the reason phrases of RFC 9110 and RFC 6585. */
const STATUS_AND_TITLE: Record<ErrorKind, { readonly status: number; readonly title: string }> = {
  invalid: { status: 400, title: 'Bad request' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Forbidden' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  'precondition-failed': { status: 412, title: 'Precondition failed' },
  'too-large': { status: 413, title: 'Content too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'range-not-satisfiable': { status: 416, title: 'Range not satisfiable' },
  'expectation-failed': { status: 417, title: 'Expectation failed' },
  unprocessable: { status: 422, title: 'Unprocessable content' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Request header fields too large' },
  internal: { status: 500, title: 'Internal server error' },
  'upstream-error': { status: 502, title: 'Bad gateway' },
  unavailable: { status: 503, title: 'Service unavailable' },
  timeout: { status: 504, title: 'Gateway timeout' },
};

/** Field names and values come from the caller, so the response must not repeat all of them. */
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
    title: error.kind === 'invalid' && fields ? 'Validation failed' : title,
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
