import { isNativeError } from 'node:util/types';
import { DomainError } from '../problems/domain-error';

/** A failure of a dependency under a machine-readable code, where the library or protocol reports text alone. */
export class CodedFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How many nested causes are followed: a chain may refer to itself. */
const MAX_DEPTH = 8;
/** PostgreSQL's SQLSTATE may begin with a digit. */
const CODE = /^[A-Za-z0-9][\w.-]{0,63}$/;
/** They only wrap the reason: the code is that of what they wrap, or of the error around them. */
const UNSPECIFIC = ['ABORT_ERR', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_INVALID_RESPONSE'];
/** What the AWS SDK calls an answer without an error document, such as that to HEAD. */
const NAMELESS = /^(\d+|Unknown|UnknownError|Forbidden|BadRequest|NotFound)$/;
/** node-postgres reports these without a code. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded|read timeout|timeout expired|connection timeout/i, 'timeout'],
  [/Connection terminated|Client has encountered a connection error/i, 'connection-terminated'],
];

interface Coded {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly status?: unknown;
  readonly driverError?: unknown;
}

/** An error and everything it was caused by, outermost first. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let next = error; isError(next) && causes.length < MAX_DEPTH && !causes.includes(next); next = innerOf(next)) {
    causes.push(next);
  }
  return causes;
}

/**
 * The machine-readable cause of a failure: the code of the innermost error that has one, such as `ECONNREFUSED`,
 * `SELF_SIGNED_CERT_IN_CHAIN`, `28P01`, `AccessDenied` or `invalid_client`.
 * @returns the code of our own error, or its class, when no cause has one.
 */
export function causeCodeOf(error: unknown): string {
  const causes = causesOf(error);
  const specific = causes.filter((each) => !(each instanceof DomainError)).map(codeIn);
  const own = causes.find((each) => each instanceof DomainError);
  const found = specific.findLast((code) => code !== undefined) ?? firstMessageCode(causes);
  if (found !== undefined) return found;
  if (own) return own.kind === 'timeout' ? 'timeout' : own.code;
  return causes.at(-1)?.name ?? typeof error;
}

function codeIn(error: Error): string | undefined {
  const { code, error: oauthError, $metadata, status } = error as Coded;
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && isCode(oauthError)) return oauthError;
  // A client that is asked to authenticate again at the token endpoint was refused (RFC 6749 section 5.2).
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' && status === 401) return 'invalid_client';
  if (isCode(code)) return UNSPECIFIC.includes(code) ? undefined : code;
  if ($metadata?.httpStatusCode !== undefined) {
    return NAMELESS.test(error.name) ? `HTTP_${$metadata.httpStatusCode}` : error.name;
  }
  if (error.name === 'TimeoutError') return 'timeout';
  return error.name === 'CredentialsProviderError' ? error.name : undefined;
}

/** The outermost message says more: a time limit closes the connection, and that is its cause. */
function firstMessageCode(causes: readonly Error[]): string | undefined {
  const codes = causes.map(({ message }) => MESSAGES.find(([pattern]) => pattern.test(message))?.[1]);
  return codes.find((code) => code !== undefined);
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

function innerOf(error: Error): unknown {
  const { driverError } = error as Coded;
  if (isError(driverError)) return driverError;
  return isError(error.cause) ? error.cause : errorsIn(error)[0];
}

/** What an AggregateError holds, such as one error for each address that refused a connection. */
export function errorsIn(error: Error): readonly unknown[] {
  return 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
}

/** Errors of sockets and of signals may come from another realm, where `instanceof Error` does not know them. */
export function isError(value: unknown): value is Error {
  return isNativeError(value) || value instanceof Error || toString.call(value) === '[object DOMException]';
}

const { toString } = Object.prototype;
