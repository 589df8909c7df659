import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';

/**
 * The schema of raw bytes. OpenAPI 3.1 would also allow an empty schema, but client generators then type the body as
 * unknown and encode it as JSON. They map `format: binary` to Blob or File and send it unchanged.
 */
export const BINARY_SCHEMA = { type: 'string', format: 'binary' } as const;

interface ByteBody {
  readonly description: string;
  /** Accepted media types, wildcards included. */
  readonly mediaTypes: readonly string[];
}

/** Documents a request body that is sent as raw bytes. */
export function ApiBinaryBody({ description, mediaTypes }: ByteBody): MethodDecorator {
  return applyDecorators(ApiConsumes(...mediaTypes), ApiBody({ description, required: true, schema: BINARY_SCHEMA }));
}
