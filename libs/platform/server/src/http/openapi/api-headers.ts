import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';

interface HeaderDescription {
  /** Of a response header: whether each response that describes it has it. */
  readonly required?: boolean;
  readonly description: string;
  readonly schema: {
    readonly type: 'string' | 'integer';
    readonly example?: string | number;
    /** For an optional request header, which Swagger UI would send if it had an `example`. */
    readonly examples?: readonly string[];
    readonly enum?: string[];
  };
}

const ENTITY_TAG = '"9b2cf535f27731c974343645a3985328"';
const TEXT = { type: 'string' } as const;

/** Request headers that affect operations. */
const REQUEST_HEADERS = {
  'If-Match': {
    description: '`*`, or a list of strong entity tags: the operation runs only if one of them is the current one.',
    schema: { type: 'string', examples: [ENTITY_TAG] },
  },
  'If-None-Match': {
    description:
      '`*`, or a list of entity tags. A read responds with 304 if one of them is the current one. A write with `*` ' +
      'only creates the resource and responds with 412 if it exists.',
    schema: { type: 'string', examples: [ENTITY_TAG] },
  },
  'If-Range': {
    description:
      'A strong entity tag: `Range` applies only if it is the current one; otherwise the whole file is sent.',
    schema: { type: 'string', examples: [ENTITY_TAG] },
  },
  Range: {
    description: 'One range of bytes. A malformed range or several ranges are ignored, and the whole file is sent.',
    schema: { type: 'string', examples: ['bytes=0-1023'] },
  },
  'Content-Digest': {
    description: 'RFC 9530 digest of the body with `sha-256` or `sha-512`. On a mismatch, nothing is stored (400).',
    schema: { type: 'string', examples: ['sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'] },
  },
  'Repr-Digest': {
    description: 'RFC 9530 digest of the representation; checked like `Content-Digest`.',
    schema: { type: 'string', examples: ['sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'] },
  },
  'Content-MD5': {
    description: 'Base64 MD5 digest of the body. On a mismatch, nothing is stored (400).',
    schema: { type: 'string', examples: ['XUFAKrxLKna5cZ2REBfFkg=='] },
  },
  'Idempotency-Key': {
    description:
      '1 to 255 visible ASCII characters. A repeated request with the same key gets the first response for 24 hours.',
    schema: { type: 'string', examples: ['0b6a2c4e-5f1d-4c57-9f0a-3f8f4f1f2a11'] },
  },
} as const satisfies Record<string, HeaderDescription>;

/** Response headers. Each is defined once in the document and referenced by name. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    required: true,
    description: 'Identifies this request in the logs. A valid `X-Request-Id` of the request is adopted.',
    schema: TEXT,
  },
  ETag: {
    description: 'Strong entity tag of the representation, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string', example: ENTITY_TAG },
  },
  'Last-Modified': { required: true, description: 'When the file was last written.', schema: TEXT },
  Location: { required: true, description: 'The URL of the resource or of the redirect.', schema: TEXT },
  'Retry-After': { description: 'Seconds to wait before repeating the request.', schema: { type: 'integer' } },
  RateLimit: {
    description: 'Remaining requests and seconds until the window resets. Absent while the limit is off.',
    schema: { type: 'string', example: '"user";r=5999;t=60' },
  },
  'RateLimit-Policy': {
    description: 'The limit: requests (`q`) per window in seconds (`w`). Absent while the limit is off.',
    schema: { type: 'string', example: '"user";q=6000;w=60' },
  },
  'Accept-Ranges': { required: true, description: 'The unit of `Range`.', schema: { type: 'string', enum: ['bytes'] } },
  'Content-Range': {
    required: true,
    description: 'The sent range and the size of the file; in a 416 response only the size.',
    schema: { type: 'string', example: 'bytes 0-1023/4096' },
  },
  'Content-Length': { description: 'Size of the body in bytes.', schema: { type: 'integer' } },
  'Content-Disposition': {
    required: true,
    description: 'File name, and whether browsers display the file (`inline`) or download it (`attachment`).',
    schema: { type: 'string', example: 'attachment; filename="report.pdf"' },
  },
  'Cache-Control': {
    required: true,
    description: 'Whether and for how long the response may be cached.',
    schema: TEXT,
  },
  Vary: { required: true, description: 'Request headers that the response depends on.', schema: TEXT },
  Link: {
    required: true,
    description: 'Related resources, such as the JSON Schema of the body.',
    schema: { type: 'string', example: '</v1/pricing/schema>; rel="describedby"' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Clear-Site-Data': {
    description: 'Makes the browser remove what it stored. Absent while the session could not be ended.',
    schema: { type: 'string', example: '"cache", "storage"' },
  },
  'Set-Cookie': { description: 'Sets or clears the session cookie.', schema: TEXT },
  'WWW-Authenticate': {
    description: 'The authentication scheme and, for a rejected token, the reason (RFC 6750).',
    schema: { type: 'string', example: 'Bearer error="invalid_token"' },
  },
} as const satisfies Record<string, HeaderDescription>;

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;
export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

/** Documents optional request headers of an operation. */
export function ApiRequestHeaders(...names: readonly RequestHeaderName[]): MethodDecorator {
  return applyDecorators(
    ...names.map((name) => ApiHeader({ name, ...(REQUEST_HEADERS[name] as HeaderDescription), required: false })),
  );
}

/** @returns references to response headers, for the `headers` of a response. */
export function responseHeaders(...names: readonly ResponseHeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of one connection (RFC 9110, section 7.6.1) are not part of the contract. */
const HOP_BY_HOP = ['connection'];

/**
 * Finds documented response headers by name, ignoring case.
 * @throws {Error} for a header without a description.
 */
export function responseHeadersNamed(names: Iterable<string>): Record<string, { $ref: string }> {
  const known = Object.keys(RESPONSE_HEADERS) as ResponseHeaderName[];
  const described = [...names].filter((name) => !HOP_BY_HOP.includes(name.toLowerCase()));
  const found = described.map((name) => {
    const match = known.find((each) => each.toLowerCase() === name.toLowerCase());
    if (match === undefined) throw new Error(`The response header ${name} has no description.`);
    return match;
  });
  return responseHeaders(...found);
}
