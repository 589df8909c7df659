import { hasCode } from '../../errors.ts';

/** The S3 error codes of this server, with HTTP status and default message. */
const CATALOGUE = {
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header you provided is invalid.'],
  AuthorizationQueryParametersError: [400, 'The query parameters of the signature are invalid.'],
  BadDigest: [400, 'The digest or checksum you specified did not match what was received.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket exists already and is yours.'],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty.'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size.'],
  EntityTooSmall: [400, 'A part other than the last is smaller than 5 MiB.'],
  IncompleteBody: [400, 'The body is shorter than its announced length.'],
  InsufficientStorage: [507, 'The storage is full; nothing was written.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The access key id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidChunk: [400, 'The aws-chunked framing of the body is broken.'],
  InvalidDigest: [400, 'The Content-MD5 or checksum value you specified is not valid.'],
  InvalidPart: [400, 'One or more of the specified parts could not be found, or its ETag or checksum differs.'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid request'],
  InvalidURI: [400, 'Could not parse the specified URI.'],
  KeyTooLongError: [400, 'Your key is too long: 1088 bytes is the limit.'],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not have the expected shape.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed size of 2 KiB.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [404, 'The specified multipart upload does not exist. It may have been aborted or completed.'],
  NotImplemented: [501, 'This server does not implement what the request asks for.'],
  NotModified: [304, 'Not Modified'],
  OperationAborted: [409, 'A conflicting operation is in progress against this resource. Please try again.'],
  PreconditionFailed: [412, 'At least one of the preconditions you specified did not hold'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and the current time is too large.'],
  SignatureDoesNotMatch: [403, 'The signature we calculated does not match the one you provided.'],
  SlowDown: [503, 'Please reduce your request rate.'],
  XAmzContentSHA256Mismatch: [400, 'The x-amz-content-sha256 header does not match what was received.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type S3ErrorCode = keyof typeof CATALOGUE;

/** A refusal with an S3 error code. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code: S3ErrorCode;
  readonly status: number;
  /** Additional response headers, such as `content-range` of a 416. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: S3ErrorCode, message?: string, headers: Readonly<Record<string, string>> = {}) {
    super(message ?? CATALOGUE[code][1]);
    this.code = code;
    this.status = CATALOGUE[code][0];
    this.headers = headers;
  }
}

/** Converts any failure to an S3 error; unexpected ones become InternalError with their cause. */
export function toS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  // EFBIG is a limit of the file system or process; for the client it equals a full disk.
  if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) return new S3Error('InsufficientStorage');
  if (hasCode(error, 'EMFILE', 'ENFILE')) return new S3Error('SlowDown', 'The server has run out of file handles.');
  const internal = new S3Error('InternalError');
  internal.cause = error;
  return internal;
}
