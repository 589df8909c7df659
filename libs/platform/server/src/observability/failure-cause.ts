import { isNativeError } from 'node:util/types';
import { DomainError } from '@homeport/kernel';

/** A failure of a dependency with a machine-readable code, for libraries and protocols that report only text. */
export class CodedFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The maximum number of causes to follow. */
const MAX_DEPTH = 8;
/** The first character may be a digit, as in SQLSTATE codes. */
const CODE = /^[A-Za-z0-9][\w.-]{0,63}$/;
/** Codes of errors that only wrap another one. The code of an inner or outer error is used instead. */
const UNSPECIFIC = ['ABORT_ERR', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_INVALID_RESPONSE'];
/** Error names of the AWS SDK for responses without an error document, such as responses to HEAD and pages. */
const NAMELESS = /^(\d+|Error|Unknown|UnknownError|Forbidden|BadRequest|NotFound)$/;
/** Codes for messages of errors of node-postgres and OpenTelemetry, which have no code. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded|read timeout|timeout expired|connection timeout|request timed out/i, 'timeout'],
  [/does not support SSL connections/, 'tls-unsupported'],
  [/Connection terminated|Client has encountered a connection error/i, 'connection-terminated'],
];

interface Coded {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly status?: unknown;
  readonly driverError?: unknown;
}

/** An error and its causes, outermost first. */
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
 * @returns the code of the domain error, or the name of the innermost error, when no cause has a code.
 */
export function causeCodeOf(error: unknown): string {
  const causes = causesOf(error);
  const specific = causes.filter((each) => !(each instanceof DomainError)).map(codeIn);
  const domainError = causes.find((each) => each instanceof DomainError);
  const causeCode = specific.findLast((code) => code !== undefined) ?? firstMessageCode(causes);
  if (causeCode !== undefined) return causeCode;
  if (domainError) return domainError.kind === 'timeout' ? 'timeout' : domainError.code;
  return causes.at(-1)?.name ?? typeof error;
}

function codeIn(error: Error): string | undefined {
  const { code, error: oauthError, $metadata, status } = error as Coded;
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && isCode(oauthError)) return oauthError;
  // A challenge at the token endpoint means that the client authentication failed (RFC 6749, section 5.2).
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' && status === 401) return 'invalid_client';
  if (isCode(code)) return UNSPECIFIC.includes(code) ? undefined : code;
  if ($metadata?.httpStatusCode !== undefined) {
    return NAMELESS.test(error.name) ? `HTTP_${$metadata.httpStatusCode}` : error.name;
  }
  if (error.name === 'TimeoutError') return 'timeout';
  return error.name === 'CredentialsProviderError' ? error.name : undefined;
}

/** Prefers the outermost message: a timeout closes the connection, so the inner error is only "terminated". */
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

/** The errors of an AggregateError, such as one per address that refused a connection. */
export function errorsIn(error: Error): readonly unknown[] {
  return 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
}

/** Also recognizes errors from other realms, such as errors of sockets and signals, where `instanceof Error` fails. */
export function isError(value: unknown): value is Error {
  return isNativeError(value) || value instanceof Error || toString.call(value) === '[object DOMException]';
}

const { toString } = Object.prototype;
