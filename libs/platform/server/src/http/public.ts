import { applyDecorators, SetMetadata } from '@nestjs/common';

/** The metadata key under which a route says that it needs no token. Everything else does. */
export const IS_PUBLIC = 'homeport:public';

/** Opens a route to callers without a token. */
export function Public(): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true));
}
