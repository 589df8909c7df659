import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';

/** The extension that `completeOperations` turns into one more media type of the request body. */
export const JSON_BODY_ALTERNATIVE = 'x-json-body-alternative';

/** Documents that a route also accepts JSON in place of raw bytes. Nest gives all media types of a body one schema. */
export function ApiJsonBodyAlternative(type: Type<unknown>): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(type),
    ApiExtension(JSON_BODY_ALTERNATIVE, { schema: { $ref: getSchemaPath(type) } }),
  );
}
