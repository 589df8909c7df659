import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { responseHeadersNamed } from '../openapi/api-headers';
import { type DomainError, statusOf } from '@homeport/kernel';

/** An instance of an error. The OpenAPI document takes status, code and headers from it. */
export type ProblemSample = DomainError;

/** Headers that samples lack, because their values are known only when the error occurs. */
const RATE_LIMIT_HEADERS = ['retry-after', 'ratelimit', 'ratelimit-policy'];

/**
 * Documents the errors of a route in OpenAPI: one response per status, with its possible codes and headers.
 * @param samples one instance of each error.
 */
export function ApiProblems(...samples: readonly ProblemSample[]): MethodDecorator & ClassDecorator {
  const byStatus = Map.groupBy(samples, ({ kind }) => statusOf(kind));
  return applyDecorators(
    ...[...byStatus].map(([status, errors]) => {
      const headers = responseHeadersNamed(new Set(errors.flatMap(headerNamesOf)));
      return ApiResponse({
        status,
        description: errors.map(({ code }) => `\`${code}\``).join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        ...(Object.keys(headers).length > 0 && { headers }),
      });
    }),
  );
}

function headerNamesOf({ kind, headers }: ProblemSample): string[] {
  return [...Object.keys(headers ?? {}), ...(kind === 'rate-limited' ? RATE_LIMIT_HEADERS : [])];
}
