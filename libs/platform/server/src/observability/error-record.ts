import { causesOf, errorsIn, isError } from './failure-cause';

/** The logged fields of an error. Others are omitted, because libraries attach requests and parameters to errors. */
export interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorRecord;
  /** The errors of an AggregateError, such as one per address that refused a connection. */
  readonly errors?: readonly ErrorRecord[];
}

const MAX_MESSAGE_CHARACTERS = 1_000;
const MAX_STACK_CHARACTERS = 8_000;
/** To redact a text takes longer than in proportion to its length. */
const MAX_READ_CHARACTERS = 32_000;
const MAX_ERRORS = 5;
const REDACTIONS: readonly (readonly [RegExp, string])[] = [
  // Credentials in a URL.
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi, '$1[redacted]@'],
  // The query of a URL: it may contain signatures, codes and cursors.
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"']*)\?[^\s"']*/gi, '$1?[redacted]'],
  [/\bBearer\s+[\w.~+/=-]+/gi, 'Bearer [redacted]'],
  // A JSON Web Token.
  [/\beyJ[\w-]+\.[\w-]*\.?[\w-]*/g, '[redacted]'],
];

/** @returns the text without credentials, tokens and queries of URLs. */
export function redacted(text: string): string {
  return REDACTIONS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}

/**
 * Converts an error and its causes to a record that may be logged.
 * @param withStack whether to include the stack trace, which helps with defects but not with outages.
 */
export function errorRecord(error: unknown, withStack = true): ErrorRecord {
  const [outermost, ...causes] = causesOf(error);
  if (!outermost) return { type: typeof error, message: shortened(String(error), MAX_MESSAGE_CHARACTERS) };
  const inner = causes
    .toReversed()
    .reduce<ErrorRecord | undefined>((cause, each) => partOf(each, false, cause), undefined);
  return partOf(outermost, withStack, inner);
}

function partOf(error: Error, withStack: boolean, cause: ErrorRecord | undefined): ErrorRecord {
  const { code } = error as { code?: unknown };
  const errors = errorsIn(error);
  return {
    // In errors of the AWS SDK, the name is specific and the class is not.
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message: shortened(error.message, MAX_MESSAGE_CHARACTERS),
    ...(typeof code === 'string' && { code }),
    ...(withStack && { stack: shortened(error.stack ?? '', MAX_STACK_CHARACTERS) }),
    ...(cause ? { cause } : typeof error.cause === 'string' && { cause: errorRecord(error.cause) }),
    ...(errors.length > 0 && { errors: errors.slice(0, MAX_ERRORS).map((each) => errorRecord(each, false)) }),
  };
}

/** The pino serializer for `err`. @returns error records unchanged. */
export function serializedError(value: unknown): unknown {
  const isRecord = typeof value === 'object' && value !== null && 'type' in value && 'message' in value;
  return isRecord && !isError(value) ? value : errorRecord(value);
}

/** A credential that is cut in the middle would not be recognized, so the text is cut again after the redaction. */
function shortened(text: string, characters: number): string {
  return redacted(text.slice(0, MAX_READ_CHARACTERS)).slice(0, characters);
}
